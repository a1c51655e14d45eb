import { conflict, notFound } from '../platform/errors.ts'
import { isHardLocked, type WorkspaceStatus } from '../workspaces/status.ts'
import { basisOf, RULES, type RuleId, reviewReadiness } from './rules.ts'
import { type Approval, type Confirmation, checkConfirmable, type ReadinessFacts } from './rules-facts.ts'

// A person says that what a rule found is right as it is, or takes that back.

/** What can happen to the confirmations of a matter, and the approval that each is for. */
export type ConfirmationChange =
  | { kind: 'readiness confirmed'; approval: Approval; confirmation: Confirmation }
  /** By hand, or because the facts changed that it was for. */
  | { kind: 'confirmation taken back' | 'confirmation lapsed'; approval: Approval; confirmationId: string }

type Asked = Pick<Confirmation, 'ruleId' | 'field' | 'reason' | 'confirmedBy'>

export function confirmRule(
  facts: ReadinessFacts,
  asked: Asked,
  made: Pick<Confirmation, 'confirmationId' | 'confirmedAt'>,
): ConfirmationChange {
  const { ruleId, field } = asked
  if (!isRule(ruleId) || RULES[ruleId].kind !== 'CONFIRMABLE') {
    throw notFound('ruleId', 'There is no such rule, or it cannot be confirmed.')
  }
  const { approval } = RULES[ruleId]
  checkConfirmable(facts, approval)
  const result = reviewReadiness(facts).find((one) => one.ruleId === ruleId && one.field === field)
  if (!result) throw notFound('field', `There is no record of ${ruleId} with this field in the readiness.`)
  if (result.outcome === 'PASSED')
    throw conflict({ message: `The rule ${ruleId} passes: there is nothing to confirm.` })
  if (result.outcome === 'CONFIRMED') throw conflict({ message: `The rule ${ruleId} is confirmed already.` })
  const { reason, confirmedBy } = asked
  const confirmation = { ...made, ruleId, field, reason, confirmedBy, basis: basisOf(ruleId, facts) }
  return { kind: 'readiness confirmed', approval, confirmation }
}

export const isRule = (ruleId: unknown): ruleId is RuleId => typeof ruleId === 'string' && Object.hasOwn(RULES, ruleId)

/** Until the lender has authorised the funds on the strength of it. */
export function takeBackConfirmation(
  status: WorkspaceStatus,
  confirmations: readonly Confirmation[],
  confirmationId: string,
): ConfirmationChange {
  const confirmation = confirmations.find((one) => one.confirmationId === confirmationId)
  if (!confirmation) throw notFound('confirmation_id', 'There is no such confirmation in this workspace.')
  if (isHardLocked(status) || status === 'CLOSED' || status === 'CANCELLED') {
    throw conflict({ message: `The workspace is ${status}: its confirmations can no longer be taken back.` })
  }
  return { kind: 'confirmation taken back', approval: approvalOf(confirmation), confirmationId }
}

/** Those whose facts have changed. */
export const lapsedConfirmations = (facts: ReadinessFacts): ConfirmationChange[] =>
  facts.confirmations
    .filter(({ ruleId, basis }) => !isRule(ruleId) || basis !== basisOf(ruleId, facts))
    .map((one) => ({ kind: 'confirmation lapsed', approval: approvalOf(one), confirmationId: one.confirmationId }))

const approvalOf = ({ ruleId }: Confirmation): Approval => (isRule(ruleId) ? RULES[ruleId].approval : 'LODGEMENT')
