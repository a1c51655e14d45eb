import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type ApiError, ConnectionError, type FileSource, LodgewayError, type Progress } from '../src/index.ts'
import { aFault, BUSY, DROPPED, type Seen, startStub } from './support/stub.ts'

const ID = 'ce4c1f0a-7d9b-4c55-9b1f-0f6f3f0f8a11'
const CONTENT = randomBytes(200_000)
const ACCEPTED = { status: 202, json: { fileId: ID } }
const INPUT = {
  path: { workspace_id: ID },
  fields: { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' },
} as const

let folder: string
let path: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-client-'))
  path = join(folder, 'the offer.pdf')
  await writeFile(path, CONTENT)
})
after(() => rm(folder, { recursive: true, force: true }))

/** The form as another parser reads it. */
async function formOf(
  seen: Seen | undefined,
): Promise<{ fields: Record<string, unknown>; file: File; content: Buffer }> {
  const body = new Uint8Array(seen?.body ?? [])
  const form = await new Response(body, { headers: { 'content-type': seen?.headers['content-type'] ?? '' } }).formData()
  const { file, ...fields } = Object.fromEntries(form)
  assert.ok(file instanceof File)
  return { fields, file, content: Buffer.from(await file.arrayBuffer()) }
}

describe('upload', () => {
  const sources: [string, () => FileSource, { name?: string; hasLength?: false }][] = [
    ['a path', () => path, { name: 'the offer.pdf' }],
    ['a file: URL', () => pathToFileURL(path), { name: 'the offer.pdf' }],
    ['a buffer', () => CONTENT, {}],
    ['an ArrayBuffer', () => Uint8Array.from(CONTENT).buffer, {}],
    ['a Blob', () => new Blob([Uint8Array.from(CONTENT)]), {}],
    ['a File', () => new File([Uint8Array.from(CONTENT)], 'offer.pdf'), { name: 'offer.pdf' }],
    ['a stream of Node', () => createReadStream(path), { hasLength: false }],
    ['a web stream', () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>, { hasLength: false }],
    ['a function that opens a stream', () => () => createReadStream(path), { hasLength: false }],
  ]
  for (const [name, source, { name: fileName = 'document.pdf', hasLength = true }] of sources) {
    it(`sends ${name}`, async () => {
      const { lodgeway, seen } = await startStub([ACCEPTED])
      assert.deepEqual(await lodgeway.upload('uploadFile', { ...INPUT, file: source() }), { fileId: ID })
      const { fields, file, content } = await formOf(seen[0])
      assert.deepEqual(fields, INPUT.fields)
      assert.deepEqual([file.name, file.type], [fileName, 'application/pdf'])
      assert.ok(CONTENT.equals(content))
      assert.equal(seen[0]?.headers['content-length'] !== undefined, hasLength)
    })
  }

  it('sends a stream with its length where that is known, with the given name', async () => {
    const { lodgeway, seen } = await startStub([ACCEPTED])
    const file = createReadStream(path)
    await lodgeway.upload('uploadFile', { ...INPUT, file, size: CONTENT.length, fileName: 'a "quoted"\r\nname é.pdf' })
    assert.equal(Number(seen[0]?.headers['content-length']), seen[0]?.body.length)
    assert.equal((await formOf(seen[0])).file.name, 'a "quoted"\r\nname é.pdf')
  })

  it('reports its progress', async () => {
    const { lodgeway } = await startStub([ACCEPTED])
    const reported: Progress[] = []
    await lodgeway.upload('uploadFile', { ...INPUT, file: path, onProgress: (one) => reported.push(one) })
    assert.deepEqual(reported[0], { sentBytes: 0, totalBytes: CONTENT.length })
    assert.deepEqual(reported.at(-1), { sentBytes: CONTENT.length, totalBytes: CONTENT.length })
    assert.ok(reported.length > 3)
    assert.deepEqual(
      reported.map(({ sentBytes }) => sentBytes),
      reported.map(({ sentBytes }) => sentBytes).sort((a, b) => a - b),
    )
  })

  it('sends the whole file again, with the same key, when a connection was lost', async () => {
    for (const file of [path, CONTENT, () => createReadStream(path)]) {
      const { lodgeway, seen } = await startStub([DROPPED, BUSY, ACCEPTED])
      await lodgeway.upload('uploadFile', { ...INPUT, file })
      assert.equal(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1)
      for (const one of seen) assert.ok(CONTENT.equals((await formOf(one)).content))
    }
  })

  it('sends a stream only once', async () => {
    const lost = await startStub([DROPPED])
    await assert.rejects(
      lost.lodgeway.upload('uploadFile', { ...INPUT, file: createReadStream(path) }),
      ConnectionError,
    )
    const busy = await startStub([BUSY])
    const refused = busy.lodgeway.upload('uploadFile', { ...INPUT, file: createReadStream(path) })
    await assert.rejects(refused, (error: ApiError) => error.status === 503)
    assert.deepEqual([lost.seen.length, busy.seen.length], [1, 1])
  })

  it('says why it was refused', async () => {
    const { lodgeway } = await startStub([aFault(400, 'The file is not a PDF.', 'file')])
    await assert.rejects(lodgeway.upload('uploadFile', { ...INPUT, file: path }), (error: ApiError) => {
      assert.equal(error.messageAt('file'), 'The file is not a PDF.')
      return true
    })
  })

  it('throws the error of a file that cannot be read', async () => {
    const { lodgeway, seen } = await startStub([ACCEPTED])
    for (const [file, message] of [
      [join(folder, 'missing.pdf'), /^The file .*missing\.pdf cannot be read: ENOENT/],
      [pathToFileURL(folder), /^There is no file at file:/],
    ] as const)
      await assert.rejects(lodgeway.upload('uploadFile', { ...INPUT, file }), (error: LodgewayError) => {
        assert.ok(error instanceof LodgewayError)
        assert.match(error.message, message)
        return true
      })
    assert.equal(seen.length, 0)
    const broken = () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('%PDF')
          throw new Error('the disk is gone')
        })(),
      )
    await assert.rejects(lodgeway.upload('uploadFile', { ...INPUT, file: broken }), {
      name: 'LodgewayError',
      message: /the disk is gone/,
    })
  })

  it('ends when its signal is aborted', async () => {
    const { lodgeway } = await startStub([{ isSilent: true }])
    const signal = AbortSignal.timeout(50)
    await assert.rejects(lodgeway.upload('uploadFile', { ...INPUT, file: path, signal }), { name: 'TimeoutError' })
  })
})
