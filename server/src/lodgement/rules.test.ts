import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  APPLICATION_TYPES,
  type Application,
  type ApplicationPlan,
  type Causes,
  firstStatus,
  planApplications,
  priorities,
  type Wanted,
} from './rules.ts'

const PROPRIETORS = ['p1', 'p2', 'p3', 'p4']
const anyCauses: fc.Arbitrary<Causes> = fc.record({
  registerHasCharge: fc.boolean(),
  registerHasRestriction: fc.boolean(),
  transfer: fc.boolean(),
  renamedProprietorIds: fc.subarray(PROPRIETORS),
})
const NO_CAUSES: Causes = {
  registerHasCharge: false,
  registerHasRestriction: false,
  transfer: false,
  renamedProprietorIds: [],
}

const isOpen = ({ status }: Application) => status !== 'WITHDRAWN'

/** What the store makes of a plan. */
function carriedOut(existing: readonly Application[], { add, withdraw }: ApplicationPlan): Application[] {
  const gone = new Set(withdraw.map(({ applicationId }) => applicationId))
  return [
    ...existing.map((one) => (gone.has(one.applicationId) ? { ...one, status: 'WITHDRAWN' } : one)),
    ...add.map((one, index) => ({
      ...one,
      applicationId: `a${existing.length + index}`,
      status: firstStatus(one.applicationType),
    })),
  ]
}

const planned = (existing: readonly Application[], causes: Causes) =>
  carriedOut(existing, planApplications(existing, causes))

/** A case that has seen these causes come and go. */
const after = (...history: Causes[]) => history.reduce<Application[]>(planned, [])

const kindsOf = (wanted: readonly Wanted[]) =>
  wanted.map(({ applicationType, proprietorId }) => `${applicationType} ${proprietorId ?? ''}`).sort()

const openKinds = (applications: readonly Application[]) => kindsOf(applications.filter(isOpen))

describe('planApplications', () => {
  it('always wants the charge that the lender takes', () => {
    assert.deepEqual(planApplications([], NO_CAUSES).add, [{ applicationType: 'MORTGAGE_DEED' }])
  })

  for (const [what, causes, added] of [
    ['a discharge where the register shows a charge', { registerHasCharge: true }, [{ applicationType: 'DISCHARGE' }]],
    [
      'a change of name for each proprietor renamed',
      { renamedProprietorIds: ['p1', 'p3'] },
      [
        { applicationType: 'CHANGE_OF_NAME', proprietorId: 'p1' },
        { applicationType: 'CHANGE_OF_NAME', proprietorId: 'p3' },
      ],
    ],
    ['a transfer where somebody comes or leaves', { transfer: true }, [{ applicationType: 'TRANSFER_OF_WHOLE' }]],
    [
      'with the transfer, the end of a restriction that the register holds',
      { transfer: true, registerHasRestriction: true },
      [{ applicationType: 'TRANSFER_OF_WHOLE' }, { applicationType: 'CANCEL_A_RESTRICTION' }],
    ],
    ['nothing for a restriction alone', { registerHasRestriction: true }, []],
  ] as const) {
    it(`adds ${what}`, () => {
      const plan = planApplications(after(NO_CAUSES), { ...NO_CAUSES, ...causes })
      assert.deepEqual(plan, { add: [...added], withdraw: [] })
    })
  }

  it('changes nothing when it is carried out and made again', () => {
    fc.assert(
      fc.property(fc.array(anyCauses), anyCauses, (history, causes) => {
        const stands = after(...history, causes)
        assert.deepEqual(planApplications(stands, causes), { add: [], withdraw: [] })
      }),
    )
  })

  it('comes to the same open applications, whatever was before', () => {
    fc.assert(
      fc.property(fc.array(anyCauses), anyCauses, (history, causes) => {
        assert.deepEqual(openKinds(after(...history, causes)), openKinds(after(causes)))
      }),
    )
  })

  it('withdraws, when a cause is undone, exactly what that cause had added', () => {
    fc.assert(
      fc.property(fc.array(anyCauses), anyCauses, anyCauses, (history, one, other) => {
        const before = after(...history, one)
        const { add, withdraw } = planApplications(before, other)
        const back = planApplications(carriedOut(before, { add, withdraw }), one)
        assert.deepEqual(kindsOf(back.withdraw), kindsOf(add))
        assert.deepEqual(kindsOf(back.add), kindsOf(withdraw))
      }),
    )
  })

  it('never opens again what was withdrawn: a new application takes its place', () => {
    fc.assert(
      fc.property(fc.array(anyCauses), anyCauses, (history, causes) => {
        const before = after(...history)
        const withdrawn = before.filter((one) => !isOpen(one))
        const stands = planned(before, causes)
        for (const one of withdrawn) assert.deepEqual(stands.find(hasId(one)), one)
        assert.ok(planApplications(before, causes).withdraw.every(isOpen))
      }),
    )
    const twice = after({ ...NO_CAUSES, transfer: true }, NO_CAUSES, { ...NO_CAUSES, transfer: true })
    const transfers = twice.filter(({ applicationType }) => applicationType === 'TRANSFER_OF_WHOLE')
    assert.deepEqual(
      transfers.map(({ status }) => status),
      ['WITHDRAWN', 'DRAFT'],
    )
  })

  it('never withdraws the charge that the lender takes', () => {
    fc.assert(
      fc.property(fc.array(anyCauses, { minLength: 1 }), (history) => {
        const deeds = after(...history).filter(({ applicationType }) => applicationType === 'MORTGAGE_DEED')
        assert.deepEqual(deeds.map(isOpen), [true])
      }),
    )
  })
})

describe('priorities', () => {
  it('count from 1 without a gap, in the order of the registry, and leave out what is withdrawn', () => {
    fc.assert(
      fc.property(fc.array(anyCauses, { minLength: 1 }), (history) => {
        const applications = after(...history)
        const priorityOf = priorities(applications)
        const open = applications.filter(isOpen)
        assert.deepEqual(new Set(priorityOf.keys()), new Set(open.map(({ applicationId }) => applicationId)))
        const ordered = [...open].sort((a, b) => rank(a) - rank(b))
        assert.deepEqual(
          ordered.map(({ applicationId }) => priorityOf.get(applicationId)),
          ordered.map((_, index) => index + 1),
        )
      }),
    )
  })

  it('put discharge before change of name, transfer, restriction and charge', () => {
    const applications = after({
      registerHasCharge: true,
      registerHasRestriction: true,
      transfer: true,
      renamedProprietorIds: ['p1', 'p2'],
    })
    const priorityOf = priorities(applications.toReversed())
    const ordered = [...applications].sort((a, b) => order(a) - order(b))
    function order({ applicationId }: Application) {
      return priorityOf.get(applicationId) ?? 0
    }
    assert.deepEqual(
      ordered.map(({ applicationType }) => applicationType),
      ['DISCHARGE', 'CHANGE_OF_NAME', 'CHANGE_OF_NAME', 'TRANSFER_OF_WHOLE', 'CANCEL_A_RESTRICTION', 'MORTGAGE_DEED'],
    )
  })
})

describe('firstStatus', () => {
  it('is READY of a discharge, which needs nothing, and DRAFT of all others', () => {
    for (const type of APPLICATION_TYPES) assert.equal(firstStatus(type), type === 'DISCHARGE' ? 'READY' : 'DRAFT')
  })
})

const rank = ({ applicationType }: Application) => APPLICATION_TYPES.indexOf(applicationType)

const hasId = (one: Application) => (other: Application) => other.applicationId === one.applicationId
