import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Schemas } from '../../../client/src/index.ts'
import { aSentCase, reply, walk } from '../../test/fixtures/lodging.ts'
import { aPreparedMatter } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aReceiver, aRegistration } from '../../test/fixtures/webhooks.ts'
import {
  aWorkspace,
  drain,
  FIRM,
  fieldsOf,
  LENDER,
  move,
  narrowToken,
  OTHER_FIRM,
} from '../../test/fixtures/workspaces.ts'
import { addDays, londonDate } from '../jurisdiction/london.ts'
import { computeFigures } from './compute.ts'
import { ALL_SUBSCRIBERS, FIGURE_NAMES } from './rules.ts'
import { readFigures } from './store.ts'

type Figures = Schemas['Figures']

const FIGURES = '/partner/api/platformconnect/v1/figures'

let service: TestService
let began: string
before(async () => {
  service = await testService()
  await service.deps.db.query('update subscribers set reports = false') // days pass here
  began = londonDate(service.deps.clock.now())
})

const read = async (as: object = LENDER) => (await service.call<Figures>('GET', FIGURES, as)).body

describe('figures', () => {
  it('are empty before the first night', async () => {
    const nothing = {
      mattersByStatus: [],
      timeToRegistration: { count: 0, weeks: [] },
      waiting: [],
      requisitions: { cases: 0, reasons: [] },
      deliveries: [],
    }
    assert.deepEqual(await read(), nothing)
  })

  it('are counted each night: what was open, who was waited for, and how fast receivers answered', async () => {
    const receiver = await aReceiver()
    await aRegistration(service, receiver.url)
    await aWorkspace(service)
    await aPreparedMatter(service)
    await drain(service)
    await move(service, 'P3D')
    const figures = await read()
    const counted = londonDate(new Date(figures.computedAt ?? assert.fail()))
    const days = [0, 1, 2, 3].map((days) => addDays(began, days)).filter((day) => day < counted)
    assert.ok(days.length >= 2)
    assert.deepEqual(
      figures.mattersByStatus.toSorted((a, b) => `${a.date} ${a.status}`.localeCompare(`${b.date} ${b.status}`)),
      days.flatMap((date) => [
        { date, status: 'CREATED', count: 1 },
        { date, status: 'PREPARED', count: 1 },
      ]),
    )
    const shares = Object.fromEntries(figures.waiting.map(({ who, share }) => [who, Math.round(share)]))
    assert.deepEqual(shares, { LAW_FIRM: 50, LENDER: 50 })
    assert.partialDeepStrictEqual(figures.deliveries, [{ date: began, count: 2, deliveredAtFirstTry: 2 }])
  })

  it('count a day that was missed as it was', async () => {
    const before = await read()
    const { db, clock } = service.deps
    await db.query('delete from figure_days')
    await computeFigures(db, clock.now())
    const again = await read()
    const sorted = ({ mattersByStatus }: Figures) => mattersByStatus.map((one) => JSON.stringify(one)).sort()
    assert.deepEqual(sorted(again), sorted(before))
    assert.deepEqual(again.deliveries, before.deliveries)
  })

  it('have what was registered and what the registry asked; operators see counts alone', async () => {
    const workspaceId = await aSentCase(service, 'RQ100001')
    await move(service, 'P3D')
    await reply(service, workspaceId, { message: 'As asked.' })
    assert.deepEqual(await walk(service, workspaceId, 'P12D'), ['CLOSED REGISTERED'])
    const figures = await read(FIRM)
    const { count, medianDays = 0, p90Days, weeks } = figures.timeToRegistration
    assert.deepEqual([count, p90Days, weeks], [1, medianDays, [{ weeks: Math.floor(medianDays / 7), count: 1 }]])
    const [{ reason = '' } = {}] = figures.requisitions.reasons
    assert.match(reason, / /, 'the words of the registry')
    const all = await readFigures(service.deps.db.read, ALL_SUBSCRIBERS)
    assert.deepEqual(all.requisitions, { cases: 1, reasons: [{ reason: 'POINTS', count: 1 }] })
    assert.equal(all.timeToRegistration.count, 1)
    assert.equal((await read(OTHER_FIRM)).computedAt, undefined)
  })

  it('can be retrieved one at a time as CSV', async () => {
    for (const name of FIGURE_NAMES) {
      const answer = await service.call('GET', `${FIGURES}/${name}/content`, FIRM)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${name}.csv"`)
      assert.match(answer.text, /^\w+,\w+(,\w+)*\r\n/)
    }
    const waiting = await service.call('GET', `${FIGURES}/waiting/content`, FIRM)
    assert.match(waiting.text, /^who,days,share\r\n(\w+,[\d.]+,[\d.]+\r\n)+$/)
    const unknown = await service.call('GET', `${FIGURES}/weather/content`, FIRM)
    assert.deepEqual([unknown.status, fieldsOf(unknown)], [400, ['figure_name']])
  })

  it('need the scope of the reports', async () => {
    for (const path of [FIGURES, `${FIGURES}/waiting/content`]) {
      const headers = await narrowToken(service, 'sandbox-lender', 'view:workspaces')
      assert.equal((await service.call('GET', path, { headers })).status, 403)
    }
  })
})
