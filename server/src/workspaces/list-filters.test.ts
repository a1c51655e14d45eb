// Long because it has every filter with what it finds, in one service.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { businessDay, scheduleIdOf, setDate } from '../../test/fixtures/schedules.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aWorkspace,
  type Created,
  drain,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER,
  OTHER_FIRM,
  OTHER_FIRM_ID,
  OTHER_LENDER,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { nameParties } from '../matter/save.ts'
import { namePartiesJob } from '../title-reconciliation/jobs.ts'

type Summary = Record<'workspaceId' | 'reference' | 'lastModifiedAt' | 'lodgementCaseStatus', string> & {
  borrowers: string[]
}
type Listed = { records: Summary[]; nextCursor?: string }

let service: TestService
/** By their reference, in the order of their creation. */
const made: Record<string, Created> = {}

const list = (query = '', as = LENDER) => service.call<Listed>('GET', `${WORKSPACES}?${query}`, as)
const referencesOf = ({ body }: { body: Listed }) => body.records.map(({ reference }) => reference)

/** Every record, two to a page. */
async function all(query: string, as = LENDER): Promise<Summary[]> {
  const records: Summary[] = []
  let cursor = ''
  do {
    const { status, body, text } = await list(`${query}&limit=2${cursor}`, as)
    assert.equal(status, 200, text)
    records.push(...body.records)
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  return records
}

const anOrganisation = (organisationName: string) => ({
  type: 'ORGANISATION',
  role: 'BORROWER',
  partyDetails: { organisationName },
  participants: [{ id: FIRM_ID, role: 'CONVEYANCER' }],
})

const BORROWERS: Record<string, object[]> = {
  A: [aBorrower('Ann', 'Pryce'), aBorrower('Bob', 'De Souza')],
  B: [aBorrower('Cai', 'Prynne'), aBorrower('Dee', 'Pratt'), aBorrower('Eve', 'PRATT')],
  C: [anOrganisation('The Pratchett Company Limited')],
  D: [aBorrower('Ann', 'Øster')],
  E: [aBorrower('Bob', 'Pryces')],
}

before(async () => {
  service = await testService()
  const { db } = service.deps
  for (const [reference, parties] of Object.entries(BORROWERS)) {
    made[reference] = await aWorkspace(service, { reference, parties })
  }
  const others = { reference: 'X', parties: [aBorrower('Ann', 'Pryce', OTHER_FIRM_ID)] }
  for (let n = 0; n < 3; n++) await aWorkspace(service, others, OTHER_LENDER)
  // D is cancelled. B, C and A get a completion date, of which C's is the earliest.
  const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
  await service.call('DELETE', `${PARTNER}/workspaces/${made['D']?.workspaceId}/cancel-workspace`, { ...LENDER, json })
  for (const [reference, ahead] of [
    ['B', 6],
    ['C', 5],
    ['A', 7],
  ] as const) {
    const scheduleId = await scheduleIdOf(service, made[reference]?.workspaceId ?? '')
    assert.equal((await setDate(service, scheduleId, businessDay(service, ahead))).status, 200)
  }
  const sql = `update lodgement_cases set status = 'LODGED', registry_reference = 'A123BCD' where workspace_id = $1`
  await db.query(sql, [made['E']?.workspaceId])
  await drain(service)
})

const day = (ahead: number) => businessDay(service, ahead)

describe('the newer filters of GET /workspaces', () => {
  for (const [what, query, found] of [
    ['its own reference', () => `workspace_reference_id=${made['C']?.workspaceReferenceId}`, ['C']],
    [
      'that in another form',
      () => `workspace_reference_id=${made['C']?.workspaceReferenceId.replace('LW', 'lw%20')}`,
      ['C'],
    ],
    ['no such reference', () => 'workspace_reference_id=LW250000000', []],
    ['the status of the case', () => 'lodgement_case_status=CREATED', ['C', 'B', 'A']],
    ['both statuses', () => 'lodgement_case_status=CANCELLED&status=CANCELLED', ['D']],
    ['two statuses that do not go together', () => 'lodgement_case_status=LODGED&status=CANCELLED', []],
    ['the reference at the registry', () => 'registry_reference=A123BCD', ['E']],
    ['another reference at the registry', () => 'registry_reference=A123BCE', []],
    ['the first completion date', () => `completion_date_from=${day(6)}`, ['B', 'A']],
    ['the last completion date', () => `completion_date_to=${day(5)}&status=CREATED`, ['C']],
    ['the order of completion', () => `completion_date_from=${day(0)}&completion_date_to=${day(20)}`, ['C', 'B', 'A']],
    ['no completion date', () => `completion_date_from=${day(8)}`, []],
    ['a surname', () => 'borrower=pryce', ['A', 'E']],
    ['the beginning of several', () => 'borrower=Pr', ['C', 'B', 'A', 'E']],
    ['the second borrower', () => 'borrower=DESOUZA', ['A']],
    ['a letter without its stroke', () => 'borrower=ost', ['D']],
    ['an organisation', () => 'borrower=the+pratchett+co', ['C']],
    ['a forename', () => 'borrower=Ann', []],
    ['name and status', () => 'borrower=pr&status=CREATED&lodgement_case_status=CREATED', ['C', 'B', 'A']],
    [
      'name, date and time',
      () => `borrower=pr&completion_date_from=${day(6)}&changed_since=2020-01-01T00:00:00Z`,
      ['B', 'A'],
    ],
  ] as const) {
    it(`find ${JSON.stringify(found)} by ${what}, for both sides and on pages`, async () => {
      for (const as of [LENDER, FIRM]) {
        assert.deepEqual(referencesOf(await list(query(), as)), found)
        assert.deepEqual(
          (await all(query(), as)).map(({ reference }) => reference),
          found,
        )
      }
      for (const as of [OTHER_LENDER, OTHER_FIRM]) {
        assert.ok(referencesOf(await list(query(), as)).every((reference) => reference === 'X'))
      }
    })
  }
})

describe('a page', () => {
  it('ends between two that have the same name', async () => {
    const ids = (await all('borrower=pryce', OTHER_LENDER)).map(({ workspaceId }) => workspaceId)
    assert.deepEqual([new Set(ids).size, ids], [3, ids.toSorted()])
  })
})

describe('own_reference', () => {
  it('finds the caller’s own, in either case, and changes no lastModifiedAt', async () => {
    const [before] = (await list('borrower=desouza', FIRM)).body.records
    const path = `${WORKSPACES}/${made['A']?.workspaceId}`
    assert.equal((await service.call('PATCH', path, { ...FIRM, json: { ownReference: 'HC/1' } })).status, 200)
    assert.deepEqual((await list('own_reference=hc/1', FIRM)).body.records, [before])
    assert.deepEqual((await list('own_reference=hc/1', LENDER)).body, { records: [] })
  })
})

describe('a party that version 1.0 wrote', () => {
  it('is found after the upgrade', async () => {
    const { db } = service.deps
    await db.query(`update parties set search_name = null where search_name ^@ 'pryce'`)
    assert.deepEqual((await list('borrower=pryce')).body, { records: [] })
    assert.equal(await db.transaction((tx) => nameParties(tx, 2)), 2)
    await namePartiesJob({ db }).run({ signal: new AbortController().signal } as never, {})
    assert.equal((await list('borrower=pryce')).body.records.length, 2)
    assert.equal((await list('borrower=pryce', OTHER_FIRM)).body.records.length, 3)
  })

  it('is shown in the list before and after its workspace has a copy of its name, which follows every change', async () => {
    const { db } = service.deps
    const shown = async () => (await all('')).map(({ borrowers }) => borrowers.join())
    const rename = (name: string) =>
      db.query(
        `update parties set name = name || jsonb_build_object('forenames', $1::text) where search_name = 'oster'`,
        [name],
      )
    const before = await shown()
    await db.query('update workspaces set borrowers = null')
    assert.deepEqual(await shown(), before)
    await namePartiesJob({ db }).run({ signal: new AbortController().signal } as never, {})
    assert.deepEqual(await db.query('select from workspaces where borrowers is null'), [])
    assert.deepEqual(await shown(), before)
    await rename('Zoe')
    assert.deepEqual((await shown())[1], 'Zoe Øster')
    await rename('Ann')
    assert.deepEqual(await shown(), before)
  })
})

describe('changed_since', () => {
  it('finds what has an event since, the time itself included, oldest first', async () => {
    const records = await all('changed_since=2020-01-01T00:00:00Z')
    assert.deepEqual(
      records
        .map(({ reference }) => reference)
        .filter((reference) => reference !== 'E')
        .slice(-4),
      ['D', 'B', 'C', 'A'],
    )
    const times = records.map(({ lastModifiedAt }) => lastModifiedAt)
    assert.deepEqual(times, times.toSorted())
    const [newest] = times.slice(-1)
    assert.deepEqual(referencesOf(await list(`changed_since=${newest}`)), ['A'])
    const later = new Date(Date.parse(newest ?? '') + 1).toISOString()
    assert.deepEqual((await list(`changed_since=${later}`)).body, { records: [] })
    assert.deepEqual(referencesOf(await list(`changed_since=${newest}&status=CREATED`, FIRM)), ['A'])
    assert.deepEqual(referencesOf(await list(`changed_since=${newest}&status=CANCELLED`)), [])
  })

  it('is compared with the time of the newest event', async () => {
    for (const { workspaceId, lastModifiedAt } of await all('changed_since=2020-01-01T00:00:00Z')) {
      const { body } = await service.call<{ records: { at: string }[] }>(
        'GET',
        `${WORKSPACES}/${workspaceId}/timeline`,
        FIRM,
      )
      assert.equal(body.records.at(-1)?.at, lastModifiedAt)
    }
  })
})

describe('a record of GET /workspaces', () => {
  it('has the names of the borrowers and the status of the case', async () => {
    const records = await all('')
    assert.deepEqual(
      records.map(({ reference, borrowers, lodgementCaseStatus }) => [reference, borrowers, lodgementCaseStatus]),
      [
        ['E', ['Bob Pryces'], 'LODGED'],
        ['D', ['Ann Øster'], 'CANCELLED'],
        ['C', ['The Pratchett Company Limited'], 'CREATED'],
        ['B', ['Cai Prynne', 'Dee Pratt', 'Eve PRATT'], 'CREATED'],
        ['A', ['Ann Pryce', 'Bob De Souza'], 'CREATED'],
      ],
    )
  })
})

describe('GET /workspaces: 400', () => {
  for (const [query, ...fields] of [
    ['workspace_reference_id=42', 'workspace_reference_id'],
    ['lodgement_case_status=OPEN', 'lodgement_case_status'],
    ['completion_date_from=0000-01-01', 'completion_date_from'],
    ['completion_date_to=2026-02-30', 'completion_date_to'],
    ['changed_since=2026-01-01', 'changed_since'],
    ['changed_since=2026-01-01T00:00:00%2B25:00', 'changed_since'],
    ['changed_since=0000-01-01T00:00:00Z', 'changed_since'],
    ['borrower=a', 'borrower'],
    ['borrower=..', 'borrower'],
    ['registry_reference=&own_reference=', 'own_reference', 'registry_reference'],
  ]) {
    it(`answers 400 to ${query}`, async () => {
      const answer = await list(query)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('answers 400 to a cursor of another order', async () => {
    const { body } = await list('limit=1')
    const other = await list('limit=1&changed_since=2020-01-01T00:00:00Z')
    for (const query of [
      `borrower=pr&cursor=${body.nextCursor}`,
      `borrower=pr&cursor=${other.body.nextCursor}`,
      `cursor=${other.body.nextCursor}`,
    ]) {
      const answer = await list(query)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['cursor']])
    }
  })

  it('takes every time of RFC 3339', async () => {
    for (const time of ['2016-12-31T23:59:60Z', '2026-01-01t00:00:00z', '2026-01-01T00:00:00.123456789-23:59']) {
      assert.equal((await list(`changed_since=${time}`)).status, 200, time)
    }
  })
})
