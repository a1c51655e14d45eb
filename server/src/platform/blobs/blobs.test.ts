import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { type Db, openDb } from '../database/db.ts'
import { BLOB_STORES, keepUntilKilled, type TestStore } from './blob-stores.fixture.ts'
import { type Blobs, openBlobs } from './blobs.ts'

// What every store promises. An operator can test a real bucket, instead of the small S3 server, with
//   BLOB_CONTRACT_URL='s3://bucket/prefix?region=eu-west-2' npm test -- server/src/platform/blobs/blobs.test.ts
// and the credentials as in production. It uses a new prefix and leaves nothing there.

for (const { name, open } of BLOB_STORES) {
  describe(`blobs in ${name}`, () => {
    let dataDir: string
    let store: TestStore
    let database: TestDatabase
    let db: Db
    let blobs: Blobs

    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-blobs-'))
      store = await open(dataDir)
      database = await testDatabase()
      db = openDb({ url: database.url })
      blobs = await openBlobs({ url: store.url, dataDir })
    })

    after(async () => {
      await db.query('delete from reports')
      await blobs.sweep(db, { ageMs: 0 })
      blobs.close()
      await db.close()
      await database.drop()
      await store.close()
      await rm(dataDir, { recursive: true })
    })

    const stage = (bytes: Buffer) => blobs.stage(Readable.from([bytes]), { bytesMax: bytes.length })
    const keep = async (bytes: Buffer) => (await blobs.keep(db, await stage(bytes))).sha256
    const read = async (sha256: string) => buffer((await blobs.open(sha256)).stream)
    const rows = async () => (await db.query<{ sha256: string }>('select sha256 from blobs')).map((row) => row.sha256)

    it('returns the bytes that it stored, by their hash', async () => {
      for (const bytes of [Buffer.alloc(0), Buffer.from('a'), randomBytes(1_000_003)]) {
        const kept = await blobs.keep(db, await stage(bytes))
        assert.deepEqual(kept, { sha256: sha256Of(bytes), size: bytes.length })
        const { size, stream } = await blobs.open(kept.sha256)
        assert.equal(size, bytes.length)
        assert.ok(bytes.equals(await buffer(stream)))
      }
      assert.deepEqual(await readdir(store.spool), [])
    })

    it('counts the bytes of text, not its characters', async () => {
      const kept = await blobs.keep(db, await blobs.stage(Readable.from(['Prynne', ' née Müller']), { bytesMax: 100 }))
      assert.deepEqual(kept, { sha256: sha256Of(Buffer.from('Prynne née Müller')), size: 19 })
    })

    it('returns a part of them', async () => {
      const bytes = randomBytes(300_000)
      const sha256 = await keep(bytes)
      for (const [start, end] of [
        [0, 0],
        [1, 99_999],
        [299_999, 299_999],
        [200_000, 1_000_000],
      ] as const) {
        const { size, stream } = await blobs.open(sha256, { start, end })
        assert.equal(size, bytes.length)
        assert.ok(bytes.subarray(start, end + 1).equals(await buffer(stream)))
      }
      await assert.rejects(blobs.open(sha256, { start: 300_000, end: 300_001 }), RangeError)
    })

    it('says so if bytes are missing, and accepts only a hash as a name', async () => {
      await assert.rejects(blobs.open('0'.repeat(64)), /is missing/)
      for (const name of ['../../../etc/passwd', `${'a'.repeat(61)}/..`, 'A'.repeat(64), `${'a'.repeat(64)}\n`, '']) {
        await assert.rejects(blobs.open(name), /Not a SHA-256/)
      }
    })

    it('passes 192 MiB through in constant memory', async () => {
      await blobs.keep(db, await blobs.stage(megabytes(16), { bytesMax: 64 << 20 })) // loads modules and fills pools
      const growth = watchMemory()
      const { sha256, size } = await blobs.keep(db, await blobs.stage(megabytes(192), { bytesMax: 192 << 20 }))
      const { stream } = await blobs.open(sha256)
      const hash = createHash('sha256')
      for await (const chunk of stream) hash.update(chunk)
      assert.equal(hash.digest('hex'), sha256)
      assert.equal(size, 192 << 20)
      const grown = growth()
      // V8 alone lets about 64 MiB of unused buffers pile up before it collects them.
      assert.ok(grown < 112 << 20, `grew by ${grown >> 20} MiB`)
    })

    it('refuses more bytes than allowed, stops reading and does not destroy its source', async () => {
      let given = 0
      const source = Readable.from(
        (function* () {
          for (; given < 100; given++) yield Buffer.alloc(1000)
        })(),
      )
      const staged = blobs.stage(source, { bytesMax: 2999, field: 'file' })
      await assert.rejects(staged, {
        reason: 'too_large',
        fieldErrors: [{ field: 'file', message: 'A file may have at most 2,999 bytes.' }],
      })
      assert.ok(given < 25, `${given} chunks were read`)
      assert.equal(source.destroyed, false)
      source.destroy(new Error('The connection was lost after the refusal.'))
      assert.deepEqual(await readdir(store.spool), [])
    })

    it('leaves nothing behind of a source that ends too soon', async () => {
      const cutOff = () => new Readable({ read() {} })
      const ends: ((source: Readable) => void)[] = [
        (source) => source.destroy(new Error('cut off')),
        (source) => source.destroy(),
        (source) => source.push(randomBytes(10_000)) && setTimeout(() => source.destroy(new Error('cut off')), 20),
        (source) => source.push(randomBytes(10_000)) && setTimeout(() => source.destroy(), 20),
      ]
      for (const end of ends) {
        const source = cutOff()
        const staged = blobs.stage(source, { bytesMax: 1_000_000 })
        end(source)
        await assert.rejects(staged, /cut off|Premature close/)
      }
      await (await stage(randomBytes(1000))).discard()
      assert.deepEqual(await readdir(store.spool), [])
    })

    it('stores the same content once, also when it is kept several times at once', async () => {
      const bytes = randomBytes(100_000)
      const hashes = await Promise.all(Array.from({ length: 8 }, () => keep(bytes)))
      assert.deepEqual([...new Set(hashes)], [sha256Of(bytes)])
      assert.ok(bytes.equals(await read(sha256Of(bytes))))
      assert.equal((await rows()).filter((sha256) => sha256 === sha256Of(bytes)).length, 1)
      assert.deepEqual(await readdir(store.spool), [])
    })

    it('stores the bytes of a row whose writer died before it did', async () => {
      const bytes = randomBytes(1000)
      await db.query('insert into blobs (sha256, size) values ($1, $2)', [sha256Of(bytes), bytes.length])
      assert.ok(bytes.equals(await read(await keep(bytes))))
    })

    it('has no incomplete blob and loses none that it confirmed when it is killed', async () => {
      const confirmed = await Promise.all(
        Array.from({ length: 2 }, () => keepUntilKilled({ url: store.url, dataDir, databaseUrl: database.url })),
      )
      assert.ok(confirmed.flat().length >= 2)
      for (const sha256 of confirmed.flat()) assert.equal(sha256Of(await read(sha256)), sha256)
      for (const sha256 of await rows()) {
        const bytes = await read(sha256).catch((error) => assert.match(error.message, /is missing/))
        if (bytes) assert.equal(sha256Of(bytes), sha256)
      }
      await blobs.sweep(db, { ageMs: 0 })
      assert.deepEqual([await rows(), await readdir(store.spool)], [[], []])
    })

    it('sweeps old blobs that no row refers to, and nothing else', async () => {
      const [named, young, orphan, lost] = [randomBytes(10), randomBytes(11), randomBytes(12), randomBytes(13)]
      for (const bytes of [named, young, orphan]) await keep(bytes)
      await db.query('insert into blobs (sha256, size) values ($1, 13)', [sha256Of(lost)])
      await nameIt(db, sha256Of(named))
      await makeOld(db, [named, orphan, lost].map(sha256Of))
      await writeFile(join(store.spool, 'of-an-upload-under-way'), 'part')
      assert.equal(await blobs.sweep(db), 2)
      assert.deepEqual((await rows()).sort(), [named, young].map(sha256Of).sort())
      assert.ok(named.equals(await read(sha256Of(named))))
      assert.ok(young.equals(await read(sha256Of(young))))
      await assert.rejects(read(sha256Of(orphan)), /is missing/)
      assert.deepEqual(await readdir(store.spool), ['of-an-upload-under-way'])
      await db.query('delete from reports')
      await blobs.sweep(db)
    })

    it('has the bytes of a blob that was kept while the same content was swept', async () => {
      const bytes = randomBytes(20_000)
      const sha256 = await keep(bytes)
      const swept = new Set<number>()
      for (let round = 0; round < 15 || (round < 60 && swept.size < 2); round++) {
        await makeOld(db, [sha256])
        const late = async <T>(work: () => Promise<T>) => pause(Math.random() * 4).then(work)
        const [first, second] = await Promise.all([
          late(() => blobs.sweep(db)),
          late(() => blobs.sweep(db)),
          late(() => keep(bytes)),
          late(() => keep(bytes)),
        ])
        swept.add(first + second)
        await nameIt(db, sha256)
        assert.ok(bytes.equals(await read(sha256)), `round ${round}`)
        await db.query('delete from reports')
      }
      assert.deepEqual([...swept].sort(), [0, 1], 'both orders were seen')
    })

    it('can check whether it is ready, again and again', async () => {
      await blobs.check()
      await blobs.check()
    })
  })
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

function megabytes(count: number): Readable {
  const chunk = randomBytes(64 * 1024)
  return Readable.from(Array.from({ length: count * 16 }, () => chunk))
}

function watchMemory(): () => number {
  const start = process.memoryUsage.rss()
  let peak = start
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  return () => {
    clearInterval(timer)
    return peak - start
  }
}

async function makeOld(db: Db, hashes: string[]): Promise<void> {
  await db.query(`update blobs set touched_at = now() - interval '25 hours' where sha256 = any($1)`, [hashes])
}

async function nameIt(db: Db, sha256: string): Promise<void> {
  const subscriberId = '10000000-0000-4000-8000-000000000001'
  await db.query(
    `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'A lender', 'LENDER', now())
     on conflict do nothing`,
    [subscriberId],
  )
  await db.query(
    `insert into reports (subscriber_id, report_name, report_date, sha256, size, row_count, generated_at)
     values ($1, 'a report', '2026-01-01', $2, 1, 1, now())`,
    [subscriberId, sha256],
  )
}
