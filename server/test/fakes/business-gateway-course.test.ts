import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { londonDate } from '../../src/jurisdiction/london.ts'
import type { LodgedApplication, Lodgement, Notice } from '../../src/registry/lodgement.ts'
import type { Register } from '../../src/registry/register.ts'
import { courseOf } from '../../src/simulated-registry/course.ts'
import type { Context } from './business-gateway/answers.ts'
import { makeControl } from './business-gateway/control.ts'
import { registerNow, type Step, stepsOf } from './business-gateway/course.ts'
import { type Application, emptyState, type Reply } from './business-gateway/state.ts'
import { holdingOf } from './business-gateway/titles.ts'
import { remortgage } from './business-gateway-messages.fixture.ts'

// A case takes equally long with the stand-in and with the sandbox's registry, and ends with the same register. The gateway
// does not announce that an answer was accepted, nor a late discharge.

const RECEIVED = new Date('2026-06-01T09:00:00Z')
const ANSWERED = new Date('2026-06-05T10:00:00Z')
const END = new Date('2026-12-01T00:00:00Z')

const KINDS: Readonly<Record<Notice['kind'], Step['kind'] | undefined>> = {
  accepted: 'protected',
  'validation failed': 'validation failed',
  requisitioned: 'correspondence',
  'answer accepted': undefined,
  cancelled: 'cancelled',
  completed: 'completed',
  discharged: 'discharged',
}

function simulated(titleNumber: string): Notice[] {
  const common = { feePence: 0, documents: [] }
  const deed = { transactionValuePence: 1, deedReference: 'MD431C', deedReferenceType: 'PAPER' } as const
  const applications: LodgedApplication[] = [
    { applicationId: '1', priority: 1, type: 'DISCHARGE', ...common },
    { applicationId: '2', priority: 2, type: 'MORTGAGE_DEED', ...deed, ...common },
  ]
  const lodgement: Lodgement = {
    customerReference: 'LW-1',
    titleNumber,
    completedOn: '2026-05-01',
    lender: 'Northgate Building Society',
    lodgedBy: 'Firm',
    submittedBy: 'clerk@firm.example',
    parties: [],
    applications,
  }
  const replies = { 'RQ-1': ANSWERED.toISOString() }
  const asFirst = { first: lodgement, firstReceivedAt: RECEIVED, isFirst: true }
  return courseOf({ lodgement, ...asFirst, number: 1, receivedAt: RECEIVED, replies })
}

function standIn(titleNumber: string): { steps: Step[]; register: Register | undefined } {
  const state = emptyState()
  const context: Context = {
    control: makeControl(() => END, 'openapi'),
    state,
    accounts: [],
    storageUrl: '',
    options: { repeatedKey: 'same answer', extractPricePence: 400 },
  }
  const reply: Reply = { id: 1, at: ANSWERED, kind: 'message', text: 'Here it is.' }
  const application: Application = {
    id: 'a-1',
    account: 'BGUser001',
    idempotencyKey: 'key',
    data: remortgage('deed', titleNumber, 'LW-1', []).data,
    receivedAt: RECEIVED,
    hmlrReference: 'B001BBB',
    errors: [],
    warnings: [],
    earlier: { failed: 0, others: [] },
    replies: titleNumber === 'RQ100001' ? [reply] : [],
    notified: 0,
  }
  state.applications.set(application.id, application)
  const steps = stepsOf(context, application).filter(({ kind }) => kind !== 'attached')
  return { steps, register: registerNow(context, titleNumber, 'LW-1') }
}

describe('the stand-in gateway: as the registry of the sandbox', () => {
  for (const title of [
    'ST500678',
    'ST500679',
    'ST500681',
    'LR100001',
    'TC100001',
    'RQ100001',
    'CX100001',
    'VF100001',
  ]) {
    it(title, () => {
      const notices = simulated(title)
      const { steps, register } = standIn(title)
      assert.deepEqual(
        steps.map(({ kind, at }) => ({ kind, at })),
        notices.flatMap(({ kind, at }) => (KINDS[kind] ? [{ kind: KINDS[kind], at }] : [])),
      )
      const copy = notices.findLast((one) => one.kind === 'completed' || one.kind === 'discharged')?.copy
      const holding = holdingOf(title)
      assert.deepEqual(register, copy?.register ?? (holding?.status === 'VALID' ? holding.register : undefined))
      if (copy) assert.equal(register?.editionDate, londonDate(copy.officialCopyAt))
    })
  }
})
