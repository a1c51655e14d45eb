import type { Schemas } from '../../client/src/index.ts'

// The codes of the interface in the words of people.

type Turn = Schemas['Turn']

export const KINDS: Record<'LENDER' | 'LAW_FIRM', string> = { LENDER: 'lender', LAW_FIRM: 'law firm' }

export const STATUSES: Record<Schemas['Workspace']['status'], string> = {
  CREATED: 'being prepared',
  PREPARED: 'approved',
  FUNDS_AUTHORISED: 'funds authorised',
  FUNDS_EXCHANGED: 'completed',
  LODGED: 'at the registry',
  REQUISITIONED: 'requisition to answer',
  CLOSED: 'registered',
  CANCELLED: 'cancelled',
}

export const TURNS: Record<Turn['who'], string> = {
  LAW_FIRM: 'the law firm',
  LENDER: 'the lender',
  REGISTRY: 'the registry',
  BANK: 'the bank',
  CLOCK: 'the clock',
  SERVICE: 'the service',
}

export const TASKS: Record<Turn['task'], string> = {
  GIVE_TITLE: 'give a title number',
  RECONCILE: 'compare the names with the register',
  REPRESENT: 'say who acts for a party',
  COMPLETE_CASE: 'complete the deed and the documents',
  CONFIRM: 'confirm, or correct, what a rule asks about',
  APPROVE_CASE: 'approve the case',
  DRAW_UP_MONEY: 'complete the settlement schedule',
  APPROVE_MONEY: 'approve the settlement schedule',
  NEW_DATE: 'set another completion date',
  FIX_ACCOUNT: 'see to the payment that the bank refused',
  PAY: 'make and confirm the payments',
  MAKE_EFFECTIVE: 'make the digital deed effective',
  ANSWER_REQUISITION: 'answer the requisition',
  FIX_AND_APPROVE: 'correct the rejected case and approve it again',
  LODGE_DISCHARGE: 'approve the discharge, unless the former lender sends it',
  AUTHORISE: 'authorise the funds',
  WAIT: 'an answer is awaited',
  COMPLETION: 'the money moves in the morning of completion day',
}
