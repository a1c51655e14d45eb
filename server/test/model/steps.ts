// Long because every request of the model has its step here, with the response and facts that must follow.
import assert from 'node:assert/strict'
import { applicationPath, approve, confirm, liveApplications, PAPER_DEED } from '../fixtures/approvals.ts'
import { attachmentsPath } from '../fixtures/documents.ts'
import { reply } from '../fixtures/lodging.ts'
import { upload } from '../fixtures/multipart.ts'
import { reconcile } from '../fixtures/reconciliation.ts'
import { add, OWN } from '../fixtures/representations.ts'
import {
  ADVANCE,
  addLine,
  approveFinance,
  authorise,
  linePath,
  REDEMPTION,
  scheduleIdOf,
  setDate,
} from '../fixtures/schedules.ts'
import type { Answer, TestService } from '../fixtures/service.ts'
import {
  aBorrower,
  aCreation,
  CREATE,
  type Created,
  FIRM,
  LENDER,
  move,
  readCase,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../fixtures/workspaces.ts'
import {
  businessDayOf,
  canBePaid,
  type Facts,
  isCovered,
  isOpen,
  isReady,
  type Line,
  lapse,
  type Plan,
  REFUSED_ACCOUNT,
  SLOW_ACCOUNT,
  statusesOf,
  sumsOf,
  todayOf,
} from './model.ts'

// The steps of a sequence: each sends a request and predicts its outcome.

/** The ids that requests need. */
export type Place = {
  service: TestService
  workspaceId: string
  scheduleId: string
  partyIds: string[]
  deed: { lodgementCaseId: string; applicationId: string }
  lineIds: string[]
  confirmationId: string
}

export async function newPlace(service: TestService, { titleNumber }: Plan): Promise<Place> {
  const { property, ...order } = aCreation({
    titleNumber,
    ...(titleNumber === ALONE && { parties: [aBorrower('Grace', 'Okafor')] }),
  })
  const json = { ...order, property: { securityAddress: property.securityAddress } }
  const { workspaceId } = (await service.call<Created>('POST', CREATE, { ...LENDER, json })).body
  const { parties } = await readWorkspace(service, workspaceId)
  const { lodgementCaseId, applications } = await readCase(service, workspaceId)
  return {
    service,
    workspaceId,
    scheduleId: await scheduleIdOf(service, workspaceId),
    partyIds: parties.map(({ partyId }) => partyId),
    deed: { lodgementCaseId, applicationId: applications[0]?.applicationId ?? '' },
    lineIds: [],
    confirmationId: UNKNOWN_ID,
  }
}

type Step = {
  /** Sends it, and returns the status. `n` varies the step. */
  send(place: Place, facts: Facts, n: number): Promise<number>
  expect(facts: Facts, n: number): Expected
}

/** The expected status, and the facts after it if they change. */
export type Expected = { status: number; facts?: Facts }

const REFUSED = { status: 409 }
const statusOf = async (answer: Promise<Answer<unknown>>): Promise<number> => (await answer).status

/** A change to the case, if it is open: it withdraws the approval, which was for something else. */
const changesCase = (facts: Facts, status: number, change: Partial<Facts>) =>
  isOpen(facts) ? { status, facts: lapse(facts, { ...facts, caseApproved: false, ...change }) } : REFUSED

const changesSchedule = (facts: Facts, status: number, change: Partial<Facts>) =>
  isOpen(facts) ? { status, facts: lapse(facts, { ...facts, scheduleApproved: false, ...change }) } : REFUSED

const DIGITAL_DEED = { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' }
const deedOf = ({ plan }: Facts, n: number) => ({
  ...(plan.digital ? DIGITAL_DEED : PAPER_DEED),
  transactionValue: 100_000 + (n % 2),
})

/** The title of one borrower, without a charge. */
const ALONE = 'RQ100001'
const isAlone = ({ plan }: Facts) => plan.titleNumber === ALONE
const ACCOUNTS = ['12345678', '12345678', '12345678', '87654321', SLOW_ACCOUNT, REFUSED_ACCOUNT]
const accountOf = (n: number) => ACCOUNTS[n % ACCOUNTS.length] ?? ''

const GRACE = { forenames: 'Grace', surname: 'Okafor' }
const TRACEY = { forenames: 'Tracey', surname: 'Prynne' }
const rename = ({ service, workspaceId, partyIds }: Place, partyDetails: object) =>
  reconcile(service, workspaceId, {
    action: 'UPDATE_PARTY_NAME',
    partyId: partyIds[1],
    type: 'INDIVIDUAL',
    partyDetails,
  })

const countyOf = (n: number) => (n % 2 ? 'Dorset' : 'Wiltshire') // of no address in the world

async function sendLine(place: Place, { pence, account }: Line): Promise<number> {
  const bankAccount = { ...REDEMPTION.bankAccount, accountNumber: account ?? '' }
  const json = account === undefined ? ADVANCE : { ...REDEMPTION, bankAccount }
  const { status, body } = await addLine(place.service, place.scheduleId, { ...json, amount: pence / 100 })
  if (status === 201) place.lineIds.push(body.lineItemId)
  return status
}

const aSource = (n: number): Line => ({ pence: 1 + (n % 300) })
const aDestination = (n: number): Line => ({ pence: 1 + (n % 300), account: accountOf(n) })
const adds = (facts: Facts, line: Line) => changesSchedule(facts, 201, { lines: [...facts.lines, line] })

function balancing(facts: Facts, n: number): Line {
  const { comesIn, goesOut } = sumsOf(facts)
  const pence = Math.abs(comesIn - goesOut) || 1
  return comesIn < goesOut ? { pence } : { pence, account: accountOf(n) }
}

const askFunds = (place: Place, facts: Facts, authorised: boolean, off = 0) =>
  authorise(place.service, place.workspaceId, {
    completionDate: facts.completionDate ?? todayOf(facts),
    advance: (sumsOf(facts).comesIn + off) / 100 || 1,
    authorised,
  })

const canBeAuthorised = (facts: Facts) => ['PREPARED', 'FUNDS_AUTHORISED'].includes(statusesOf(facts).workspace)
export const hasEnded = (facts: Facts) => (facts.completionDate ?? '') < todayOf(facts)
const hasBegun = (facts: Facts) => (facts.completionDate ?? '') <= todayOf(facts)

export const STEPS = {
  'add the title': {
    send: ({ service, workspaceId }, { plan: { titleNumber } }) =>
      statusOf(service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json: { titleNumber } })),
    expect: (facts) => (facts.titled ? REFUSED : changesCase(facts, 202, { titled: true })),
  },
  'remove the title': {
    async send({ service, workspaceId }) {
      const { titles } = await readWorkspace(service, workspaceId)
      const path = `${WORKSPACES}/${workspaceId}/titles/${titles[0]?.titleId ?? workspaceId}`
      return statusOf(service.call('DELETE', path, FIRM))
    },
    expect: (facts) =>
      facts.titled ? changesCase(facts, 204, { titled: false, incoming: false, formAttached: false }) : { status: 404 },
  },
  'have another borrower come': {
    async send(place, facts) {
      if (isAlone(facts)) return 409
      if (facts.titled) await rename(place, GRACE)
      const json = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: place.partyIds[1] }
      return (await reconcile(place.service, place.workspaceId, json)).status
    },
    expect: (facts) =>
      facts.titled && !isAlone(facts) ? changesCase(facts, 200, { renamed: true, incoming: true }) : REFUSED,
  },
  'undo the role': {
    async send(place) {
      const path = `${WORKSPACES}/${place.workspaceId}/parties/${place.partyIds.at(-1)}/role`
      const status = await statusOf(place.service.call('DELETE', path, FIRM))
      if (status === 204) await rename(place, TRACEY)
      return status
    },
    expect: (facts) => (facts.incoming ? changesCase(facts, 204, { renamed: false, incoming: false }) : REFUSED),
  },
  'correct the address': {
    send: ({ service, workspaceId }, { plan }, n) => {
      const securityAddress = { ...aCreation(plan).property.securityAddress, county: countyOf(n) }
      return statusOf(service.call('PATCH', `${WORKSPACES}/${workspaceId}`, { ...LENDER, json: { securityAddress } }))
    },
    expect(facts, n) {
      const county = countyOf(n)
      return changesCase(facts, 200, { county, ...(facts.county === county && { caseApproved: facts.caseApproved }) })
    },
  },
  'set an own reference': {
    send: ({ service, workspaceId }, _, n) =>
      statusOf(service.call('PATCH', `${WORKSPACES}/${workspaceId}`, { ...FIRM, json: { ownReference: `HC/${n}` } })),
    expect: () => ({ status: 200 }),
  },
  'say who represents them': {
    async send({ service, workspaceId, partyIds }) {
      const statuses = []
      for (const partyId of partyIds) statuses.push(await statusOf(add(service, workspaceId, { partyId, ...OWN })))
      assert.equal(new Set(statuses).size, 1, 'both alike')
      return statuses[0] ?? 0
    },
    expect: (facts) => changesCase(facts, 202, { represented: true }),
  },
  'give the deed its facts': {
    send: ({ service, deed }, facts, n) =>
      statusOf(service.call('PATCH', applicationPath(deed), { ...FIRM, json: deedOf(facts, n) })),
    expect(facts, n) {
      const { transactionValue: deedValue } = deedOf(facts, n)
      const same = facts.deedValue === deedValue
      return changesCase(facts, 200, { deedValue, ...(same && { caseApproved: facts.caseApproved }) })
    },
  },
  'attach the deed': {
    send: ({ service, deed }) =>
      statusOf(
        upload(service, attachmentsPath(deed), {
          ...FIRM,
          fields: {
            documentType: 'MORTGAGE_DEED',
            documentCategory: 'APPLICATION_DOCUMENT',
            certificationType: 'ORIGINAL',
          },
        }),
      ),
    // One that came before the deed was digital does not count.
    expect: (facts) =>
      changesCase(facts, 202, {
        deedAttached: !facts.plan.digital || facts.deedAttached || facts.deedValue !== undefined,
      }),
  },
  'make the deed effective': {
    send: ({ service, deed }, _, n) =>
      statusOf(service.call('PATCH', applicationPath(deed), { ...FIRM, json: { isEffective: n % 4 > 0 } })),
    expect(facts, n) {
      if (facts.cancelled || facts.sentAt) return REFUSED
      const isEffective = n % 4 > 0
      return {
        status: 200,
        facts: { ...facts, isEffective, sentAt: facts.paidAt && isEffective ? facts.now : undefined },
      }
    },
  },
  'attach the discharge form': {
    async send({ service, workspaceId }) {
      const [discharge] = (await liveApplications(service, workspaceId)).filter(
        (one) => one.applicationType === 'DISCHARGE',
      )
      const fields = {
        documentType: 'EVIDENCE',
        documentCategory: 'APPLICATION_DOCUMENT',
        certificationType: 'ORIGINAL',
      }
      return discharge ? statusOf(upload(service, attachmentsPath(discharge), { ...FIRM, fields })) : 409
    },
    expect(facts) {
      const isLeftOut = statusesOf(facts).case === 'PARTIALLY_REGISTERED'
      if (isLeftOut) return { status: 202, facts: { ...facts, formAttached: true } }
      return facts.titled && !isAlone(facts) ? changesCase(facts, 202, { formAttached: true }) : REFUSED
    },
  },
  'answer the requisition': {
    send: ({ service, workspaceId }) => statusOf(reply(service, workspaceId, { message: 'As asked.' })),
    expect: (facts) =>
      statusesOf(facts).case === 'REQUISITIONED'
        ? { status: 202, facts: { ...facts, answeredAt: facts.now } }
        : REFUSED,
  },
  'approve the case': {
    send: ({ service, workspaceId }) => statusOf(approve(service, workspaceId)),
    expect(facts) {
      if (statusesOf(facts).case === 'PARTIALLY_REGISTERED' && facts.formAttached) {
        return { status: 202, facts: { ...facts, dischargeSentAt: facts.now } }
      }
      return isReady(facts) && !facts.caseApproved && !facts.cancelled
        ? { status: 202, facts: { ...facts, caseApproved: true } }
        : REFUSED
    },
  },
  'take back the case’s approval': {
    send: ({ service, workspaceId }) => statusOf(approve(service, workspaceId, { action: 'UNAPPROVE' })),
    expect: (facts) =>
      facts.caseApproved && !facts.cancelled && !facts.authorisedAt && !facts.paidAt
        ? { status: 202, facts: { ...facts, caseApproved: false } }
        : REFUSED,
  },
  'add a source': { send: (place, _, n) => sendLine(place, aSource(n)), expect: (facts, n) => adds(facts, aSource(n)) },
  'add a destination': {
    send: (place, _, n) => sendLine(place, aDestination(n)),
    expect: (facts, n) => adds(facts, aDestination(n)),
  },
  'bring into balance': {
    send: (place, facts, n) => sendLine(place, balancing(facts, n)),
    expect: (facts, n) => adds(facts, balancing(facts, n)),
  },
  'delete the last line': {
    async send(place) {
      const path = linePath(place.scheduleId, place.lineIds.at(-1) ?? place.workspaceId)
      const status = await statusOf(place.service.call('DELETE', path, FIRM))
      if (status === 204) place.lineIds.pop()
      return status
    },
    expect: (facts) =>
      facts.lines.length ? changesSchedule(facts, 204, { lines: facts.lines.slice(0, -1) }) : { status: 404 },
  },
  'set the date': {
    send: ({ service, scheduleId }, facts, n) => statusOf(setDate(service, scheduleId, businessDayOf(facts, n % 3))),
    expect(facts, n) {
      const completionDate = businessDayOf(facts, n % 3)
      const same = facts.completionDate === completionDate
      return changesSchedule(facts, 200, {
        completionDate,
        ...(same && { scheduleApproved: facts.scheduleApproved }),
      })
    },
  },
  'confirm the advance': {
    async send(place) {
      const rule = { ruleId: 'advance-covers-deed', field: 'lineItems' }
      const { status, body } = await confirm(place.service, place.workspaceId, rule)
      if (status === 201) place.confirmationId = body.confirmationId
      return status
    },
    expect: (facts) =>
      statusesOf(facts).workspace === 'CREATED' &&
      !facts.scheduleApproved &&
      !isCovered(facts) &&
      !facts.advanceConfirmed
        ? { status: 201, facts: { ...facts, advanceConfirmed: true } }
        : REFUSED,
  },
  'take back the confirmation': {
    send: ({ service, workspaceId, confirmationId }) =>
      statusOf(service.call('DELETE', `${WORKSPACES}/${workspaceId}/confirmations/${confirmationId}`, FIRM)),
    expect(facts) {
      if (!facts.advanceConfirmed) return { status: 404 }
      if (facts.cancelled || facts.authorisedAt || facts.paidAt) return REFUSED
      return { status: 204, facts: { ...facts, advanceConfirmed: false, scheduleApproved: false } }
    },
  },
  'approve the schedule': {
    send: ({ service, workspaceId }) => statusOf(approveFinance(service, workspaceId)),
    expect: (facts) =>
      canBePaid(facts) && (isCovered(facts) || facts.advanceConfirmed) && !facts.scheduleApproved && !facts.cancelled
        ? { status: 200, facts: { ...facts, scheduleApproved: true } }
        : REFUSED,
  },
  'take back the schedule’s approval': {
    send: ({ service, workspaceId }) => statusOf(approveFinance(service, workspaceId, { action: 'UNAPPROVE' })),
    expect: (facts) =>
      facts.scheduleApproved && !facts.cancelled && !facts.authorisedAt && !facts.paidAt
        ? { status: 200, facts: { ...facts, scheduleApproved: false } }
        : REFUSED,
  },
  'authorise the funds': {
    async send(place, facts) {
      const { status, body } = await askFunds(place, facts, true)
      if (status === 200) assert.deepEqual(body, { matched: true, authorised: true, mismatches: [] })
      return status
    },
    expect: (facts) =>
      canBeAuthorised(facts) && !hasEnded(facts)
        ? { status: 200, facts: { ...facts, authorisedAt: facts.authorisedAt ?? facts.now } }
        : REFUSED,
  },
  'authorise a penny too much': {
    async send(place, facts) {
      const { status, body } = await askFunds(place, facts, true, 1)
      const authorised = facts.authorisedAt !== undefined
      if (status === 200) assert.deepEqual(body, { matched: false, authorised, mismatches: ['AMOUNT'] })
      return status
    },
    expect: (facts) => (canBeAuthorised(facts) && !hasEnded(facts) ? { status: 200 } : REFUSED),
  },
  'take back the funds': {
    send: (place, facts) => statusOf(askFunds(place, facts, false)),
    expect(facts) {
      if (!canBeAuthorised(facts) || (facts.authorisedAt && hasBegun(facts))) return REFUSED
      return { status: 200, facts: { ...facts, authorisedAt: undefined } }
    },
  },
  'cancel the workspace': {
    send: ({ service, workspaceId }) =>
      statusOf(
        service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, {
          ...LENDER,
          json: { cancellationReason: 'TITLE_COMPLICATIONS' },
        }),
      ),
    expect: (facts) =>
      facts.cancelled || facts.paidAt || facts.instructedAt
        ? REFUSED
        : { status: 200, facts: { ...facts, cancelled: true } },
  },
  'a day passes': { send: ({ service }) => pass(service, 'P1DT3H'), expect: () => ({ status: 200 }) },
  'a week passes': { send: ({ service }) => pass(service, 'P7DT3H'), expect: () => ({ status: 200 }) },
} as const satisfies Record<string, Step>

export type StepName = keyof typeof STEPS

async function pass(service: TestService, advance: string): Promise<number> {
  await move(service, advance)
  return 200
}
