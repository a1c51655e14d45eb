import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FINANCIAL, HISTORY, readCsv, SUMMARY } from '../../test/fixtures/reports.ts'
import type { Blobs } from '../platform/blobs/blobs.ts'
import { type Reporting, reporting } from './generate.fixture.ts'
import { openReporter } from './generate.ts'
import { headerOf } from './query.ts'
import { REPORT_NAMES } from './rules.ts'
import { listMissing } from './store.ts'

let at: Reporting
before(async () => {
  at = await reporting({ lender: '@SUM(1)', firm: 'Ŵillow & "Söhne", LLP' })
})
after(() => at.close())

const actor = { correlationId: 'test', at: new Date() }

async function missingOf(date: string) {
  const [missing] = await listMissing(at.db, [date], [at.lenderId])
  return missing ?? assert.fail(`nothing is missing for ${date}`)
}

const countRuns = async (date: string) =>
  (await at.db.query('select from reports where report_date = $1', [date])).length

const countEvents = async (date: string) =>
  (await at.db.query(`select from events where data ->> 'reportDate' = $1`, [date])).length

describe('a report', () => {
  it('is only a header row where there is no data', async () => {
    const empty = await reporting()
    try {
      assert.equal(await empty.make('2026-03-14'), 6)
      for (const name of REPORT_NAMES) assert.equal(await empty.textOf(name, '2026-03-14'), headerOf(name))
      await empty.aWorkspace({ createdAt: '2026-03-15T12:00:00Z' })
      assert.equal(await empty.make('2026-03-13'), 6)
      for (const name of REPORT_NAMES) assert.equal(await empty.textOf(name, '2026-03-13'), headerOf(name))
    } finally {
      await empty.close()
    }
  })

  it('ends every line with CR and LF, is UTF-8 without a byte order mark, and quotes by RFC 4180', async () => {
    await at.aWorkspace({ reference: 'a "b", c' })
    await at.make('2026-01-02')
    const text = await at.textOf(SUMMARY, '2026-01-02')
    assert.ok(text.startsWith('report_date,') && text.endsWith('\r\n'))
    assert.match(text, /,"a ""b"", c",/)
    assert.match(text, /,"Ŵillow & ""Söhne"", LLP",/)
    assert.deepEqual(
      readCsv(text).map((cells) => cells.length),
      [37, 37],
    )
  })

  it('puts an apostrophe before text that a spreadsheet would read as a formula, and before no other', async () => {
    const started = [...'=+-@＝＋－＠\t\r\n'].map((start) => `${start}1+1`)
    const plain = ['1=1', ' =1', "'=1", 'é=1', '*1', '(1)', '1-2']
    for (const reference of [...started, ...plain]) await at.aWorkspace({ reference, createdBy: reference })
    await at.aWorkspace({ address: { flat: '-2', street: '+x', town: '=y' }, postcode: '=Z' })
    await at.make('2026-01-03')
    const rows = await at.read(SUMMARY, '2026-01-03')
    const wanted = [...started.map((text) => `'${text}`), ...plain]
    assert.deepEqual(
      rows.slice(1, -1).map((row) => row['subscriber_reference']),
      wanted,
    )
    assert.deepEqual(
      rows.slice(1, -1).map((row) => row['created_by']),
      wanted,
    )
    const last = rows.at(-1)
    assert.deepEqual([last?.['property_address'], last?.['postcode']], ["'-2, +x, =y", "'=Z"])
    assert.equal(last?.['lender_name'], "'@SUM(1)")
  })
})

describe('the day of a report', () => {
  const DAYS: [what: string, date: string, first: string, last: string][] = [
    ['in winter', '2026-01-15', '2026-01-15T00:00:00.000Z', '2026-01-15T23:59:59.999Z'],
    ['in summer', '2026-06-15', '2026-06-14T23:00:00.000Z', '2026-06-15T22:59:59.999Z'],
    ['of 23 hours', '2026-03-29', '2026-03-29T00:00:00.000Z', '2026-03-29T22:59:59.999Z'],
    ['of 25 hours', '2026-10-25', '2026-10-24T23:00:00.000Z', '2026-10-25T23:59:59.999Z'],
    ['of a leap year', '2028-02-29', '2028-02-29T00:00:00.000Z', '2028-02-29T23:59:59.999Z'],
  ]
  for (const [what, date, first, last] of DAYS) {
    it(`${what} holds what settled from its first moment to its last, and no more`, async () => {
      const before = new Date(Date.parse(first) - 1).toISOString()
      const after = new Date(Date.parse(last) + 1).toISOString()
      for (const [settledAt, pence] of [
        [last, [4_00]],
        [before, [1_00]],
        [first, [2_05, 3]],
        [after, [5_00]],
      ] as const) {
        await at.aSettlement(settledAt, pence)
      }
      await at.make(date)
      const rows = await at.read(HISTORY, date)
      assert.deepEqual(
        rows.map((row) => [row['settlement_date'], row['settled_at'], row['amount']]),
        [
          [date, first, '2.05'],
          [date, first, '0.03'],
          [date, last, '4.00'],
        ],
      )
      assert.deepEqual(await at.read(HISTORY, date, at.firmId), rows)
    })
  }

  it('leaves out workspaces that were created after it', async () => {
    const [last, next] = ['2026-06-20T22:59:59.999Z', '2026-06-20T23:00:00Z']
    const there = await at.aWorkspace({ createdAt: last })
    const later = await at.aWorkspace({ createdAt: next })
    await at.make('2026-06-20')
    for (const name of [FINANCIAL, SUMMARY] as const) {
      const ids = (await at.read(name, '2026-06-20')).map((row) => row['workspace_id'])
      assert.deepEqual([ids.includes(there), ids.includes(later)], [true, false])
    }
  })
})

describe('making reports', () => {
  it('twice at once has one result and one event for each report', async () => {
    const date = '2026-07-01'
    const missing = await missingOf(date)
    const reporters = Array.from({ length: 4 }, () => openReporter(at))
    const made = await Promise.all(reporters.map((reporter) => reporter.make(missing, actor)))
    await Promise.all(reporters.map((reporter) => reporter.close()))
    assert.equal(made.flat().length, 3)
    assert.deepEqual([await countRuns(date), await countEvents(date)], [3, 3])
  })

  it('makes all three reports from one snapshot, whatever is written meanwhile', async () => {
    const date = '2026-07-02'
    const blobs: Blobs = {
      ...at.blobs,
      async stage(source, limits) {
        const staged = await at.blobs.stage(source, limits)
        await at.aWorkspace()
        return staged
      },
    }
    const reporter = openReporter({ db: at.db, blobs })
    const made = await reporter.make(await missingOf(date), actor)
    await reporter.close()
    const rows = Object.fromEntries(made.map(({ name, rowCount }) => [name, rowCount]))
    assert.equal(rows[FINANCIAL], rows[SUMMARY])
  })

  it('leaves nothing when it fails half way, and can continue afterwards', async () => {
    const date = '2026-07-03'
    let staged = 0
    const blobs: Blobs = {
      ...at.blobs,
      stage(source, limits) {
        staged += 1
        if (staged === 2) throw new Error('the disk is full')
        return at.blobs.stage(source, limits)
      },
    }
    const reporter = openReporter({ db: at.db, blobs })
    await assert.rejects(reporter.make(await missingOf(date), actor), /the disk is full/)
    assert.deepEqual([await countRuns(date), await countEvents(date)], [0, 0])
    assert.equal((await reporter.make(await missingOf(date), actor)).length, 3)
    await reporter.close()
  })

  it('fails when the database connection is lost, and leaves nothing', async () => {
    const date = '2026-07-04'
    const blobs: Blobs = {
      ...at.blobs,
      async stage(source, limits) {
        await at.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and query like '%copy (%' and pid <> pg_backend_pid()`,
        )
        return at.blobs.stage(source, limits)
      },
    }
    const reporter = openReporter({ db: at.db, blobs })
    await assert.rejects(reporter.make(await missingOf(date), actor))
    await reporter.close()
    assert.deepEqual([await countRuns(date), await countEvents(date)], [0, 0])
  })

  it('ends when it is aborted, and leaves nothing', async () => {
    const date = '2026-07-05'
    const giveUp = new AbortController()
    const blobs: Blobs = {
      ...at.blobs,
      stage(source, limits) {
        giveUp.abort(new Error('handed to another worker'))
        return at.blobs.stage(source, limits)
      },
    }
    const reporter = openReporter({ db: at.db, blobs }, giveUp.signal)
    await assert.rejects(reporter.make(await missingOf(date), actor))
    await assert.rejects(reporter.make(await missingOf(date), actor), /handed to another worker/)
    await reporter.close()
    assert.deepEqual([await countRuns(date), await countEvents(date)], [0, 0])
  })

  it('makes only what is missing', async () => {
    const date = '2026-07-06'
    await at.make(date)
    await at.db.query('delete from reports where report_date = $1 and report_name = $2', [date, HISTORY])
    const [missing] = await listMissing(at.db, [date], [at.firmId])
    assert.deepEqual(missing?.names, [HISTORY])
    assert.equal(await at.make(date), 2)
  })
})
