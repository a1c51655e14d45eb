import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import { WORKSPACE_STATUSES, type WorkspaceStatus } from '../workspaces/status.ts'
import {
  type Asked,
  accept,
  changeFirm,
  combinationErrors,
  type Firm,
  processQueued,
  REPRESENTATION_STATUSES,
  type Reused,
  type Waiting,
} from './rules.ts'

const FIRM: Firm = { name: 'Marsh & Hill', address: { street: 'Castle Street', town: 'Taunton', postcode: 'TA14AS' } }
const KEPT: Firm = { ...FIRM, address: { ...FIRM.address, postcode: 'TA1 4AS' } }

describe('combinationErrors', () => {
  const values = {
    externalLawFirm: FIRM,
    representationId: 'r',
    referenceNumber: 'ref',
    verificationOfIdentity: 'LAW_FIRM_CERTIFIED',
  }
  const fields = Object.keys(values) as (keyof typeof values)[]

  /** What is said of each of the sixteen ways to give or leave out the four fields. */
  function expected(representedBy: string, given: ReadonlySet<string>): string[] {
    const allowed = {
      PLATFORM_SUBSCRIBER_LAW_FIRM: ['referenceNumber'],
      EXTERNAL_LAW_FIRM: ['externalLawFirm', 'representationId', 'referenceNumber'],
      NOT_REPRESENTED: ['verificationOfIdentity'],
    }[representedBy] as string[]
    const faults = fields.filter((field) => given.has(field) && !allowed.includes(field)) as string[]
    const isReuse = given.has('representationId')
    if (representedBy === 'EXTERNAL_LAW_FIRM') {
      if (isReuse === given.has('externalLawFirm')) faults.push('externalLawFirm')
      if (!isReuse && !given.has('referenceNumber')) faults.push('referenceNumber')
    }
    if (representedBy === 'NOT_REPRESENTED' && !given.has('verificationOfIdentity')) {
      faults.push('verificationOfIdentity')
    }
    return faults.sort()
  }

  for (const representedBy of ['PLATFORM_SUBSCRIBER_LAW_FIRM', 'EXTERNAL_LAW_FIRM', 'NOT_REPRESENTED']) {
    for (let mask = 0; mask < 2 ** fields.length; mask++) {
      const given = fields.filter((_, index) => mask & (1 << index))
      it(`${representedBy} with ${given.join(', ') || 'nothing else'}`, () => {
        const body = { partyId: 'p', representedBy, ...Object.fromEntries(given.map((name) => [name, values[name]])) }
        const faults = combinationErrors(body)
        assert.deepEqual(faults.map(({ field }) => field).sort(), expected(representedBy, new Set(given)))
        for (const { field = '', message } of faults) assert.ok(message.startsWith(`${field} is `), message)
      })
    }
  }

  it('reports only what is wrong with every representedBy, where none or an unknown one is given', () => {
    for (const body of [null, {}, { representedBy: 5 }, { referenceNumber: 'ref', representedBy: 'toString' }]) {
      assert.deepEqual(combinationErrors(body), [])
    }
    for (const representedBy of [undefined, 'A_FRIEND']) {
      assert.deepEqual(
        combinationErrors({ ...values, representedBy }).map(({ field }) => field),
        ['externalLawFirm'],
      )
    }
  })
})

describe('accept', () => {
  const OWN = { subscriberId: 'caller', newFirmId: 'new firm' }
  const there: { hasParty: boolean; reused: Reused } = { hasParty: true, reused: undefined }
  const reusable = (facts: object = {}): typeof there => ({
    hasParty: true,
    reused: { status: 'ACTIVE', firmId: 'a firm', referenceNumber: 'theirs', ...facts },
  })
  const external = (facts: Partial<Asked>): Asked => ({ partyId: 'p', representedBy: 'EXTERNAL_LAW_FIRM', ...facts })

  it('takes the subscriber from the caller', () => {
    const asked: Asked = { partyId: 'p', representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' }
    const acting = { representedBy: asked.representedBy, subscriberId: 'caller' }
    assert.deepEqual(accept(asked, there, OWN), acting)
    const referenceNumber = 'HC/1'
    assert.deepEqual(accept({ ...asked, referenceNumber }, there, OWN), { ...acting, referenceNumber })
  })

  it('keeps a new firm with its postcode in one form', () => {
    assert.deepEqual(accept(external({ externalLawFirm: FIRM, referenceNumber: 'mine' }), there, OWN), {
      representedBy: 'EXTERNAL_LAW_FIRM',
      firmId: 'new firm',
      newFirm: KEPT,
      referenceNumber: 'mine',
    })
  })

  for (const [what, referenceNumber, kept] of [
    ['the same reference where none is given', undefined, 'theirs'],
    ['a reference of its own', 'mine', 'mine'],
  ] as const) {
    it(`shares the firm of the one it names, with ${what}`, () => {
      const asked = external({ representationId: 'r', ...(referenceNumber && { referenceNumber }) })
      const acting = { representedBy: 'EXTERNAL_LAW_FIRM', firmId: 'a firm', referenceNumber: kept }
      assert.deepEqual(accept(asked, reusable(), OWN), acting)
    })
  }

  for (const status of REPRESENTATION_STATUSES) {
    const takes = status !== 'FAILED'
    it(`${takes ? 'reuses' : 'does not find'} one that is ${status}`, () => {
      const work = () => accept(external({ representationId: 'r' }), reusable({ status }), OWN)
      if (takes) work()
      else assert.equal(refusalOf(work), 'not_found representationId')
    })
  }

  it('does not find one that is not external, nor one that is not there, and says so beside a missing party', () => {
    const asked = external({ representationId: 'r' })
    const notExternal = reusable({ firmId: null, referenceNumber: null })
    assert.equal(
      refusalOf(() => accept(asked, notExternal, OWN)),
      'not_found representationId',
    )
    assert.equal(
      refusalOf(() => accept(asked, { hasParty: false, reused: undefined }, OWN)),
      'not_found partyId representationId',
    )
  })
})

describe('changeFirm', () => {
  it('answers the very same firm where nothing changes, in whatever order it was kept', () => {
    const { address, name } = KEPT
    const kept = { address: Object.fromEntries(Object.entries(address).reverse()) as Firm['address'], name }
    assert.equal(changeFirm({ status: 'ACTIVE', firm: kept }, FIRM), kept)
  })

  for (const status of REPRESENTATION_STATUSES) {
    const may = status === 'QUEUED' || status === 'ACTIVE'
    it(`${may ? 'changes' : 'refuses to change'} one that is ${status}`, () => {
      const work = () => changeFirm({ status, firm: KEPT }, { ...FIRM, name: 'Another' })
      if (may) assert.deepEqual(work(), { ...KEPT, name: 'Another' })
      else assert.equal(refusalOf(work), 'conflict')
    })
  }

  it('refuses one that is not external', () => {
    assert.equal(
      refusalOf(() => changeFirm({ status: 'ACTIVE', firm: null }, FIRM)),
      'conflict',
    )
  })
})

describe('processQueued', () => {
  const one = (representationId: string, facts: Partial<Waiting> = {}): Waiting => ({
    representationId,
    partyId: 'p',
    status: 'QUEUED',
    correlationId: `asked ${representationId}`,
    firmSuspended: false,
    ...facts,
  })
  const active = one('0', { status: 'ACTIVE' })
  const outcomes = (representations: Waiting[], status: WorkspaceStatus = 'CREATED') => {
    const workspace = { status, caseStatus: 'CREATED', partyIds: ['p', 'q'], representations } as const
    const processed = processQueued(workspace, representations.at(-1)?.representationId ?? '')
    return processed.map(({ outcome }) => Object.values(outcome).join(' ').trim())
  }

  it('makes each active in its turn: the last of a party stays', () => {
    const waiting = [active, one('1'), one('2'), one('3', { partyId: 'q' })]
    assert.deepEqual(outcomes(waiting), ['ACTIVE 0', 'ACTIVE 1', 'ACTIVE'])
  })

  it('leaves whom the party has where the new one fails', () => {
    assert.deepEqual(outcomes([active, one('1', { firmSuspended: true }), one('2')]), [
      'FAILED FIRM_SUSPENDED',
      'ACTIVE 0',
    ])
  })

  it('fails where the party is gone', () => {
    assert.deepEqual(outcomes([one('1', { partyId: 'gone' })]), ['FAILED PARTY_GONE'])
  })

  it('leaves those that were asked for later, and one that was settled, and names the request of each', () => {
    const workspace = { status: 'CREATED', caseStatus: 'CREATED', partyIds: ['p'] } as const
    const representations = [one('1'), one('2')]
    const processed = processQueued({ ...workspace, representations }, '1')
    assert.deepEqual(
      processed.map(({ representationId, correlationId }) => [representationId, correlationId]),
      [['1', 'asked 1']],
    )
    for (const id of ['0', 'never there']) {
      assert.deepEqual(processQueued({ ...workspace, representations: [active, ...representations] }, id), [])
    }
  })

  for (const status of WORKSPACE_STATUSES) {
    const expected =
      { CREATED: 'ACTIVE', CANCELLED: 'FAILED WORKSPACE_CANCELLED' }[status as string] ?? 'FAILED WORKSPACE_LOCKED'
    it(`is ${expected} in a workspace that is ${status}`, () =>
      assert.deepEqual(outcomes([one('1')], status), [expected]))
  }
})
