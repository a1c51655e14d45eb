import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { approveAgain } from '../../test/fixtures/approvals.ts'
import { uploaded } from '../../test/fixtures/documents.ts'
import { aSentCase, putClock, reply, timelineSince, walk } from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { auditOf, drain, eventsOf, move, readCase } from '../../test/fixtures/workspaces.ts'
import { requisitionDueJob } from './jobs.ts'

// RQ100001: requisitioned two days after it was accepted. What follows depends on the answer.

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

const typesOf = async (workspaceId: string) => (await timelineSince(service, workspaceId)).map(({ type }) => type)

const requisitionOf = async (workspaceId: string) => {
  const { requisition } = await readCase(service, workspaceId)
  assert.ok(requisition)
  return requisition
}

const statusesOf = async (workspaceId: string) =>
  (
    await service.deps.db.query(
      `select r.status from requisitions r join lodgement_cases using (lodgement_case_id) where workspace_id = $1`,
      [workspaceId],
    )
  ).map((row) => row['status'])

const ASKED = ['WORKSPACE_FUNDS_EXCHANGED', 'LODGEMENT_SUBMITTED', 'WORKSPACE_LODGED', 'WORKSPACE_REQUISITIONED']

describe('a requisition that is answered', () => {
  it('is decided a day later, and the case registered five days after that', async () => {
    const workspaceId = await aSentCase(service, 'RQ100001')
    const progress = await walk(service, workspaceId, 'P1D', 'P1D', 'P1D')
    assert.deepEqual(progress, ['LODGED LODGED', 'LODGED LODGED', 'REQUISITIONED REQUISITIONED'])
    const { requisitionId, points } = await requisitionOf(workspaceId)
    assert.ok(points.length > 0)
    const fileId = await uploaded(service, workspaceId)
    await walk(service, workspaceId, 'P4D')
    const answer = await reply(service, workspaceId, { message: 'As asked.', fileIds: [fileId] })
    assert.deepEqual(
      [answer.status, answer.body],
      [202, { requisitionId, lodgementCaseStatus: 'REQUISITION_SUBMITTED' }],
    )
    const submitted = 'REQUISITIONED REQUISITION_SUBMITTED'
    assert.deepEqual(await walk(service, workspaceId, 'PT0S', 'PT23H', 'PT1H', 'P4D', 'P1D'), [
      submitted,
      submitted,
      'LODGED LODGED',
      'LODGED LODGED',
      'CLOSED REGISTERED',
    ])
    const end = [
      'FILE_UPLOAD_SUCCEEDED',
      'REQUISITION_ANSWERED',
      'WORKSPACE_LODGED',
      'LODGEMENT_REGISTERED',
      'WORKSPACE_CLOSED',
    ]
    assert.deepEqual(await typesOf(workspaceId), [...ASKED, ...end])
    const messages = (await timelineSince(service, workspaceId)).filter(({ type }) => type === 'WORKSPACE_LODGED')
    assert.match(messages[1]?.message ?? '', /accepted the answer/)
    for (const { type, data } of await eventsOf(service, workspaceId)) {
      if (/^(WORKSPACE_)?REQUISITION/.test(type)) assert.equal(data['requisitionId'], requisitionId, type)
    }
  })

  it('is reminded of no more, and does not lapse', async () => {
    const workspaceId = await aSentCase(service, 'RQ100001')
    await move(service, 'P3D')
    assert.equal((await reply(service, workspaceId, { message: 'As asked.' })).status, 202)
    await move(service, 'P35D')
    assert.ok(!(await typesOf(workspaceId)).some((type) => /DUE_SOON|REJECTED/.test(type)))
    assert.deepEqual(await statusesOf(workspaceId), ['ACCEPTED'])
  })
})

describe('a requisition that is not answered', () => {
  let workspaceId: string
  before(async () => {
    await putClock(service, '2030-12-06T09:00:00Z')
    workspaceId = await aSentCase(service, 'RQ100001')
    await move(service, 'P3D')
  })

  it('is due after 20 business days of England and Wales: Christmas, Boxing Day and New Year are none', async () => {
    const { receivedAt, dueAt } = await requisitionOf(workspaceId)
    assert.deepEqual([receivedAt, dueAt], ['2030-12-09T09:00:00.000Z', '2031-01-09T09:00:00.000Z'])
    const published = (await timelineSince(service, workspaceId)).at(-1)
    assert.deepEqual(
      [published?.type, published?.message],
      ['WORKSPACE_REQUISITIONED', 'The registry raised a requisition. Its answer is due by 9 January 2031 at 09:00.'],
    )
  })

  it('is reminded of 10, 5 and 1 business days before', async () => {
    const { requisitionId } = await requisitionOf(workspaceId)
    await move(service, 'P30D')
    const reminders = (await timelineSince(service, workspaceId)).filter(({ type }) => type === 'REQUISITION_DUE_SOON')
    assert.deepEqual(
      reminders.map(({ at, message }) => `${at.slice(0, 16)} ${/in (.*),/.exec(message)?.[1]}`),
      ['2030-12-23T09:00 10 business days', '2031-01-02T09:00 5 business days', '2031-01-08T09:00 1 business day'],
    )
    const events = (await eventsOf(service, workspaceId)).filter(({ type }) => type === 'REQUISITION_DUE_SOON')
    for (const { data } of events) assert.equal(data['requisitionId'], requisitionId)
  })

  it('lapses when its time is over, and the case is rejected', async () => {
    assert.deepEqual(await walk(service, workspaceId, 'P1D'), ['FUNDS_EXCHANGED REGISTRATION_REJECTED'])
    const published = (await timelineSince(service, workspaceId)).at(-1)
    assert.equal(published?.type, 'LODGEMENT_REJECTED')
    assert.match(published?.message ?? '', /not answered by 9 January 2031/)
    assert.equal((published?.at ?? '').slice(0, 16), '2031-01-09T09:00')
    assert.deepEqual(await statusesOf(workspaceId), ['LAPSED'])
    assert.equal((await readCase(service, workspaceId)).rejection?.reason, 'REQUISITION_LAPSED')
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'requisition lapsed',
      before: { caseStatus: 'REQUISITIONED' },
      after: { caseStatus: 'REGISTRATION_REJECTED' },
    })
    assert.equal((await reply(service, workspaceId, { message: 'Too late.' })).status, 409)
  })

  it('does not come again when the case is sent again', async () => {
    await approveAgain(service, workspaceId)
    assert.deepEqual(await walk(service, workspaceId, 'P1D', 'P5D'), ['LODGED LODGED', 'CLOSED REGISTERED'])
  })
})

describe('lodgement.requisition-due', () => {
  it('has one effect however often it is run, and none once the requisition has ended', async () => {
    const workspaceId = await aSentCase(service, 'RQ100001')
    await move(service, 'P3D')
    const { requisitionId } = await requisitionOf(workspaceId)
    const run = () =>
      service.deps.db.transaction(async (tx) => {
        const { clock } = service.deps
        const context = { tx, correlationId: 'c-1', now: clock.now(), signal: AbortSignal.timeout(10_000) }
        await requisitionDueJob(service.deps).run(context, { workspaceId, requisitionId, businessDaysLeft: 0 })
      })
    for (let turn = 0; turn < 2; turn++) await Promise.all([run(), run()])
    await drain(service)
    assert.deepEqual(await typesOf(workspaceId), [...ASKED, 'LODGEMENT_REJECTED'])
  })
})
