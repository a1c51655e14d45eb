// Long because one service is started for all that the worklist reads.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { EDITOR, makeReady, patchDeed } from '../../test/fixtures/approvals.ts'
import { runSql } from '../../test/fixtures/database.ts'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import {
  ADVANCE,
  addLine,
  aPreparedMatter,
  authorise,
  businessDay,
  scheduleIdOf,
  setDate,
} from '../../test/fixtures/schedules.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  drain,
  FIRM,
  fieldsOf,
  LENDER,
  move,
  narrowToken,
  OTHER_FIRM,
  OTHER_FIRM_ID,
  OTHER_LENDER,
  readCase,
  readWorkspace,
  type ShownWorkspace,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { addDays, londonMoment } from '../jurisdiction/london.ts'
import { staleTurnsJob } from './jobs.ts'

type Turn = NonNullable<ShownWorkspace['turn']>
type Listed = { records: { reference: string; turn?: Turn }[]; nextCursor?: string }

let service: TestService
/** By their reference. */
const ids: Record<string, string> = {}

const list = (query: string, as = FIRM) => service.call<Listed>('GET', `${WORKSPACES}?${query}`, as)
const turnOf = async (workspaceId = '') => (await readWorkspace(service, workspaceId)).turn
const inWords = (turn?: Turn) => turn && [turn, ...turn.also].map(({ who, task }) => `${who} ${task}`).join(', ')

before(async () => {
  service = await testService()
  for (const reference of ['A', 'B', 'C']) ids[reference] = (await aWorkspace(service, { reference })).workspaceId
  for (const [reference, ahead] of [
    ['C', 4],
    ['B', 6],
  ] as const) {
    const scheduleId = await scheduleIdOf(service, ids[reference] ?? '')
    await setDate(service, scheduleId, businessDay(service, ahead))
  }
  ids['S'] = (await aWorkspace(service, { reference: 'S', titleNumber: 'SL100001' })).workspaceId // slow
  ids['D'] = (await aSearchedWorkspace(service, 'DN514817')).workspaceId // another name
})

describe('the turn of a workspace', () => {
  it('is shown with what can be done meanwhile, since when, and the same in the list', async () => {
    const [a, c, s] = [await turnOf(ids['A']), await turnOf(ids['C']), await turnOf(ids['S'])]
    assert.equal(inWords(a), 'LAW_FIRM GIVE_TITLE, LAW_FIRM REPRESENT, LAW_FIRM COMPLETE_CASE, LAW_FIRM DRAW_UP_MONEY')
    assert.equal(inWords(s), 'REGISTRY WAIT, LAW_FIRM REPRESENT, LAW_FIRM COMPLETE_CASE, LAW_FIRM DRAW_UP_MONEY')
    assert.match(inWords(await turnOf(ids['D'])) ?? '', /^LAW_FIRM RECONCILE/)
    const wait = { reason: 'REGISTRY_CLOSED', since: new Date() }
    await service.deps.db.query('update lodgement_cases set registry_wait = $2 where workspace_id = any ($1)', [
      [ids['A'], ids['S']],
      wait,
    ])
    assert.deepEqual(
      [s?.registryWait, (await turnOf(ids['S']))?.registryWait, (await turnOf(ids['A']))?.registryWait],
      [undefined, 'REGISTRY_CLOSED', undefined],
    )
    await service.deps.db.query('update lodgement_cases set registry_wait = null')
    const { auditAttributes } = await readWorkspace(service, ids['A'] ?? '')
    assert.deepEqual([a?.since, a?.dueAt], [auditAttributes.createdAt, undefined])
    assert.equal(c?.dueAt, londonMoment(businessDay(service, 3), '17:00:00').toISOString())
    assert.deepEqual((await list('reference=C')).body.records[0]?.turn, c)
  })

  it('filters the list, which is then in the order of due dates, then of waiting, on pages', async () => {
    const expected = ['C', 'B', 'A']
    const query = 'turn=LAW_FIRM&task=GIVE_TITLE'
    assert.deepEqual(
      (await list(query)).body.records.map(({ reference }) => reference),
      expected,
    )
    const paged: string[] = []
    for (let cursor = ''; paged.length < expected.length; ) {
      const { body, text } = await list(`${query}&limit=1${cursor}`, LENDER)
      assert.equal(body.records.length, 1, text)
      paged.push(...body.records.map(({ reference }) => reference))
      cursor = `&cursor=${body.nextCursor}`
    }
    assert.deepEqual(paged, expected)
    for (const [others, found] of [
      ['turn=LAW_FIRM&reference=B', ['B']],
      [`task=GIVE_TITLE&completion_date_from=${businessDay(service, 5)}`, ['B']],
      ['task=WAIT&turn=LAW_FIRM', []],
      ['task=WAIT', ['S']],
    ] as const) {
      const { body } = await list(others)
      assert.deepEqual(
        body.records.map(({ reference }) => reference),
        found,
        others,
      )
    }
    assert.deepEqual((await list('turn=LAW_FIRM', OTHER_FIRM)).body, { records: [] })
    assert.deepEqual(fieldsOf(await list('turn=ME&task=SLEEP')), ['task', 'turn'])
  })

  it('is counted by whom it is, and by task for oneself', async () => {
    type Counts = { turns: { turn: string; count: number }[]; tasks: { task: string; count: number }[] }
    const count = async (as: { as: string }) => {
      const { body } = await service.call<Counts>('GET', `${WORKSPACES}/counts`, as)
      const some = (counts: readonly { count: number }[]) => counts.filter((one) => one.count > 0)
      return { turns: some(body.turns), tasks: some(body.tasks), all: body.tasks.length }
    }
    const turns = [
      { turn: 'LAW_FIRM', count: 4 },
      { turn: 'REGISTRY', count: 1 },
    ]
    const tasks = [
      { task: 'GIVE_TITLE', count: 3 },
      { task: 'RECONCILE', count: 1 },
    ]
    assert.deepEqual(await count(FIRM), { turns, tasks, all: 15 })
    assert.deepEqual(await count(LENDER), { turns, tasks: [], all: 1 })
    assert.deepEqual(await count(OTHER_FIRM), { turns: [], tasks: [], all: 15 })
  })

  it('passes from one to the other, and on when completion day ends', async () => {
    const matter = await aPreparedMatter(service)
    const { workspaceId, completionDate } = matter
    assert.equal(inWords(await turnOf(workspaceId)), 'LENDER AUTHORISE')
    assert.equal((await authorise(service, workspaceId, matter)).status, 200)
    const authorised = await turnOf(workspaceId)
    assert.equal(inWords(authorised), 'CLOCK COMPLETION')
    assert.equal(authorised?.dueAt, londonMoment(completionDate, '09:00:00').toISOString())
    const late = await aPreparedMatter(service)
    const planned = async (id: string, as = FIRM) => (await service.call('GET', `${WORKSPACES}/${id}/plan`, as)).body
    const message = 'The completion day ends. Without a payment another date is needed.'
    const ends = londonMoment(addDays(completionDate, 1), '00:00:00').toISOString()
    const payment = { at: authorised?.dueAt, type: 'PAYMENT', message: 'The money moves.' }
    assert.deepEqual(await planned(workspaceId), { records: [payment] })
    assert.deepEqual(await planned(late.workspaceId, LENDER), {
      records: [{ at: ends, type: 'COMPLETION_DAY_ENDS', message }],
    })
    await move(service, 'P30D')
    assert.equal(inWords(await turnOf(late.workspaceId)), 'LAW_FIRM NEW_DATE')
    assert.equal(inWords(await turnOf(workspaceId)), undefined)
  })
})

describe('what was changed', () => {
  it('since an approval, with both values, for those who may read it', async () => {
    type Changes = { records: { at: string; by: string; action: string; ids: object; changes: object[] }[] }
    const workspaceId = await anApprovedCase(service, 'ST500678')
    const { approvals = [] } = await readCase(service, workspaceId)
    const { at = '' } = approvals.at(-1) ?? {}
    const scheduleId = await scheduleIdOf(service, workspaceId)
    await move(service, 'PT1S')
    await addLine(service, scheduleId, { ...ADVANCE, amount: 1 })
    const deed = await patchDeed(service, workspaceId, { transactionValue: 99 })
    assert.equal(deed.status, 200, deed.text)
    const read = async (query: string, as: object = FIRM) => {
      const { body } = await service.call<Changes>('GET', `${WORKSPACES}/${workspaceId}/changes?${query}`, as)
      return body.records
    }
    const records = await read(`since=${at}`)
    assert.deepEqual(
      records.map(({ action }) => action),
      ['line item added', 'application updated', 'lodgement case unapproved'],
    )
    const [, updated] = records
    assert.deepEqual(
      [updated?.by, updated?.changes],
      [EDITOR, [{ field: 'transactionValuePence', before: 20_600_000, after: 9_900 }]],
    )
    assert.deepEqual((await read(`since=${at}&limit=1`)).length, 1)
    assert.equal((await read('limit=100'))[0]?.action, 'workspace created')
    const headers = await narrowToken(service, FIRM.as, 'view:workspaces')
    assert.deepEqual(await read(`since=${at}`, { headers }), [])
  })
})

describe('who may approve', () => {
  it('is shown to each side, and what they may not is left out of their worklist', async () => {
    type Shown = {
      fourEyes: boolean
      asked: string[]
      records: { email: string; name?: string; mayDecide: string[]; changed: string[] }[]
    }
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await makeReady(service, workspaceId)
    const read = async (as: { as: string }) =>
      (await service.call<Shown>('GET', `${WORKSPACES}/${workspaceId}/approvers`, as)).body
    const { fourEyes, asked, records } = await read(FIRM)
    assert.deepEqual([fourEyes, asked], [true, []])
    assert.deepEqual(
      records.map(({ name, mayDecide, changed }) => [name, mayDecide, changed]),
      [
        ['Alex Moss', ['LODGEMENT', 'FINANCIAL'], []],
        ['Jo Marsh', ['LODGEMENT', 'FINANCIAL'], []],
        ['Sam Reid', [], ['LODGEMENT']],
      ],
    )
    assert.deepEqual((await read(LENDER)).records, [
      { email: 'kim.adair@northgate.example', name: 'Kim Adair', mayDecide: ['FUNDS'], changed: [] },
    ])
    await service.deps.db.query(`update service_state set registry = 'hmlr'`)
    assert.deepEqual((await read(FIRM)).asked, ['disclosableOverridingInterests'])
    assert.deepEqual((await read(LENDER)).asked, [])
    await service.deps.db.query(`update service_state set registry = 'simulator'`)
    for (const [approver, isFound] of [
      ['JO.MARSH@harbour.example', true],
      [EDITOR, false],
    ] as const) {
      const { body } = await service.call<{ records: { workspaceId: string; lastModifiedBy: string }[] }>(
        'GET',
        `${WORKSPACES}?task=APPROVE_CASE&approver=${approver}`,
        FIRM,
      )
      assert.equal(
        body.records.some((one) => one.workspaceId === workspaceId),
        isFound,
        approver,
      )
      for (const one of body.records) assert.match(one.lastModifiedBy, /^(system|sam\.reid@)/)
    }
    assert.deepEqual(fieldsOf(await list('approver=jo')), ['approver'])
  })
})

describe('the days of completion', () => {
  type Days = { records: { date: string; count: number; notReady: number; amount: number }[] }
  type Day = { records: { workspaceId: string; status: string; amount: number; refusal?: string; turn?: Turn }[] }
  const read = async <Body>(path: string, as = FIRM) => {
    const { status, body, text } = await service.call<Body>('GET', `${PARTNER}/completions${path}`, as)
    assert.equal(status, 200, text)
    return body
  }

  it('say how many complete, for how much, and how many are not ready', async () => {
    const completionDate = businessDay(service, 40)
    const [ready, late] = [
      await aPreparedMatter(service, { completionDate }),
      await aPreparedMatter(service, { completionDate }),
    ]
    assert.equal((await authorise(service, ready.workspaceId, ready)).status, 200)
    const empty = await aWorkspace(service, { reference: 'EMPTY' })
    await setDate(service, await scheduleIdOf(service, empty.workspaceId), completionDate)
    for (const as of [FIRM, LENDER]) {
      const { records } = await read<Days>(`/days?from=${completionDate}&limit=2`, as)
      assert.deepEqual(records, [
        { date: completionDate, count: 3, notReady: 2, amount: 412_000 },
        { date: businessDay(service, 41), count: 0, notReady: 0, amount: 0 },
      ])
    }
    assert.equal((await read<Days>('/days')).records.length, 10)
    const { records } = await read<Day>(`?date=${completionDate}`)
    assert.deepEqual(
      records.map(({ workspaceId, status, amount }) => [workspaceId, status, amount]),
      [
        [ready.workspaceId, 'FUNDS_AUTHORISED', 206_000],
        [late.workspaceId, 'PREPARED', 206_000],
        [empty.workspaceId, 'CREATED', 0],
      ],
    )
    assert.deepEqual((await read<Day>(`?date=${completionDate}`, OTHER_FIRM)).records, [])
    const failure = { at: new Date(), reason: 'The account is closed.' }
    await service.deps.db.query('update settlement_schedules set failure = $2 where workspace_id = $1', [
      late.workspaceId,
      failure,
    ])
    assert.equal((await read<Day>(`?date=${completionDate}`)).records[1]?.refusal, failure.reason)
    for (const [query, field] of [
      ['', 'date'],
      ['/days?limit=32', 'limit'],
    ] as const) {
      assert.deepEqual(fieldsOf(await service.call('GET', `${PARTNER}/completions${query}`, FIRM)), [field])
    }
  })
})

describe('a search', () => {
  const found: Record<string, string> = {}
  const search = async (query: string, as = OTHER_FIRM) => {
    const { body, text } = await list(`q=${query}`, as)
    return body.records?.map(({ reference }) => reference) ?? text
  }

  before(async () => {
    for (const [reference, surname, titleNumber, postcode] of [
      ['EX-1', 'Pryce', 'ST500678', 'EX4 3AN'],
      ['ex-2', 'Prynne', 'ST500679', 'EX43 1AA'],
      ['%_1', 'Exeter', 'PR50', 'TA1 9QH'],
    ] as const) {
      const parties = [aBorrower('Ann', surname, OTHER_FIRM_ID), aBorrower('Bob', surname, OTHER_FIRM_ID)]
      const made = await aWorkspace(service, { reference, titleNumber, postcode, parties }, OTHER_LENDER)
      found[reference] = made.workspaceReferenceId
      const path = `${WORKSPACES}/${made.workspaceId}`
      await service.call('PATCH', path, { ...OTHER_FIRM, json: { ownReference: `own/${reference}` } })
    }
    await drain(service)
  })

  it('finds what begins so, each once, by reference, number, title, postcode and name', async () => {
    for (const [query, expected] of [
      ['ex', ['EX-1', 'ex-2', '%_1']],
      ['ex-2', ['ex-2']],
      ['OWN/e', ['EX-1', 'ex-2']],
      ['pr', ['%_1', 'EX-1', 'ex-2']],
      ['ex43', ['ex-2', 'EX-1']],
      ['ex4%203', ['EX-1']],
      ['st50067', ['EX-1', 'ex-2']],
      ['st50067&status=CANCELLED', []],
      ['st50067&changed_since=2020-01-01T00:00:00Z&turn=LAW_FIRM', ['EX-1', 'ex-2']],
      ['%25_', ['%_1']],
      ['_1', []],
      ['ann', []],
    ] as const) {
      assert.deepEqual(await search(query), expected, query)
    }
    const number = found['ex-2'] ?? ''
    assert.deepEqual(await search(number.slice(0, 10).toLowerCase()), ['ex-2'])
    assert.deepEqual(await search(number.slice(0, 5)), [])
    assert.deepEqual(
      [await search('own/e', OTHER_LENDER), await search('st50067', OTHER_LENDER)],
      [[], ['EX-1', 'ex-2']],
    )
    assert.deepEqual(await search('ex-2', FIRM), [])
  })

  it('has pages, whose cursors are for the same search', async () => {
    for (const query of ['ex', 'pr', 'st5']) {
      const paged: string[] = []
      let cursor = ''
      do {
        const { body } = await list(`q=${query}&limit=1${cursor}`, OTHER_FIRM)
        paged.push(...body.records.map(({ reference }) => reference))
        cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
      } while (cursor)
      assert.deepEqual(paged, await search(query), query)
    }
    const { body } = await list('q=ex&limit=1', OTHER_FIRM)
    assert.deepEqual(fieldsOf(await list(`q=pr&cursor=${body.nextCursor}`, OTHER_FIRM)), ['cursor'])
    assert.deepEqual(fieldsOf(await list('q=pr&borrower=ex')), ['borrower'])
    assert.deepEqual(fieldsOf(await list('q=p')), ['q'])
  })
})

describe('a workspace that the version before wrote', () => {
  it('gets its turn after the upgrade, since its last change', async () => {
    const { db } = service.deps
    const [a, b] = [ids['A'] ?? '', ids['B'] ?? '']
    const { auditAttributes } = await readWorkspace(service, a)
    // One that was there already, and one that is changed by a node which does not know of turns.
    await db.query(
      'update workspaces set turn_stale = true, turn_who = null, turn_task = null where workspace_id = $1',
      [a],
    )
    await db.query('update workspaces set audit_seq = audit_seq + 1, title_number = null where workspace_id = $1', [b])
    assert.equal(await turnOf(a), undefined)
    const before = await turnOf(b)
    const stale = () => db.query('select from workspaces where turn_stale')
    assert.equal((await stale()).length, 2)
    const decide = () =>
      staleTurnsJob(service.deps).run({ signal: new AbortController().signal, correlationId: 'x' } as never, {})
    // The first of them cannot be written for a while.
    const { DATABASE_OWNER_URL: ownerUrl = '' } = service.env
    await runSql(
      ownerUrl,
      `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
       create trigger refuse before update on workspaces for each row
         when (new.workspace_id = '${a < b ? a : b}') execute function refuse()`,
    )
    await decide()
    assert.equal((await stale()).length, 1)
    await runSql(ownerUrl, 'drop function refuse cascade')
    await decide()
    assert.equal((await stale()).length, 0)
    assert.deepEqual(
      [(await turnOf(a))?.task, (await turnOf(a))?.since],
      ['GIVE_TITLE', auditAttributes.lastModifiedAt],
    )
    assert.deepEqual(await turnOf(b), before)
    await drain(service)
  })
})
