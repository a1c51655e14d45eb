import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { type ApiError, ConnectionError, DownloadError } from '../src/index.ts'
import { aFault, BUSY, type Reply, type Seen, startStub } from './support/stub.ts'

const CONTENT = randomBytes(300_000)
const SHA256 = createHash('sha256').update(CONTENT).digest('hex')
const INPUT = { path: { report_name: 'report-workspacesummary-todate' } } as const
const HEADERS = {
  etag: '"one"',
  'content-type': 'application/octet-stream',
  'content-disposition': `attachment; filename="r_sum_.csv"; filename*=UTF-8''r%C3%A9sum%C3%A9.csv`,
  'x-report-sha256': SHA256,
}

/** Serves ranges as the service does, and cuts off each response as `cut` says. */
const serve =
  (cut: (index: number, offset: number) => number | undefined, etag = '"one"') =>
  ({ headers }: Seen, index: number): Reply => {
    const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
    const offset = isSame ? Number(/bytes=(\d+)-/.exec(headers['range'] ?? '')?.[1] ?? 0) : 0
    const dropAfterBytes = cut(index, offset)
    const range = offset ? { 'content-range': `bytes ${offset}-${CONTENT.length - 1}/${CONTENT.length}` } : {}
    return {
      status: offset ? 206 : 200,
      bytes: CONTENT.subarray(offset),
      headers: { ...HEADERS, ...range, etag },
      ...(dropAfterBytes !== undefined && { dropAfterBytes }),
    }
  }

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-client-'))
})
after(() => rm(folder, { recursive: true, force: true }))

describe('download', () => {
  it('returns a stream, the size and the name', async () => {
    const { lodgeway, seen } = await startStub(serve(() => undefined))
    const { stream, size, fileName, sha256, etag } = await lodgeway.download('getReportContent', INPUT)
    assert.deepEqual([size, fileName, sha256, etag], [CONTENT.length, 'résumé.csv', SHA256, '"one"'])
    assert.ok(CONTENT.equals(await buffer(stream)))
    assert.equal(seen.length, 1)
  })

  it('resumes after a lost connection, as long as there is progress', async () => {
    const { lodgeway, seen } = await startStub(serve((index) => (index < 12 ? 20_000 : undefined)))
    const { stream } = await lodgeway.download('getReportContent', INPUT)
    assert.ok(CONTENT.equals(await buffer(stream)))
    assert.ok(seen.slice(1).every(({ headers }) => headers['if-range'] === '"one"'))
  })

  it('resumes after the service was silent', async () => {
    const whole = serve(() => undefined)
    const { lodgeway, seen } = await startStub(
      (one, index) => ({ ...whole(one, index), ...(index === 0 && { stallAfterBytes: 50_000 }) }),
      { timeoutMs: 100 },
    )
    const { stream } = await lodgeway.download('getReportContent', INPUT)
    assert.ok(CONTENT.equals(await buffer(stream)))
    assert.equal(seen.length, 2)
  })

  it('fails when nothing more is received', async () => {
    const { lodgeway } = await startStub(
      serve((_, offset) => (offset ? 0 : 1_000)),
      { retry: { attempts: 3, firstMs: 1 } },
    )
    const { stream } = await lodgeway.download('getReportContent', INPUT)
    await assert.rejects(buffer(stream), ConnectionError)
  })

  it('does not combine two versions of the content', async () => {
    const later = serve(() => undefined, '"two"')
    const { lodgeway } = await startStub((seen, index) => (index ? later : serve(() => 1_000))(seen, index))
    const { stream } = await lodgeway.download('getReportContent', INPUT)
    await assert.rejects(buffer(stream), DownloadError)
  })

  it('retries the request, and says why it was refused', async () => {
    const { lodgeway, seen } = await startStub([BUSY, aFault(404, 'No report for that date.', 'requestedDate')])
    await assert.rejects(lodgeway.download('getReportContent', INPUT), (error: ApiError) => {
      assert.equal(error.messageAt('requestedDate'), 'No report for that date.')
      return true
    })
    assert.equal(seen.length, 2)
  })

  it('ends when its signal is aborted or its reader cancels', async () => {
    const { lodgeway } = await startStub(serve(() => undefined))
    const controller = new AbortController()
    const first = await lodgeway.download('getReportContent', { ...INPUT, signal: controller.signal })
    controller.abort(new Error('enough'))
    await assert.rejects(buffer(first.stream), /enough/)
    const second = await lodgeway.download('getReportContent', INPUT)
    await second.stream.cancel()
  })

  it('does not time out while its reader is slow', async () => {
    const { lodgeway, seen } = await startStub(
      serve(() => undefined),
      { timeoutMs: 500 },
    )
    const { stream } = await lodgeway.download('getReportContent', INPUT)
    const pieces: Uint8Array[] = []
    for await (const piece of stream) {
      pieces.push(piece)
      if (pieces.length === 1) await new Promise((resolve) => setTimeout(resolve, 700))
    }
    assert.ok(CONTENT.equals(Buffer.concat(pieces)))
    assert.equal(seen.length, 1)
  })
})

describe('downloadTo', () => {
  it('saves a file that was received in several parts', async () => {
    const { lodgeway } = await startStub(serve((index) => (index < 2 ? 70_000 : undefined)))
    const to = join(folder, 'report.csv')
    const saved = await lodgeway.downloadTo('getReportContent', { ...INPUT, to })
    assert.deepEqual(saved, { path: to, size: CONTENT.length, sha256: SHA256, fileName: 'résumé.csv' })
    assert.ok(CONTENT.equals(await readFile(to)))
  })

  it('keeps the existing file when it fails, and leaves no temporary file', async () => {
    const to = join(folder, 'kept.csv')
    await writeFile(to, 'before')
    const { lodgeway } = await startStub([
      { bytes: CONTENT, headers: { ...HEADERS, 'x-report-sha256': '0'.repeat(64) } },
    ])
    await assert.rejects(lodgeway.downloadTo('getReportContent', { ...INPUT, to }), DownloadError)
    assert.equal(await readFile(to, 'utf8'), 'before')
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  it('fails where the folder does not exist', async () => {
    const { lodgeway } = await startStub(serve(() => undefined))
    await assert.rejects(
      lodgeway.downloadTo('getReportContent', { ...INPUT, to: join(folder, 'no/such/file') }),
      /ENOENT/,
    )
  })
})
