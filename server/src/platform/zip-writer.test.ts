import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { listZip, openZip } from './zip.ts'
import { writeZip, type ZipPart } from './zip-writer.ts'

const LIMITS = { entriesMax: 100_000, entryBytesMax: 10_000_000, unpackedBytesMax: 100_000_000 }
const AT = new Date('2026-03-14T09:30:10Z')

async function* parts(files: Readonly<Record<string, Buffer>>): AsyncGenerator<ZipPart> {
  for (const [name, bytes] of Object.entries(files)) {
    const content = (async function* () {
      for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
    })()
    yield { name, packed: name.endsWith('.txt') ? 'yes' : 'no', content }
  }
}

const written = (files: Readonly<Record<string, Buffer>>) => buffer(writeZip(parts(files), AT))

describe('writeZip', () => {
  it('writes what a reader finds again: empty, small and large files, whatever their names', async () => {
    const files = {
      'empty.txt': Buffer.alloc(0),
      'words.txt': Buffer.from('again and '.repeat(10_000)),
      'documents/Überblick – “final”.pdf': randomBytes(300_001),
    }
    const zip = await written(files)
    assert.ok(zip.length < 310_000, 'words are packed')
    const read = await listZip(zip, LIMITS)
    assert.deepEqual(
      await Promise.all(read.map(async ({ name, open }) => [name, await buffer(await open())])),
      Object.entries(files),
    )
  })

  it('may be beyond four gigabytes', async () => {
    const before = 5 * 2 ** 30
    const files = { 'a.txt': Buffer.from('a'), 'b.pdf': randomBytes(70_000) }
    const path = join(await mkdtemp(join(tmpdir(), 'lodgeway-zip-')), 'far.zip')
    const file = await open(path, 'w')
    await file.write(await buffer(writeZip(parts(files), AT, before)), 0, undefined, before) // the rest is a hole
    await file.close()
    const zip = await openZip(path, LIMITS)
    const read = await Promise.all(zip.entries.map(async ({ name, open: read }) => [name, await buffer(await read())]))
    zip.close()
    await rm(dirname(path), { recursive: true })
    assert.deepEqual(read, Object.entries(files))
  })

  it('fails with its content, and then asks for no more', async () => {
    let isClosed = false
    const failing: ZipPart = {
      name: 'a.pdf',
      packed: 'no',
      content: (async function* () {
        try {
          yield Buffer.alloc(100_000)
          throw new Error('the disk failed')
        } finally {
          isClosed = true
        }
      })(),
    }
    await assert.rejects(
      buffer(
        writeZip(
          (async function* () {
            yield failing
          })(),
          AT,
        ),
      ),
      /the disk failed/,
    )
    assert.ok(isClosed)
  })
})
