import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { copyMatter, copyOf } from '../../bench/copy.ts'
import { type Line, linesOf, type Results, reached, tableOf } from '../../bench/lines.ts'
import { PAGE, PLOT, pageWith, plotOf } from '../../bench/publish.ts'
import { scriptOf, spliced, unitsOf } from '../../bench/script.ts'
import { openDb } from '../src/platform/database/db.ts'
import { atEnd } from './fixtures/at-end.ts'
import { PARTNER, type TestService, testService } from './fixtures/service.ts'
import { aWorkspace, LENDER } from './fixtures/workspaces.ts'

// The parts of `npm run bench` that a wrong figure could come from.

const ID = '0b9f8a8e-3a0c-4ce6-9a8c-6a3a3a0a1b2c'
const OTHER_ID = '1b9f8a8e-3a0c-4ce6-9a8c-6a3a3a0a1b2c'
const ACCOUNT_ID = '10000000-0000-4000-8000-000000000001'

describe('the page of performance', () => {
  it('shows the results of the last run, and nothing else', async () => {
    const results: Results = JSON.parse(await readFile(new URL('../../bench/results.json', import.meta.url), 'utf8'))
    const page = await readFile(PAGE, 'utf8')
    assert.equal(pageWith(page, results), page, 'publish() of bench/publish.ts renews it')
    assert.equal(await readFile(PLOT, 'utf8'), plotOf(results.lines))
  })

  const line = (more: Partial<Line>): Line => ({ group: 'G', what: 'w', value: 90, unit: 'ms', ...more })
  const beside = { name: 'limit', value: 200, share: 0.45, lowest: 0.4, highest: 0.5 }
  for (const [goal, of, expected, shown] of [
    ['a share above its goal', line({ beside, goal: { atLeast: 0.4 } }), 1.125, 'at least 0.4, met'],
    ['a share below its goal', line({ beside, goal: { atLeast: 0.9 } }), 0.5, 'at least 0.9, **missed**'],
    ['a value below its limit', line({ goal: { atMost: 180 } }), 2, 'at most 180 ms, met'],
    ['a value above its limit', line({ goal: { atMost: 45 } }), 0.5, 'at most 45 ms, **missed**'],
    ['no goal', line({}), undefined, '|  |'],
  ] as const) {
    it(`says what is reached: ${goal}`, () => {
      assert.equal(reached(of), expected)
      assert.ok(tableOf([of]).includes(shown), tableOf([of]))
    })
  }

  it('has a line for each limit, with rates of a minute where they are asked for', () => {
    const runs = (side: string, perSecond: number) => ({ side, perSecond, rounds: [{ perSecond, othersShare: 0.02 }] })
    const share = { share: 0.5, lowest: 0.4, highest: 0.6 }
    const limits = [
      { ...runs('a', 4), ...share, goal: 0.4 },
      { ...runs('b', 8), ...share, goal: undefined },
    ]
    const lines = linesOf({ name: 'n', title: 't', service: runs('service', 2), limits, unit: '/min' }, 'G')
    assert.deepEqual(
      lines.map(({ value, beside, goal, others }) => [value, beside?.name, beside?.value, goal, others]),
      [
        [120, 'a', 240, { atLeast: 0.4 }, 0.02],
        [120, 'b', 480, undefined, 0.02],
      ],
    )
  })
})

describe('a script of pgbench', () => {
  const sent = (connection: number, trip: number, text: string, ...values: (string | null)[]) => ({
    text,
    values,
    connection,
    trip,
  })
  const XID = 'select pg_current_xact_id()::text as xid'

  it('has whole transactions, without wake-up calls and without what is sent anyway', () => {
    const units = unitsOf(
      [
        sent(1, 1, 'begin'),
        sent(2, 2, 'select 1'),
        sent(1, 1, XID),
        sent(3, 3, 'begin'),
        sent(1, 4, 'update t', '1'),
        sent(1, 4, 'commit'),
        sent(3, 3, `select set_config('synchronous_commit', 'off', true), pg_notify($1, '')`, 'x'),
        sent(3, 5, 'commit'),
        sent(2, 6, 'select 2'),
      ],
      [sent(2, 0, 'select 2'), sent(2, 0, 'begin')],
    )
    assert.deepEqual(
      units.map((unit) => unit.map(({ text }) => text)),
      [['begin', XID, 'update t', 'commit'], ['select 1']],
    )
  })

  it('sends the same values in the same round trips, with ids of its own', () => {
    const insert = 'insert into t values ($1, $2, $3, $4)'
    const units = [
      [sent(1, 1, 'begin'), sent(1, 1, 'select $1', ID)],
      [sent(1, 2, insert, OTHER_ID, `{"a":"${OTHER_ID}"}`, ACCOUNT_ID, null)],
    ]
    const { text, variables } = scriptOf(units, {
      types: new Map([
        ['select $1', ['uuid']],
        [insert, ['uuid', 'jsonb', 'uuid', 'date']],
      ]),
      sqlOf: (id) => (id === ID ? 'known' : id === ACCOUNT_ID ? 'same' : undefined),
      numbers: [1, 9],
    })
    const fresh = `md5('0/' || :k)::uuid::text`
    assert.deepEqual(text.trim().split('\n').slice(2), [
      '\\startpipeline',
      'begin;',
      'select (known)::uuid;',
      '\\endpipeline',
      `insert into t values ((${fresh})::uuid, (:v0 || ${fresh} || :v1)::jsonb, (:v2)::uuid, null::date);`,
    ])
    assert.deepEqual(variables, { v0: '{"a":"', v1: '"}', v2: ACCOUNT_ID })
  })

  it('writes a text without ids as it is', () => {
    assert.equal(
      spliced('a', () => undefined, JSON.stringify),
      '"a"',
    )
    assert.equal(
      spliced('', () => undefined, JSON.stringify),
      '""',
    )
  })
})

describe('a copy of a matter', () => {
  let service: TestService
  before(async () => {
    service = await testService()
  })

  it('reads like its original', async () => {
    const { workspaceId } = await aWorkspace(service)
    const owner = openDb({ url: service.env['DATABASE_OWNER_URL'] ?? '', poolSize: 1 })
    atEnd(() => owner.close())
    const { ids } = await copyMatter(owner, workspaceId, [1, 3])
    const read = async (id: string) =>
      (await service.call<Record<string, unknown>>('GET', `${PARTNER}/workspaces/${id}`, LENDER)).body
    const [original, copy] = [await read(workspaceId), await read(copyOf(workspaceId, 3))]
    const expected = ids.reduce(
      (text, id) => text.replaceAll(id, copyOf(id, 3)),
      JSON.stringify({ ...original, workspaceReferenceId: 'LW990000003' }),
    )
    assert.deepEqual(copy, JSON.parse(expected))
  })
})
