import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { recordSubscriberAudit } from '../src/audit/record.ts'
import type { RestoreReport } from '../src/cli/restore-examine.ts'
import { BLOB_STORES, type TestStore } from '../src/platform/blobs/blob-stores.fixture.ts'
import { openBlobs } from '../src/platform/blobs/blobs.ts'
import { openDb } from '../src/platform/database/db.ts'
import { ACTOR } from './fixtures/audit.ts'
import { runSql, type TestDatabase, testDatabase } from './fixtures/database.ts'
import { commandHere } from './fixtures/process.ts'

// `lodgeway restore` on a database with five files. `npm run proof -- restore` restores one.

const LENDER = '10000000-0000-4000-8000-000000000001'
const WORKSPACE = '30000000-0000-4000-8000-000000000001'

for (const { name, open } of BLOB_STORES) {
  describe(`lodgeway restore, with files in ${name}`, () => {
    let dataDir: string
    let store: TestStore
    let database: TestDatabase
    let hashes: string[]
    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-restore-'))
      store = await open(dataDir)
      database = await testDatabase()
      hashes = (await fill(database.url, store.url, dataDir)).sort()
    })
    after(async () => {
      await store.close()
      await database.drop()
      await rm(dataDir, { recursive: true })
    })

    const lodgeway = (command: string) =>
      commandHere(`restore ${command}`, {
        DATABASE_URL: database.url,
        DATABASE_OWNER_URL: database.ownerUrl,
        BLOB_URL: store.url,
        DATA_DIR: dataDir,
      })
    const sql = (text: string) => runSql<Record<string, unknown>>(database.ownerUrl, text)
    const hash = (index: number) => hashes[index] ?? assert.fail()
    /** With its bytes as they are stored: by both stores in a file whose name ends with the hash. */
    const pathOf = async (sha256: string) => {
      const files = await readdir(dataDir, { recursive: true })
      return join(dataDir, files.find((path) => path.endsWith(sha256)) ?? assert.fail())
    }

    it('check finds what is whole whole, and says what will run', async () => {
      const due = { correlationId: 'c', payload: { workspaceId: WORKSPACE } }
      await sql(
        `insert into due (due_at, job, payload) values (now() - interval '1 hour', 'settlement.pay', '${JSON.stringify(due)}')`,
      )
      const { code, output } = await lodgeway('check')
      assert.equal(code, 0, output)
      assert.match(output, /^Newest change {2}2026-03-02T12:00:00\.000Z, \d+ s before now \(client added\)$/m)
      assert.match(output, /^Files +5 with 0\.5 MB; 5 of them read and compared$/m)
      assert.match(output, /^Audit +whole: 3 entries in 1 chains/m)
      assert.match(output, /^Jobs +when `work` starts: 1 settlement\.pay\n! The bank is asked to pay.* 30000000-\S+$/m)
      assert.match(output, /^What was restored is whole\.$/m)
    })

    it('check reads a sample, goes on after a file, and prints JSON', async () => {
      const read = async (options: string) => {
        const { files } = JSON.parse((await lodgeway(`check --json ${options}`)).output) as RestoreReport
        return [files.named, files.read]
      }
      assert.deepEqual(await read('--sample 0'), [5, 0])
      assert.deepEqual(await read(`--after ${hash(2)}`), [2, 2])
      assert.match((await lodgeway('check --sample all')).errors, /--sample must be a number of percent/)
      assert.match((await lodgeway('check --after 12')).errors, /--after must be a hash/)
    })

    const DAMAGES: [what: string, damage: () => Promise<unknown>, found: () => RegExp][] = [
      [
        'a file without a row',
        () => sql(`delete from reports where sha256 = '${hash(0)}'; delete from blobs where sha256 = '${hash(0)}'`),
        () => /^! 1 files with 0\.1 MB have no row: [\s\S]*^What was restored is whole\.$/m,
      ],
      [
        'a missing file',
        async () => rm(await pathOf(hash(1))),
        () =>
          new RegExp(
            `^- File ${hash(1)} is missing\\. It is named by report \\d of 2026-01-01 of subscriber ${LENDER}\\.$`,
            'm',
          ),
      ],
      [
        'a changed byte',
        async () => {
          const path = await pathOf(hash(2))
          const bytes = await readFile(path)
          bytes[0] = (bytes[0] ?? 0) ^ 1
          await writeFile(path, bytes)
        },
        () => new RegExp(`^- File ${hash(2)} has other bytes than were stored\\.`, 'm'),
      ],
      [
        'a file that was cut off',
        async () => truncate(await pathOf(hash(3)), 10),
        () => new RegExp(`^- File ${hash(3)} has 10 bytes instead of 100000\\.`, 'm'),
      ],
      [
        'an altered audit',
        () => sql(`update audit_entries set entry = '{}' where seq = 2`),
        () => /^Audit +NOT whole: [\s\S]*^- Chain \S+: entry 2 was altered/m,
      ],
    ]
    it('check reports all that is wrong', async () => {
      for (const [what, damage, found] of DAMAGES) {
        await damage()
        const { code, output } = await lodgeway('check')
        assert.match(output, found(), what)
        assert.equal(code, /NOT whole\.$/.test(output.trim()) ? 1 : 0, what)
      }
    })

    it('check gives files without a row to the nightly sweep', async () => {
      assert.match((await lodgeway('check --sweep-orphans')).output, /The nightly sweep removes them in a day\./)
      assert.doesNotMatch((await lodgeway('check')).output, /have no row/)
    })

    it('begin switches maintenance on, and uses no position of the feed again', async () => {
      await sql(`select setval(pg_get_serial_sequence('event_feed', 'position'), 500)`)
      const { errors } = await commandHere('restore begin', { DATABASE_URL: database.url, DATA_DIR: dataDir })
      assert.match(errors, /Only the owner of the tables can do this\. Set DATABASE_OWNER_URL/)
      assert.match((await lodgeway('begin')).output, /^Maintenance is on/)
      const [state] = await sql('select maintenance from service_state')
      const [position] = await sql(`select nextval(pg_get_serial_sequence('event_feed', 'position'))::int as next`)
      assert.deepEqual(state, { maintenance: true })
      assert.ok(Number(position?.['next']) > 10_000_500)
    })
  })
}

/** Five files, each named by a report, and an audit of three entries. */
async function fill(url: string, blobUrl: string, dataDir: string): Promise<string[]> {
  const db = openDb({ url, poolSize: 2 })
  const blobs = await openBlobs({ url: blobUrl, dataDir })
  try {
    await db.query(
      `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'A lender', 'LENDER', now())`,
      [LENDER],
    )
    for (let entry = 0; entry < 3; entry++) {
      await db.transaction(async (tx) => recordSubscriberAudit(tx, LENDER, { action: 'client added', ids: {} }, ACTOR))
    }
    const hashes: string[] = []
    for (let day = 1; day <= 5; day++) {
      const staged = await blobs.stage(Readable.from([randomBytes(100_000)]), { bytesMax: 100_000 })
      const { sha256, size } = await blobs.keep(db, staged)
      await db.query(
        `insert into reports (subscriber_id, report_name, report_date, sha256, size, row_count, generated_at)
         values ($1, $2, '2026-01-01', $3, $4, 1, now())`,
        [LENDER, `report ${day}`, sha256, size],
      )
      hashes.push(sha256)
    }
    return hashes
  } finally {
    blobs.close()
    await db.close()
  }
}
