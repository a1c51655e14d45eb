import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { validateXML } from 'xmllint-wasm'
import { type Pack, readPack, type Xsd } from './pack.ts'
import { checkerOf } from './schemas.ts'
import { type Exchange, LODGEMENTS, traffic } from './traffic.ts'
import { understand } from './understand.ts'

// For anyone who has what HM Land Registry publishes: `HMLR_PACK=<folder> npm test -- server/test/registry-contract/contract.test.ts`.
// Several folders are separated as in PATH. docs/registry-hmlr.md has the figures of the last run.

const FOLDERS = process.env['HMLR_PACK']
const REST = '/bg2/api'
const skip = FOLDERS ? false : 'Set HMLR_PACK to the folder of the documentation that HM Land Registry publishes.'

describe('the published contracts of the registry', { skip }, () => {
  let pack: Pack
  let exchanges: Exchange[]
  before(async () => {
    pack = readPack(FOLDERS ?? '')
    exchanges = await traffic()
  })

  it('take every SOAP message that we send, and the stand-in answers as they say', async (t) => {
    const soap = exchanges.filter(({ inbound }) => inbound.path.includes('/b2b/'))
    const sent = soap.map(({ inbound }) => contentOf(inbound.body.toString(), 'arg0', pack.xsds))
    const answered = soap.filter(({ answer }) => answer.status === 200)
    const answers = answered.map(({ answer }) => contentOf(String(answer.body), 'return', pack.xsds))
    const wrong: string[] = []
    for (const { xml, xsd } of [...sent, ...answers]) {
      const { valid, errors } = await validateXML({ xml, schema: xsd.text })
      if (!valid) wrong.push(`${xsd.root}: ${errors.map(({ message }) => message).join(' ')}`)
    }
    assert.deepEqual([...new Set(wrong)], [])
    const [{ xml, xsd } = assert.fail('nothing was sent')] = sent
    const spoiled = await validateXML({ xml: xml.replaceAll('TitleNumber', 'Title'), schema: xsd.text })
    assert.ok(!spoiled.valid, 'an unknown element is refused')
    t.diagnostic(`${sent.length} messages that we send and ${answers.length} of the stand-in are valid`)
  })

  it('take every REST body that we send', (t) => {
    const sent = exchanges.filter(({ inbound }) => inbound.path.startsWith(REST) && inbound.body.length)
    const submitted = sent.filter(({ inbound }) => inbound.path.endsWith('/applications'))
    assert.equal(submitted.length, 2 * LODGEMENTS.length, 'each case was sent, in both versions')
    const wrong = new Set<string>()
    let checked = 0
    for (const contract of pack.contracts) {
      const errorsOf = checkerOf(contract)
      assert.notDeepEqual(errorsOf('POST', '/v1/applications', { data: {} }), [], 'an empty application is refused')
      const valid = sent.filter(({ inbound: { method, path, body } }) => {
        const errors = errorsOf(method, path.slice(REST.length), JSON.parse(body.toString()))
        for (const error of errors ?? []) wrong.add(`${contract.name} ${method} ${path}: ${error}`)
        return errors?.length === 0
      })
      checked += valid.length
      t.diagnostic(`${valid.length} bodies that we send are valid in ${contract.name}`)
    }
    assert.deepEqual([...wrong], [])
    if (!checked) t.skip('The pack has no OpenAPI document of the submission.')
  })

  it('have examples of answers that we understand', (t) => {
    const results = pack.answers.map(({ where, ...example }) => ({ where, ...understand(example) }))
    const read = results.filter(({ kind }) => kind !== 'request')
    assert.deepEqual(
      read.flatMap(({ where, problem }) => (problem ? [`${where}: ${problem}`] : [])),
      [],
    )
    t.diagnostic(`${read.length} examples of answers are understood, ${pack.malformed.length} are malformed`)
    for (const one of pack.malformed) t.diagnostic(`malformed: ${one}`)
  })
})

/** What is in the wrapper, as a document of the schema with its namespace. */
function contentOf(envelope: string, wrapper: string, xsds: readonly Xsd[]): { xml: string; xsd: Xsd } {
  const inner = new RegExp(`<${wrapper}[^>]*>(.*)</${wrapper}>`, 's').exec(envelope)?.[1] ?? ''
  const [, prefix = ''] = /^\s*<(\w+):/.exec(inner) ?? []
  const namespace = new RegExp(`xmlns:${prefix}="([^"]+)"`).exec(envelope)?.[1]
  const xsd = xsds.find((one) => one.namespace === namespace)
  assert.ok(xsd, `there is a schema of ${namespace} in the pack`)
  const tag = `${prefix}:${xsd.root}`
  return { xml: `<${tag} xmlns:${prefix}="${namespace}">${inner}</${tag}>`, xsd }
}
