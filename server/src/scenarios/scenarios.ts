// Long because every scenario is in one place, as data.
import { ADDRESSES } from '../sandbox/addresses.ts'
import type { MatterFixture, Step } from '../sandbox/fixtures.ts'
import { REFUSED_ACCOUNT } from '../settlement/simulator.ts'
import type { Name } from '../workspaces/names.ts'
import type { CaseStatus, WorkspaceStatus } from '../workspaces/status.ts'

// Each scenario once: the console and the commands run it, and the files in `workflows/` are made from it.

/** What must be true after a step. */
export type Reached = { status: WorkspaceStatus } | { caseStatus: CaseStatus }

export type ScenarioStep = {
  name: string
  /** What happens, as a sentence. */
  description: string
  /** Undefined where only time passes. */
  does?: Step | { do: 'order' }
  /** How far the clock moves afterwards: to ten o'clock on completion day, or by a duration. */
  waits?: 'completion day' | `P${string}`
  reaches?: Reached
}

export type Scenario = Pick<MatterFixture, 'address' | 'borrowers'> & {
  name: string
  title: string
  description: string
  titleNumber: string
  steps: readonly ScenarioStep[]
}

const LOAN = 206_000
const person = (forenames: string, surname: string): Name => ({ type: 'INDIVIDUAL', forenames, surname })
const [WILLIAM, TRACEY] = [person('William', 'Prynne'), person('Tracey', 'Prynne')]

const ORDER: ScenarioStep = {
  name: 'order',
  description: 'The lender orders the remortgage. The title search is answered.',
  does: { do: 'order' },
  reaches: { status: 'CREATED' },
}
const REPRESENT: ScenarioStep = {
  name: 'represent',
  description: 'The law firm acts for every party.',
  does: { do: 'represent' },
}
const CASE: ScenarioStep = {
  name: 'case',
  description: 'The law firm completes the deed and attaches the documents.',
  does: { do: 'complete the case', loan: LOAN },
}
const MONEY: ScenarioStep = {
  name: 'money',
  description: 'The law firm draws up the settlement schedule.',
  does: { do: 'draw up the money', loan: LOAN },
}
const APPROVE: ScenarioStep = {
  name: 'approve',
  description: 'A second person at the law firm approves the case and the money.',
  does: { do: 'approve' },
  reaches: { status: 'PREPARED' },
}
const AUTHORISE: ScenarioStep = {
  name: 'authorise',
  description: 'The lender authorises the funds.',
  does: { do: 'authorise funds' },
  reaches: { status: 'FUNDS_AUTHORISED' },
}
const PAY: ScenarioStep = {
  name: 'pay',
  description: 'On completion day at nine the money moves, and the case is sent to the registry.',
  // The case follows the money within the same move of the clock.
  waits: 'completion day',
  reaches: { status: 'FUNDS_EXCHANGED' },
}
const LODGE: ScenarioStep = {
  name: 'lodge',
  description: 'A day later the registry accepts the case.',
  waits: 'P1D',
  reaches: { caseStatus: 'LODGED' },
}
const REGISTER: ScenarioStep = {
  name: 'register',
  description: 'The registry registers the new charge after five days, or on the next business day.',
  waits: 'P9D',
  reaches: { status: 'CLOSED' },
}

const PREPARE = [REPRESENT, CASE, MONEY, APPROVE]
const COMPLETE = [AUTHORISE, PAY]

type Input = Omit<Scenario, 'address'>

const inputs: readonly Input[] = [
  {
    name: 'straight-through',
    title: 'Straight through',
    description: 'Two borrowers who are the registered proprietors, and one old charge that is paid off.',
    titleNumber: 'ST500678',
    borrowers: [WILLIAM, TRACEY],
    steps: [ORDER, ...PREPARE, ...COMPLETE, LODGE, REGISTER],
  },
  {
    name: 'names-differ',
    title: 'Names differ',
    description: 'A borrower is misspelt in the order. The law firm corrects the name and goes on.',
    titleNumber: 'ST500678',
    borrowers: [WILLIAM, person('Tracey', 'Prinne')],
    steps: [
      ORDER,
      {
        name: 'rename',
        description: 'The order is wrong: the borrower gets the name that is on the register.',
        does: { do: 'rename', borrower: 1, to: TRACEY },
      },
      ...PREPARE,
      ...COMPLETE,
      LODGE,
      REGISTER,
    ],
  },
  {
    name: 'change-of-name',
    title: 'Change of name',
    description: 'The proprietor has married since. A change of name is lodged with the charge.',
    titleNumber: 'DN514817',
    borrowers: [person('Maria', 'Bueno')],
    steps: [
      ORDER,
      {
        name: 'change-name',
        description: 'The law firm says that the proprietor has another name now. The case gets a change of name.',
        does: { do: 'change of name', proprietor: 'Santos', to: person('Maria', 'Bueno') },
      },
      ...PREPARE,
      ...COMPLETE,
      LODGE,
      REGISTER,
    ],
  },
  {
    name: 'transfer',
    title: 'Transfer of equity',
    description: 'One proprietor leaves, another comes, and a restriction is cancelled.',
    titleNumber: 'ST500681',
    borrowers: [TRACEY, person('Oliver', 'Hart')],
    steps: [
      ORDER,
      {
        name: 'comes',
        description: 'The new borrower joins the title.',
        does: { do: 'set incoming', borrower: 1 },
      },
      {
        name: 'leaves',
        description: 'The other proprietor leaves the title. The case gets a transfer.',
        does: { do: 'set outgoing', proprietor: 'Prynne' },
      },
      ...PREPARE,
      ...COMPLETE,
      LODGE,
      REGISTER,
    ],
  },
  {
    name: 'requisition',
    title: 'Requisition, answered',
    description: 'The registry asks two questions. The law firm answers in time.',
    titleNumber: 'RQ100001',
    borrowers: [person('Grace', 'Okafor')],
    steps: [
      ORDER,
      ...PREPARE,
      ...COMPLETE,
      LODGE,
      {
        name: 'ask',
        description: 'Two days later the registry asks.',
        waits: 'P2D',
        reaches: { status: 'REQUISITIONED' },
      },
      {
        name: 'answer',
        description: 'The law firm answers. A day later the registry accepts the answer.',
        does: { do: 'answer the requisition', message: 'The deed is dated 3 March; a certified copy follows.' },
        waits: 'P1D',
        reaches: { caseStatus: 'LODGED' },
      },
      REGISTER,
    ],
  },
  {
    name: 'rejection',
    title: 'Rejection',
    description: 'The registry rejects the reference of the deed. Corrected and sent again, it is accepted.',
    titleNumber: 'VF100001',
    borrowers: [person('Joan', 'Hill')],
    steps: [
      ORDER,
      ...PREPARE,
      ...COMPLETE,
      {
        name: 'reject',
        description: 'A day later the registry rejects the case. The money stays where it is.',
        waits: 'P1D',
        reaches: { caseStatus: 'REGISTRATION_REJECTED' },
      },
      {
        name: 'correct',
        description: 'The law firm corrects the reference of the deed.',
        does: { do: 'change the deed', facts: { mortgageDeedReference: 'MD5678Y' } },
      },
      {
        name: 'approve-again',
        description: 'A second person approves the case. It is sent at once.',
        does: { do: 'approve again' },
      },
      LODGE,
      REGISTER,
    ],
  },
  {
    name: 'cancelled',
    title: 'Cancelled by the lender',
    description: 'Everything is approved. Then the lender does not want to go on.',
    titleNumber: 'ST500678',
    borrowers: [WILLIAM, TRACEY],
    steps: [
      ORDER,
      ...PREPARE,
      {
        name: 'cancel',
        description: 'The lender cancels the matter, with a reason. Both sides see it.',
        does: { do: 'cancel', reason: 'LENDER_DECIDED_NOT_TO_PROCEED' },
        reaches: { status: 'CANCELLED' },
      },
    ],
  },
  {
    name: 'payment-refused',
    title: 'Payment refused',
    description: 'The bank refuses an account. Corrected and authorised again, the money moves the same day.',
    titleNumber: 'LH100001',
    borrowers: [person('Priya', 'Nair')],
    steps: [
      ORDER,
      REPRESENT,
      CASE,
      {
        ...MONEY,
        description: 'The law firm draws up the settlement schedule, with an account that is closed.',
        does: { do: 'draw up the money', loan: LOAN, surplusTo: REFUSED_ACCOUNT },
      },
      APPROVE,
      AUTHORISE,
      {
        name: 'refuse',
        description: 'On completion day at nine the bank refuses the payment. The authorisation is withdrawn.',
        waits: 'completion day',
        reaches: { status: 'PREPARED' },
      },
      {
        name: 'correct',
        description: 'The law firm corrects the account, and a second person approves the money again.',
        does: { do: 'correct the account' },
        reaches: { status: 'PREPARED' },
      },
      {
        name: 'authorise-again',
        description: 'The lender authorises the funds again. The money moves at once.',
        does: { do: 'authorise funds' },
        waits: 'PT1H',
        reaches: { status: 'FUNDS_EXCHANGED' },
      },
      LODGE,
      REGISTER,
    ],
  },
  {
    name: 'registration-delayed',
    title: 'Registration delayed',
    description: 'The new charge is registered, but the discharge of the old one comes two weeks later.',
    titleNumber: 'ST500679',
    borrowers: [WILLIAM, TRACEY],
    steps: [
      ORDER,
      ...PREPARE,
      ...COMPLETE,
      LODGE,
      {
        name: 'register-in-part',
        description: 'The registry registers the new charge and leaves the old one.',
        waits: 'P9D',
        reaches: { caseStatus: 'PARTIALLY_REGISTERED' },
      },
      {
        name: 'discharge',
        description: 'The former lender sends its discharge, and the matter is closed.',
        waits: 'P14D',
        reaches: { status: 'CLOSED' },
      },
    ],
  },
]

export const SCENARIOS: readonly Scenario[] = inputs.map((scenario) => ({
  ...scenario,
  address: { ...ADDRESSES[scenario.titleNumber] },
}))
