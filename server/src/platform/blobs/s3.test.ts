import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import { S3_CREDENTIALS, type S3Server, startS3 } from '../../../test/fakes/s3.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import type { BlobStore } from './blobs.ts'
import { openS3Store } from './s3.ts'
import { openSpool, type Staged } from './spool.ts'
import { blobLocation } from './url.ts'

describe('openS3Store', () => {
  let folder: string
  let server: S3Server
  let store: BlobStore
  const opened: Staged[] = []

  before(async () => {
    Object.assign(process.env, S3_CREDENTIALS)
    folder = await mkdtemp(join(tmpdir(), 'lodgeway-s3-'))
    server = await startS3(join(folder, 's3'))
    store = openStoreAt(server.url)
  })

  beforeEach(() => {
    server.answered.length = 0
  })

  after(async () => {
    store.close()
    await server.close()
    for (const staged of opened) await staged.discard()
    await rm(folder, { recursive: true })
  })

  const stage = async (bytes: Buffer) => {
    const spool = await openSpool(join(folder, 'spool'))
    const staged = await spool.stage(Readable.from([bytes]), { bytesMax: bytes.length })
    opened.push(staged)
    return staged
  }

  it('uploads bytes once and then finds them there', async () => {
    const staged = await stage(randomBytes(1000))
    await store.put('sent once', staged)
    await store.put('sent once', staged)
    assert.deepEqual(server.answered, ['HEAD', 'PUT', 'HEAD'])
  })

  it('tries again when the bucket is busy', async () => {
    const bytes = randomBytes(3_000_000)
    for (const method of ['PUT', 'GET']) server.slowDown(method, 2)
    await store.put('busy', await stage(bytes))
    assert.ok(bytes.equals(await buffer((await store.open('busy')).stream)))
    assert.deepEqual(server.answered, ['HEAD', 'PUT', 'PUT', 'PUT', 'GET', 'GET', 'GET'])
  })

  it('gives up after three tries and says that the store cannot be reached', async () => {
    for (const method of ['PUT', 'GET']) server.slowDown(method, 3)
    const staged = await stage(randomBytes(3_000_000))
    const nobody = openStoreAt('s3://bucket?endpoint=http://127.0.0.1:9')
    const attempts = [store.put('too busy', staged), store.open('too busy'), nobody.put('any', staged), nobody.check()]
    for (const { reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[]) {
      assert.equal(reason.reason, 'unavailable')
    }
  })

  it('makes the bucket refuse bytes that changed on the way', async () => {
    server.damageNext()
    await assert.rejects(store.put('damaged', await stage(randomBytes(1000))), { name: 'XAmzContentSHA256Mismatch' })
    await assert.rejects(store.open('damaged'), /is missing/)
  })

  it('fails when the staged file is gone', async () => {
    const staged = await stage(randomBytes(1000))
    await staged.discard()
    await assert.rejects(store.put('gone', staged), { code: 'ENOENT' })
  })

  it('distinguishes wrong credentials from a bucket that is down', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong'
    const stranger = openStoreAt(server.url)
    await assert.rejects(stranger.check(), { name: 'SignatureDoesNotMatch' })
    Object.assign(process.env, S3_CREDENTIALS)
    await assert.rejects(
      stranger.put('anything', await stage(randomBytes(1000))),
      (error: Error) => error.name !== 'Refusal',
    )
  })

  it('releases the connection when a reader stops', async () => {
    await store.put('large', await stage(randomBytes(2_000_000)))
    for (let reader = 0; reader < 110; reader++) {
      const { stream } = await store.open('large')
      stream.on('error', () => {}).destroy()
    }
    await eventually(async () => (await server.connections()) <= 2)
  })

  it('writes its check once and afterwards only looks for it', async () => {
    for (let times = 0; times < 3; times++) await store.check()
    assert.deepEqual(server.answered, ['PUT', 'HEAD', 'HEAD'])
  })

  it('does not wait long for a check that is never answered', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const start = Date.now()
    const { port } = silent.address() as AddressInfo
    await assert.rejects(openStoreAt(`s3://bucket?endpoint=http://127.0.0.1:${port}`).check(), {
      reason: 'unavailable',
    })
    assert.ok(Date.now() - start < 4_000)
    silent.closeAllConnections()
    silent.close()
  })
})

function openStoreAt(url: string): BlobStore {
  const location = blobLocation(url, '')
  assert.equal(location.kind, 's3')
  return openS3Store(location as typeof location & { kind: 's3' })
}
