// Long because one service, whose matters have ended, serves all of it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { atEnd } from '../../test/fixtures/at-end.ts'
import { evidence, uploaded } from '../../test/fixtures/documents.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { UNTIL_REGISTERED } from '../../test/fixtures/lodging.ts'
import { commandHere } from '../../test/fixtures/process.ts'
import { anAuthorisedMatter, businessDay } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aReceiver, aRegistration, feedOf } from '../../test/fixtures/webhooks.ts'
import {
  aBorrower,
  aWorkspace,
  drain,
  FIRM,
  LENDER,
  move,
  readWorkspace,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { sealAudit } from '../audit/seal.ts'
import { verifyAudit } from '../audit/verify.ts'
import { EVENT_TYPES } from '../events/types.ts'
import { readRows } from './erase.ts'
import { eraseDue } from './nightly.ts'
import { type Block, ENDED_STATUSES } from './rules.ts'
import type { RetentionSettings } from './settings.ts'
import { countDue, listBlocks } from './store.ts'

// Matters that were brought to their end through the interface, and the years after it.

const SETTINGS: RetentionSettings = {
  ...{ closedYears: 7, cancelledYears: 7, identityYears: 5, requiredYears: 6, auditYears: 7, feedDays: 90 },
}
const YEAR_MS = 366 * 86_400_000

let service: TestService
const ids = { closed: '', held: '', cancelled: '', live: '' }

/** Runs the nightly erasing so many years from now. */
const eraseIn = (years: number, settings: Partial<RetentionSettings> = {}) =>
  eraseDue(service.deps.db, {
    settings: { ...SETTINGS, ...settings },
    actor: { correlationId: `in ${years} years`, at: new Date(service.deps.clock.now().getTime() + years * YEAR_MS) },
    signal: new AbortController().signal,
  })

const lodgeway = async (command: string) => {
  const { DATABASE_URL = '', DATABASE_OWNER_URL = '', DATA_DIR = '' } = service.env
  const { code, output, errors } = await commandHere(command, { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR })
  assert.equal(code, 0, errors)
  return output
}

const statusOf = async (id: string) => (await service.call('GET', `${WORKSPACES}/${id}`, LENDER)).status

const query = <Row extends object>(text: string, ...values: unknown[]) => service.deps.db.query<Row>(text, values)

/** One that lapsed, of each case. */
const REQUISITION = `
  insert into requisitions (requisition_id, lodgement_case_id, submission_id, registry_id, points, received_at, due_at, status)
  select gen_random_uuid(), lodgement_case_id, submission_id, 'RQ-1', '[]', now(), now(), 'LAPSED' from submissions`

before(async () => {
  service = await testService()
  await aRegistration(service, (await aReceiver()).url, Object.keys(EVENT_TYPES))
  const completionDate = businessDay(service, 1)
  for (const name of ['closed', 'held'] as const) {
    ids[name] = (await anAuthorisedMatter(service, { completionDate })).workspaceId
    await uploaded(service, ids[name], { fields: evidence({ documentType: 'IDENTITY_EVIDENCE' }) })
  }
  await move(service, UNTIL_REGISTERED)
  await query(REQUISITION)
  for (const name of ['cancelled', 'live'] as const) ids[name] = (await aWorkspace(service)).workspaceId
  const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
  await service.call('DELETE', `${WORKSPACES}/${ids.cancelled}/cancel-workspace`, { ...FIRM, json })
  await drain(service)
  await eventually(async () => (await query(`select from notifications where status = 'PENDING'`)).length === 0)
  assert.equal((await readWorkspace(service, ids.closed)).status, 'CLOSED')
})

describe('what keeps a matter', () => {
  const MADE: Record<Block, string> = {
    HELD: `insert into erasure_holds values ($1, 'claim', 'x', now())`,
    JOB: `insert into due (due_at, job, payload) select now() + interval '1 year', 'titles.search',
            jsonb_build_object('payload', jsonb_build_object('workspaceId', $1::uuid))`,
    REQUISITION: `update requisitions r set status = 'OPEN' from lodgement_cases c
                   where c.lodgement_case_id = r.lodgement_case_id and c.workspace_id = $1`,
    EVENT: `insert into event_repeats (subscriber_id, event_seq, listener)
            select lender_id, (select max(seq) from events e where e.workspace_id = w.workspace_id), 'x'
              from workspaces w where w.workspace_id = $1`,
    DELIVERY: `update notifications set status = 'PENDING' where lane = $1`,
    FILE: `update files set status = 'PENDING' where workspace_id = $1`,
  }
  for (const [block, sql] of Object.entries(MADE)) {
    it(block, async () => {
      const undone = new Error('undone')
      const found = service.deps.db.transaction(async (tx) => {
        await tx.query(sql, [ids.closed])
        assert.deepEqual((await listBlocks(tx, [ids.closed]))[0]?.blocks, [block])
        throw undone
      })
      await assert.rejects(found, undone)
    })
  }

  it('a job in the queue', async () => {
    const { deps } = service
    const undone = new Error('undone')
    const found = deps.db.transaction(async (tx) => {
      await deps.queue.enqueue(tx, 'titles.search', { workspaceId: ids.closed }, { correlationId: 'x' })
      assert.deepEqual((await listBlocks(tx, [ids.closed]))[0]?.blocks, ['JOB'])
      throw undone
    })
    await assert.rejects(found, undone)
    assert.deepEqual(
      (await listBlocks(deps.db, [ids.closed, ids.cancelled])).map(({ blocks }) => blocks),
      [[], []],
    )
  })
})

describe('erasing', () => {
  it('erases nothing before its time, or while it is paused', async () => {
    assert.partialDeepStrictEqual(await eraseIn(4), { matters: 0, identityFiles: 0, ended: 'done' })
    await lodgeway('retention pause')
    assert.partialDeepStrictEqual(await eraseIn(8), { matters: 0, ended: 'paused' })
    assert.match(
      await lodgeway('retention status'),
      /^Erasing is PAUSED\. 0 matters were erased\.\nCLOSED: kept for 7 /,
    )
    await lodgeway('retention resume')
  })

  it('erases identity documents first, and the matter can still be read', async () => {
    assert.partialDeepStrictEqual(await eraseIn(6), { matters: 0, identityFiles: 2 })
    assert.equal((await eraseIn(6)).identityFiles, 0)
    const { body } = await service.call<{ records: { documentType: string }[] }>(
      'GET',
      `${WORKSPACES}/${ids.closed}/files`,
      FIRM,
    )
    assert.ok(body.records.length > 0 && body.records.every(({ documentType }) => documentType !== 'IDENTITY_EVIDENCE'))
    assert.equal((await service.call('GET', `${WORKSPACES}/${ids.closed}/evidence`, FIRM)).status, 200)
  })

  it('erases ended matters with all their rows, and neither a live one nor one that is held', async () => {
    await query(
      `insert into hmlr_extracts select title_id, $1, 'X', now(), 'xml', 1 from titles where workspace_id = $2`,
      randomUUID(),
      ids.closed,
    )
    await lodgeway(`retention hold ${ids.held} --reason claim`)
    const live = await readRows(service.deps.db, ids.live)
    const had = Object.keys(await readRows(service.deps.db, ids.closed))
    assert.ok(had.length > 22, had.join(' '))
    await sealAudit(service.deps.db, service.deps.clock.now())

    assert.partialDeepStrictEqual(await eraseIn(8), { matters: 2, kept: 1, ended: 'done' })

    assert.deepEqual(await readRows(service.deps.db, ids.live), live)
    assert.deepEqual(await Promise.all(Object.values(ids).map(statusOf)), [404, 200, 404, 200])
    const due = ENDED_STATUSES.map((status) => countDue(service.deps.db, status, new Date('2100-01-01')))
    assert.deepEqual(await Promise.all(due), [0, 0])
    assert.match(await lodgeway('retention status'), new RegExp(`^Hold on ${ids.held} since .*: claim\n`, 'm'))
    for (const id of [ids.closed, ids.cancelled])
      assert.deepEqual(await tablesWith(id), ['audit_entries', 'erased_matters'])
    assert.ok((await feedOf(service, '?limit=100')).records.every(({ data }) => data['workspaceId'] !== ids.closed))
  })

  it('leaves the audit whole: who did what and when, an entry that says which rule erased it, and no name', async () => {
    const now = service.deps.clock.now()
    const { findings, erased } = await verifyAudit(service.deps.db, { now })
    assert.deepEqual(findings, [])
    assert.ok(erased > 5)
    const entries = await query<{ entry: { action: string }; payload: { after: object } | null }>(
      'select entry, payload from audit_entries where chain = $1 order by seq',
      ids.closed,
    )
    const last = entries.pop()
    assert.equal(last?.entry.action, 'matter erased')
    assert.partialDeepStrictEqual(last?.payload, { after: { rule: 'CLOSED' } })
    assert.ok(entries.length > 5 && entries.every(({ payload }) => payload === null))
    assert.doesNotMatch(JSON.stringify(entries), /Prynne|Tracey/)
    const [tombstone] = await query('select rule, status from erased_matters where workspace_id = $1', ids.cancelled)
    assert.deepEqual(tombstone, { rule: 'CANCELLED', status: 'CANCELLED' })
  })

  it('lets the sweep remove the bytes that no other matter names', async () => {
    const { db, blobs } = service.deps
    const swept = await blobs.sweep(db, { ageMs: 0 })
    assert.ok(swept > 0)
    assert.equal((await service.call('GET', `${WORKSPACES}/${ids.held}/evidence`, FIRM)).status, 200)
  })

  it('cannot be used to erase the audit of a matter that exists, or of an account that changed lately', async () => {
    const [row] = await query<{ erased: number }>(
      `select erase_audit_payloads(array_agg(chain), 'infinity') as erased from audit_entries where payload is not null
          and chain not in (select workspace_id from erased_matters)`,
    )
    assert.equal(row?.erased, 0)
  })
})

describe('the feed', () => {
  it('has no rows that are too old but the newest, from which a reader goes on', async () => {
    const { nextCursor } = await feedOf(service, '?after=now')
    await eraseIn(1)
    const rows = await query<{ count: number }>('select subscriber_id, count(*) as count from event_feed group by 1')
    assert.ok(rows.length >= 2 && rows.every(({ count }) => count === 1))
    const { workspaceId } = await aWorkspace(service, { parties: [aBorrower('Ann', 'Other')] })
    await eventually(
      async () => (await feedOf(service, `?after=${nextCursor}`)).records[0]?.data['workspaceId'] === workspaceId,
    )
  })
})

describe('lodgeway subject', () => {
  it('finds a person in the matters of all subscribers, and exports what there is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lodgeway-subject-'))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    const out = join(folder, 'prynne.zip')
    const report = JSON.parse(await lodgeway(`subject export --surname prynne --forenames tracey --out ${out} --json`))
    const found = report.matters as { workspaceId: string; foundIn: Record<string, number> }[]
    assert.deepEqual(
      found.map(({ workspaceId }) => workspaceId),
      [ids.held, ids.live],
    )
    assert.ok(found[0]?.foundIn['parties'] === 2 && (found[0]?.foundIn['titles'] ?? 0) > 0)
    const zip = (await readFile(out)).toString('latin1')
    for (const name of ['report.json', '/rows.json', '/documents/']) assert.ok(zip.includes(name), name)
    assert.match(await lodgeway(`subject erase --surname Prynne --forenames Peter`), /^Found in 0 matters/)
    const foundAt = (postcode: string) => lodgeway(`subject erase --surname Prynne --dry-run --postcode ${postcode}`)
    const { securityAddress } = await readWorkspace(service, ids.held, FIRM)
    assert.match(await foundAt(securityAddress.postcode.toLowerCase().replace(' ', '')), /^Found in 2 matters/m)
    assert.match(await foundAt('ZZ1'), /^Found in 0 matters/)
    assert.match(await foundAt(ids.held.slice(0, 7)), /^Found in 0 matters/, 'a part of an id')
  })

  it('erases what need not be kept, says why the rest stays, and records both', async () => {
    const dry = await lodgeway('subject erase --surname Prynne --dry-run')
    assert.match(dry, /CLOSED: kept; a legal hold is on it: claim\n/)
    assert.match(dry, /CREATED: kept; the matter is live: its status is CREATED\n.*Nothing was changed\.\n$/)
    await lodgeway(`retention release ${ids.held}`)
    assert.match(
      await lodgeway('subject erase --surname Prynne --dry-run'),
      /CLOSED: kept; it ended on .*; until 20\d\d-/,
    )
    await query(
      `update workspaces set status_since = status_since - interval '6 years' where workspace_id = $1`,
      ids.held,
    )
    const report = JSON.parse(await lodgeway('subject erase --surname Prynne --json'))
    assert.partialDeepStrictEqual(report.matters, [
      { workspaceId: ids.held, decision: 'erased' },
      { workspaceId: ids.live, decision: 'kept' },
    ])
    assert.match(report.matters[0].audit.hash, /^[0-9a-f]{64}$/)
    assert.equal(await statusOf(ids.held), 404)
    const [refused] = await query(
      `select entry ->> 'action' as action, entry ->> 'actingUser' like 'operator:%' as "byOperator"
         from audit_entries where chain = $1 order by seq desc limit 1`,
      ids.live,
    )
    assert.deepEqual(refused, { action: 'erasure refused', byOperator: true })
    const { findings } = await verifyAudit(service.deps.db, { now: service.deps.clock.now() })
    assert.deepEqual(findings, [])
  })

  it('makes a person of the console unrecognisable once they are disabled', async () => {
    const [person] = await query<{ email: string; name: string; id: string }>(
      `select email, name, person_id as id from people where enabled and subscriber_id is not null limit 1`,
    )
    const { email = '', name = '', id } = person ?? {}
    const erase = `subject erase --surname ${name.split(' ').at(-1)} --email ${email}`
    assert.match(await lodgeway(erase), /kept; .* has access: run `lodgeway person disable` first/)
    await query(`update people set enabled = false where person_id = $1`, id)
    assert.match(await lodgeway(erase), new RegExp(`^${email}: erased\n`, 'm'))
    const [left] = await query('select name, email, issuer from people where person_id = $1', id)
    assert.deepEqual(left, { name: 'erased', email: 'erased', issuer: null })
  })
})

/** Every table with this text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'requests' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await query(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, text)
    if (rows.length > 0) found.push(name)
  }
  return found
}
