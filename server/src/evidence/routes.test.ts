import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { atEnd } from '../../test/fixtures/at-end.ts'
import { filesPath, uploaded } from '../../test/fixtures/documents.ts'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import { aPdf } from '../../test/fixtures/multipart.ts'
import { commandHere } from '../../test/fixtures/process.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { drain, FIRM, LENDER, narrowToken, OTHER_FIRM, WORKSPACES } from '../../test/fixtures/workspaces.ts'
import { sealAudit } from '../audit/seal.ts'
import { listZip } from '../platform/zip.ts'
import { writeZip, type ZipPart } from '../platform/zip-writer.ts'
import { createChainCheck, documentName, packEntry } from './rules.ts'
import { verifyPack } from './verify.ts'

const LIMITS = { entriesMax: 1_000, entryBytesMax: 1e8, unpackedBytesMax: 1e9 }
const OFFER = aPdf('An offer')
const OWN = 'NBS-SECRET-7'

type Files = Map<string, Buffer>

let service: TestService
let workspaceId: string
let folder: string
let pack: Files

async function download(as: { as?: string; headers?: Record<string, string> } = FIRM): Promise<Files> {
  const headers = as.headers ?? { authorization: `Bearer ${await service.tokenOf(as.as ?? '')}` }
  const response = await fetch(`${service.url}${WORKSPACES}/${workspaceId}/evidence`, { headers })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="LW\d{9}_evidence\.zip"$/)
  const entries = await listZip(Buffer.from(await response.arrayBuffer()), LIMITS)
  return new Map(await Promise.all(entries.map(async ({ name, open }) => [name, await buffer(await open())] as const)))
}

async function save(files: Files): Promise<string> {
  async function* parts(): AsyncGenerator<ZipPart> {
    for (const [name, bytes] of files) {
      yield { name, packed: 'yes', content: (async function* () { yield bytes })() } // biome-ignore format: short
    }
  }
  const path = join(folder, `${crypto.randomUUID()}.zip`)
  await writeFile(path, await buffer(writeZip(parts(), new Date())))
  return path
}

const verify = async (files: Files) => verifyPack(await save(files))
const readJson = (files: Files, name: string) => JSON.parse(String(files.get(name)))
const linesOf = (files: Files) => String(files.get('audit/entries.jsonl')).trimEnd().split('\n')

before(async () => {
  service = await testService()
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-evidence-'))
  atEnd(() => rm(folder, { recursive: true }))
  workspaceId = await anApprovedCase(service, 'ST500678')
  await uploaded(service, workspaceId, { file: OFFER, fileName: 'Offer “final”.pdf' })
  const withdrawn = await uploaded(service, workspaceId, { file: aPdf('Never sent') })
  await drain(service)
  await service.call('DELETE', filesPath(workspaceId, withdrawn), FIRM)
  const path = `${WORKSPACES}/${workspaceId}`
  assert.equal((await service.call('PATCH', path, { ...LENDER, json: { ownReference: OWN } })).status, 200)
  await sealAudit(service.deps.db, new Date(service.deps.clock.now().getTime() + 86_400_000)) // today’s is made
  pack = await download()
})

describe('an evidence pack', () => {
  it('holds all that the caller may read, and is found whole without the service', async () => {
    const names = [...pack.keys()]
    for (const name of [
      'README.txt',
      'workspace.json',
      'timeline.json',
      'approvals.json',
      'case.json',
      'payments.json',
    ]) {
      assert.ok(names.includes(name), name)
    }
    assert.equal(pack.get('summary.pdf')?.subarray(0, 5).toString(), '%PDF-')
    assert.ok(names.some((name) => /^registers\/001 TITLE_REGISTER\.json$/.test(name)))
    const documents = names.filter((name) => name.startsWith('documents/'))
    const [offer = ''] = documents.filter((name) => name.endsWith('Offer _final_.pdf'))
    assert.deepEqual(pack.get(offer), OFFER)
    assert.ok(![...pack.values()].some((bytes) => bytes.includes('Never sent')), 'nor what cannot be downloaded')
    assert.equal(readJson(pack, 'approvals.json').lodgement.at(-1).action, 'APPROVE')
    const report = await verify(pack)
    assert.deepEqual(report.findings, [])
    assert.equal(report.newestAnchor?.hash, readJson(pack, 'audit/anchors.json').at(-1).hash)
    assert.equal(report.entries, readJson(pack, 'manifest.json').audit.entries)
  })

  it('has nothing of a reference that the other side keeps for itself', () => {
    assert.ok(![...pack.values()].some((bytes) => bytes.includes(OWN) || bytes.includes('own reference')))
  })

  it('leaves out what the token has no scope for, payloads too, and is whole', async () => {
    const narrow = await download({ headers: await narrowToken(service, FIRM.as, 'view:workspaces') })
    const { findings, manifest } = await verify(narrow)
    assert.deepEqual([findings, manifest?.leftOut], [[], ['case', 'payments', 'registers', 'documents']])
    assert.ok(![...narrow.keys()].some((name) => /^(case|payments|registers|documents)/.test(name)))
    const entries = linesOf(narrow).map((line) => JSON.parse(line))
    const ofCase = entries.filter(({ header = '' }) => header.includes('lodgementCaseId'))
    assert.ok(ofCase.length > 0 && ofCase.every(({ payload, payloadHash }) => !payload && payloadHash))
  })

  it('is 404 for anybody else', async () => {
    assert.equal((await service.call('GET', `${WORKSPACES}/${workspaceId}/evidence`, OTHER_FIRM)).status, 404)
  })
})

/** Changes a file, and the manifest with it, as a careful forger would. */
function forge(name: string, change: (text: string) => string): Files {
  const bytes = Buffer.from(change(String(pack.get(name))))
  const manifest = readJson(pack, 'manifest.json')
  const listed = manifest.files.find((one: { name: string }) => one.name === name)
  Object.assign(listed, { size: bytes.length, sha256: hash('sha256', bytes) })
  return new Map([...pack, [name, bytes], ['manifest.json', Buffer.from(JSON.stringify(manifest))]])
}

const ENTRIES = 'audit/entries.jsonl'
const inLine = (seq: number, change: (line: string) => string) => (text: string) =>
  text.split('\n').map((line, i) => (i === seq - 1 ? change(line) : line)).join('\n') // biome-ignore format: short
const offerName = () => [...pack.keys()].find((name) => name.endsWith('Offer _final_.pdf')) ?? ''

describe('a pack that was tampered with', () => {
  for (const [what, tamper, finding] of [
    ['a file', () => new Map([...pack, ['timeline.json', Buffer.from('[]')]]), /^timeline\.json was altered\.$/],
    ['a file removed', () => new Map([...pack].filter(([name]) => name !== 'case.json')), /^case\.json is missing\.$/],
    ['a file added', () => new Map([...pack, ['b.txt', Buffer.from('b')]]), /^b\.txt was added\.$/],
    [
      'a document, and its hash in the manifest',
      () => forge(offerName(), (text) => text.replace('An offer', 'No offer')),
      /^documents\/\d+ Offer _final_\.pdf is not the document of audit entry \d+\.$/,
    ],
    [
      'what an entry says',
      () =>
        forge(
          ENTRIES,
          inLine(2, (line) => line.replace('"header":"{', '"header":"{ ')),
        ),
      /^audit: entry 2 was altered, or the hash of the one before it\.$/,
    ],
    [
      'the payload of an entry',
      () =>
        forge(
          ENTRIES,
          inLine(1, (line) => line.replace('Taunton', 'Bristol')),
        ),
      /^audit: the payload of entry 1 was altered\.$/,
    ],
    ['an entry removed', () => forge(ENTRIES, (text) => text.replace(/^.*\n/, '')), /^audit: entry 1 is missing\.$/],
    [
      'the last entry removed',
      () => forge(ENTRIES, (text) => text.trimEnd().replace(/\n[^\n]*$/, '\n')),
      /^audit: the last entry must be \d+ with the hash/,
    ],
    [
      'an anchor',
      () => forge('audit/anchors.json', (text) => text.replace(/"seq": \d+/, '"seq": 999')),
      /^audit: entry 999 is not the one of anchor \d+\.$/,
    ],
    [
      'no manifest',
      () => new Map([...pack].filter(([name]) => name !== 'manifest.json')),
      /^manifest\.json is missing/,
    ],
  ] satisfies [string, () => Files, RegExp][]) {
    it(`is refused, and says what was altered: ${what}`, async () => {
      const { findings } = await verify(tamper())
      assert.match(findings[0] ?? '', finding)
    })
  }
})

describe('lodgeway audit verify --pack', () => {
  it('says that a pack is whole, and what to compare; names what is not; and refuses what is no ZIP', async () => {
    const verified = (...words: string[]) => commandHere(['audit verify --pack', ...words].join(' '), {})
    const good = await verified(await save(pack))
    assert.match(good.output, /^The pack is whole: workspace .*; \d+ files; \d+ audit entries; anchor [0-9a-f]{64} of/)
    const cut = join(folder, 'cut.zip')
    await writeFile(cut, (await readFile(await save(pack))).subarray(0, -100))
    assert.match((await verified(cut)).errors, /is not a whole ZIP/)
    const entryless = await save(forge(ENTRIES, (text) => text.replace(/^.*\n/, '')))
    const { code, output } = await verified(entryless, '--anchor', 'a'.repeat(64))
    assert.equal(code, 1)
    assert.match(
      output,
      /^- audit: entry 1 is missing\.\n(.*\n)*- The newest anchor of the pack is .*\nThe pack is NOT whole/,
    )
  })
})

describe('an entry of version 1.0', () => {
  const header = JSON.stringify({ action: 'client added', ids: { lodgementCaseId: 'c' }, after: {} })
  const stored = { seq: 1, hash: hash('sha256', header), header, payload: null, payloadHash: null }
  const reader = { scopes: new Set(['x-api:view:lodgement_summary']) }

  it('is checked as a whole, or there by its hash alone', () => {
    const whole = packEntry(stored, reader)
    assert.deepEqual(createChainCheck().take(whole), [])
    assert.equal(createChainCheck().take({ ...whole, header: header.replace('added', 'taken') }).length, 1)
    assert.deepEqual(packEntry(stored, { scopes: new Set() }), { seq: 1, hash: stored.hash })
  })
})

describe('documentName', () => {
  for (const [given, name] of [
    ['a.pdf', 'documents/001 a.pdf'],
    ['../..\\Überblick: “x”.pdf', 'documents/001 __.._Überblick_ _x_.pdf'],
  ] as const) {
    it(`makes ${name} of ${given}`, () => assert.equal(documentName(1, given), name))
  }
})
