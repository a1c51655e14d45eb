import assert from 'node:assert/strict'
import { type FileHandle, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it, mock } from 'node:test'
import { pino } from 'pino'
import { aPdf, filePart, formOf, formType } from '../../../test/fixtures/multipart.ts'
import type { Db } from '../database/db.ts'
import { takeForms } from '../http/form.ts'
import { type App, createApp } from '../http/http.ts'
import { type Blobs, openBlobs } from './blobs.ts'

const db = { query: async () => [] } as unknown as Db

let folder: string
let blobs: Blobs
let app: App
let files: FileHandle // the prototype of every open file

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-full-'))
  blobs = await openBlobs({ url: `file://${folder}`, dataDir: folder })
  const file = await open(folder)
  files = Object.getPrototypeOf(file)
  await file.close()
  app = await createApp({ log: pino({ enabled: false }), trustProxy: false })
  app.register(async (scoped) => {
    const options = { blobs, fileBytesMax: 10_000_000, fileTypes: ['application/pdf'] }
    takeForms(scoped as unknown as App, options)
    scoped.post('/files', { config: { scope: 'none' } }, ({ upload }) => blobs.keep(db, upload.staged))
  })
  await app.ready()
})
afterEach(() => mock.restoreAll())
after(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const upload = () =>
  app.inject({
    method: 'POST',
    url: '/files',
    headers: { 'content-type': formType() },
    payload: formOf([filePart(aPdf())]),
  })
const leftBehind = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
const fail = (code: string) => async () => Promise.reject(Object.assign(new Error(`${code}: none left`), { code }))

describe('an upload while the disk is full', () => {
  for (const [when, step, code] of [
    ['while the file arrives', 'write', 'ENOSPC'],
    ['when the file is made durable', 'sync', 'EDQUOT'],
  ] as const) {
    it(`is answered 503 with Retry-After, and leaves nothing behind: ${when}`, async () => {
      mock.method(files, step, fail(code))
      const answer = await upload()
      assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '60'])
      assert.match(answer.json().errors[0].message, /no room/)
      assert.deepEqual(await leftBehind(), [])
    })
  }

  it('is accepted when there is room again', async () => {
    assert.equal((await upload()).statusCode, 200)
    assert.equal((await leftBehind()).length, 1)
  })
})

describe('the check of the store', () => {
  it('fails on a full disk, and leaves nothing behind', async () => {
    mock.method(files, 'write', fail('ENOSPC'))
    await assert.rejects(blobs.check(), { code: 'ENOSPC' })
    assert.deepEqual(await readdir(join(folder, 'spool')), [])
  })

  it('removes the file of a check that was killed', async () => {
    await writeFile(join(folder, 'spool', 'check'), 'ready')
    await blobs.check()
    assert.deepEqual(await readdir(join(folder, 'spool')), [])
  })
})
