import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { BlobStore } from './blobs.ts'
import { openFolderStore } from './folder.ts'
import { openSpool } from './spool.ts'

describe('openFolderStore', () => {
  const place = 'ab/cd/abcd'
  let root: string
  let store: BlobStore

  before(async () => {
    root = join(await mkdtemp(join(tmpdir(), 'lodgeway-folder-')), 'made/as/needed')
    store = await openFolderStore(root)
  })

  after(() => rm(join(root, '../../..'), { recursive: true, force: true }))

  const put = async (bytes: string) => {
    const spool = await openSpool(join(root, 'spool'))
    const staged = await spool.stage(Readable.from([bytes]), { bytesMax: 100 })
    await store.prepare(place, staged)
    await store.put(place, staged)
    await staged.discard()
  }

  it('stores a file, and leaves an existing one alone', async () => {
    await put('the bytes')
    const { ino } = await stat(join(root, place))
    await put('the bytes')
    assert.equal((await stat(join(root, place))).ino, ino)
    assert.equal(await readFile(join(root, place), 'utf8'), 'the bytes')
  })

  it('replaces a file that is incomplete', async () => {
    await truncate(join(root, place), 3)
    await put('the bytes')
    assert.equal(await readFile(join(root, place), 'utf8'), 'the bytes')
  })

  it('creates a folder again that was removed', async () => {
    await rm(join(root, 'ab'), { recursive: true })
    await put('the bytes')
    assert.equal(await readFile(join(root, place), 'utf8'), 'the bytes')
  })

  it('is not ready once its folder is gone', async () => {
    await store.check()
    await rm(root, { recursive: true })
    await assert.rejects(store.check(), { code: 'ENOENT' })
  })
})
