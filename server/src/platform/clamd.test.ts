import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { type FakeClamd, fakeClamd } from '../../test/fakes/clamd.ts'
import { freePort } from '../../test/fixtures/ports.ts'
import { openScanner } from './clamd.ts'

let clamd: FakeClamd
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-clamd-'))
  clamd = await fakeClamd()
})
after(() => rm(folder, { recursive: true, force: true }))

const streamOf = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))

async function inMood<T>(mood: FakeClamd['mood'], act: () => Promise<T>): Promise<T> {
  clamd.mood = mood
  try {
    return await act()
  } finally {
    clamd.mood = 'looks'
  }
}

describe('openScanner', () => {
  it('sends the whole file and returns the result', async () => {
    const large = Buffer.alloc(3_000_000, 'a page of a deed ')
    assert.deepEqual(await openScanner(clamd.url).scan(streamOf(large, 'end')), { clean: true })
    assert.deepEqual(clamd.scans.at(-1), Buffer.concat([large, Buffer.from('end')]))
    const result = await openScanner(clamd.url).scan(streamOf('X5O!P%@AP EICAR'))
    assert.deepEqual(result, { clean: false, finding: 'Eicar-Signature' })
  })

  it('connects to a Unix socket, too', async () => {
    const local = await fakeClamd({ path: join(folder, 'clamd.sock') })
    assert.deepEqual(await openScanner(local.url).scan(streamOf('a deed')), { clean: true })
  })

  it('throws if there is no clear result', async () => {
    const scan = () => openScanner(clamd.url).scan(streamOf('a deed'))
    await assert.rejects(inMood('errs', scan), /gave no result: stream: Can’t allocate memory ERROR/)
    await assert.rejects(inMood('hangs up', scan), Error)
    await assert.rejects(openScanner(`tcp://127.0.0.1:${await freePort()}`).scan(streamOf('a deed')), /ECONNREFUSED/)
    await assert.rejects(openScanner(`unix:${folder}/nobody`).scan(streamOf('a deed')), /ENOENT/)
  })

  it('throws, and says why, if the scanner does not take the whole file', async () => {
    const scan = () =>
      openScanner(clamd.url).scan(streamOf(...Array.from({ length: 100 }, () => Buffer.alloc(100_000))))
    await assert.rejects(inMood('takes no more', scan), /size limit exceeded/)
  })

  it('throws if the file cannot be read to its end', async () => {
    const broken = new Readable({ read: () => {} })
    broken.push('the beginning')
    setTimeout(() => broken.destroy(new Error('the disk is gone')), 20)
    await assert.rejects(openScanner(clamd.url).scan(broken), /the disk is gone/)
  })

  it('throws if the file breaks off while it connects', async () => {
    const broken = new Readable({ read: () => {} })
    const scanned = openScanner(clamd.url).scan(broken)
    broken.destroy(new Error('the disk is gone'))
    await assert.rejects(scanned, /the disk is gone/)
  })
})
