import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { atEnd } from '../../server/test/fixtures/at-end.ts'
import { testService } from '../../server/test/fixtures/service.ts'
import { aBorrower, aCreation, aWorkspace, drain } from '../../server/test/fixtures/workspaces.ts'
import { VERSION } from '../src/version.ts'
import { type Given, lodgeway as run } from './harness.ts'

// The commands against a running sandbox.

const service = await testService()
await aWorkspace(service, {
  reference: 'NBS-1018',
  titleNumber: 'ST500678',
  parties: [aBorrower('William'), aBorrower('Tracey', 'Prinne')],
})
await drain(service)
const home = await mkdtemp(join(tmpdir(), 'lodgeway-cli-'))
atEnd(() => rm(home, { recursive: true, force: true }))

const ENV = { XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, LODGEWAY_URL: service.url }

/** As it is typed; words with spaces are given as a list. */
const lodgeway = (words: string | string[], given: Given = {}) =>
  run(typeof words === 'string' ? words.split(' ').filter(Boolean) : words, { ...given, env: { ...ENV, ...given.env } })

async function json<T = Record<string, unknown>>(words: string, given?: Given): Promise<T> {
  const { code, output, errors } = await lodgeway(`${words} --json`, given)
  assert.equal(code, 0, errors)
  return JSON.parse(output) as T
}

describe('lodgeway', () => {
  it('shows its commands, its version, and help with examples for each', async () => {
    const { code, output } = await lodgeway('')
    assert.equal(code, 0)
    assert.match(output, /^For integrators:\n {2}login /m)
    assert.equal((await lodgeway('--version')).output, `${VERSION}\n`)
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    assert.equal(VERSION, version)
    for (const words of ['whoami --help', 'help call']) {
      assert.match((await lodgeway(words)).output, /^Examples:\n {2}lodgeway /m)
    }
  })

  const WRONG: [words: string, says: RegExp][] = [
    ['whoam', /^error: unknown command 'whoam'\n\(Did you mean whoami\?\)/],
    ['whoami --jsn', /unknown option '--jsn'\n\(Did you mean --json\?\)\n\(add --help/],
    ['whoami too much', /too many arguments/],
    ['call getWorkspaces', /There is no operation getWorkspaces\. Did you mean getWorkspace\?/],
    ['call getWorkspace', /getWorkspace needs:\n {2}path\.workspace_id=…/],
    ['whoami --profile nobody', /There is no profile nobody/],
  ]
  for (const [words, says] of WRONG) {
    it(`ends with 2 for a mistake: ${words}`, async () => {
      const { code, output, errors } = await lodgeway(words)
      assert.match(errors, says)
      assert.deepEqual({ code, output }, { code: 2, output: '' })
    })
  }

  it('ends with 1 when the service refuses, and says what, where, and what to read', async () => {
    const words = 'call addTitle workspace_id=00000000-0000-4000-8000-000000000000 body.titleNumber=ST500678'
    const { code, errors } = await lodgeway(words)
    assert.match(
      errors,
      /^POST \/partner\S+\/titles was answered with 404\.\n {2}workspace_id: .+\ncorrelation id: \S+\n/,
    )
    assert.ok(errors.endsWith(`guide: ${service.url}/docs/guide/errors#404\n`), errors)
    assert.equal(code, 1)
    const asJson = await lodgeway(`${words} --json`)
    assert.equal(JSON.parse(asJson.output).errors[0].field, 'workspace_id')
    const wrong = await lodgeway('whoami', { env: { LODGEWAY_CLIENT_SECRET: 'wrong' } })
    assert.match(wrong.errors, /^POST \/oauth\/token was answered with 401\.\n {2}The client id or secret is wrong/)
    assert.equal(wrong.code, 1)
  })

  it('ends with 3 when there is no service', async () => {
    const { code, errors } = await lodgeway('whoami --url http://127.0.0.1:1')
    assert.match(errors, /Does the sandbox run at http:\/\/127\.0\.0\.1:1\? `npm start` in the clone starts it\./)
    assert.equal(code, 3)
  })

  it('is coloured on a terminal, unless NO_COLOR says otherwise', async () => {
    const coloured = async (given: Given) => (await lodgeway('call', given)).output.includes('\x1b[')
    const seen = [coloured({ isTTY: true }), coloured({ isTTY: true, env: { NO_COLOR: '1' } }), coloured({})]
    assert.deepEqual(await Promise.all(seen), [true, false, false])
  })
})

describe('lodgeway login', () => {
  const typed = (secret: string) => `${service.url}/\nsandbox-other-lender\n${secret}\n`

  it('tries the credentials, keeps those that work, and uses them from then on', async () => {
    const given = { env: { LODGEWAY_URL: '' } }
    const wrong = await lodgeway('login', { ...given, input: typed('wrong') })
    assert.match(wrong.errors, /Secret \(not shown\): \nPOST \/oauth\/token was answered with 401/)
    assert.match((await lodgeway('profiles', given)).output, /^\* +sandbox-law-firm/m)
    const { code, output, errors } = await lodgeway('login --profile other', {
      ...given,
      input: typed('sandbox-other-lender-secret'),
    })
    assert.equal(code, 0, errors)
    assert.match(output, /^Logged in to http:\S+ \(a sandbox\) as sandbox-other-lender\.\nThe profile other is used/)
    assert.match((await lodgeway('whoami', given)).output, /^client +sandbox-other-lender$/m)
    await lodgeway('profiles --forget other', given)
  })
})

describe('lodgeway whoami', () => {
  it('shows who calls which service', async () => {
    const { output } = await lodgeway('whoami', { now: new Date(Date.now() + 60_000) })
    assert.match(output, /^profile +sandbox-law-firm \(built in\)\nservice +http:\S+ {2}sandbox, v1\./)
    assert.match(output, /^subscriber +Harbour Conveyancing LLP, law firm {2}20000000-\S+$/m)
    assert.match(output, /^scopes +.*\bview:workspaces\b/m)
    assert.match(output, /^clock +this machine is (59|60|61) s ahead of the service$/m)
    const facts = await json('whoami --profile sandbox-lender --url '.concat(service.url))
    assert.partialDeepStrictEqual(facts, { live: false, clientId: 'sandbox-lender', subscriber: { kind: 'LENDER' } })
  })
})

describe('lodgeway call', () => {
  it('calls any operation that the service describes', async () => {
    assert.match((await lodgeway('call')).output, /^listWorkspaces +GET +List the workspaces/m)
    const { records } = await json<{ records: { workspaceId: string }[] }>('call listWorkspaces query.limit=1')
    const path = `path.workspace_id=${records[0]?.workspaceId}`
    const updated = await json(`call updateWorkspace ${path} body.ownReference=0042`)
    assert.equal(updated['ownReference'], '0042')
  })

  it('takes a body from a file or a pipe, and waits for what becomes of it', async () => {
    const words = 'call createRemortgageWorkspace body=- --wait --json'
    const order = (titleNumber: string) => ({
      env: { LODGEWAY_PROFILE: 'sandbox-lender' },
      input: JSON.stringify(aCreation({ reference: 'CLI-1', titleNumber })),
    })
    const { output, errors } = await lodgeway(words, order('ST500678'))
    assert.equal(JSON.parse(output || errors).lastTitleSearchStatus, 'SUCCESS')
    const failed = await lodgeway(words, order('NF100001'))
    assert.match(failed.errors, /^The title search failed: NOT_FOUND/)
    assert.equal(failed.code, 4)
  })

  it('asks before it changes a live service', async () => {
    // A service without a sandbox's clock is live.
    const fetch: typeof globalThis.fetch = async (input, init) =>
      String(input).endsWith('/sandbox/v1/clock') ? new Response('', { status: 404 }) : globalThis.fetch(input, init)
    const words = 'call setMaintenance body.enabled=false'
    const refused = await lodgeway(words, { fetch })
    assert.match(refused.errors, /sandbox-law-firm is live: give --yes to POST \/sandbox\/v1\/maintenance\./)
    assert.equal(refused.code, 2)
    const asked = await lodgeway(words, { fetch, isTTY: true, input: 'n\n' })
    assert.ok(asked.errors.includes('\x1b[31msandbox-law-firm (live)\x1b[39m '), asked.errors)
    assert.match(asked.errors, /\? \[y\/N\] .*Nothing was done\./s)
    for (const given of [{ fetch, isTTY: true, input: 'y\n' }, { fetch }]) {
      const { code } = await lodgeway(given.isTTY ? words : `${words} --yes`, given)
      assert.equal(code, 0)
    }
  })
})
