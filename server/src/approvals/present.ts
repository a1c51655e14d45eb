import { RULES, type RuleResult } from './rules.ts'
import { isRule } from './rules-confirmations.ts'
import type { Confirmation } from './rules-facts.ts'

export const presentResult = (result: RuleResult) => {
  const { ruleId, approval, kind, outcome, passed, message, field, confirmation } = result
  return {
    ruleId,
    approval,
    kind,
    outcome,
    passed,
    message,
    field,
    ...(confirmation && { confirmation: presentConfirmation(confirmation) }),
  }
}

export const presentConfirmation = (confirmation: Omit<Confirmation, 'basis'>) => {
  const { confirmationId, ruleId, field, reason, confirmedBy, confirmedAt } = confirmation
  const approval = isRule(ruleId) ? RULES[ruleId].approval : 'LODGEMENT'
  return { confirmationId, ruleId, approval, field, reason, confirmedBy, confirmedAt: confirmedAt.toISOString() }
}
