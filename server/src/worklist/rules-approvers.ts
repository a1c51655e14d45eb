import type { Approval } from '../approvals/rules-facts.ts'

// Who may decide about a matter, by name, before anybody is refused.

export const DECISIONS = ['LODGEMENT', 'FINANCIAL', 'FUNDS'] as const
type Decision = (typeof DECISIONS)[number]

/** Somebody of the caller's organisation. */
export type Colleague = { name: string; email: string; isApprover: boolean }

type Approver = { email: string; name?: string; mayDecide: Decision[]; changed: Approval[] }

type Facts = {
  kind: 'LENDER' | 'LAW_FIRM'
  fourEyes: boolean
  changedBy: Readonly<Record<Approval, readonly string[]>>
}

/** Those who may decide something, and those who have changed what a law firm approves. */
export function approversOf(colleagues: readonly Colleague[], { kind, fourEyes, changedBy }: Facts): Approver[] {
  const [isFirm, approvals] = [kind === 'LAW_FIRM', Object.keys(changedBy) as Approval[]]
  const changedOf = (email: string) => (isFirm ? approvals.filter((one) => changedBy[one].includes(email)) : [])
  const known = colleagues.map(({ name, email, isApprover }) => {
    const changed = changedOf(email)
    const decisions: Decision[] = isFirm ? approvals.filter((one) => !fourEyes || !changed.includes(one)) : ['FUNDS']
    return { email, name, mayDecide: isApprover ? decisions : [], changed }
  })
  const others = [...new Set(isFirm ? Object.values(changedBy).flat() : [])]
    .filter((email) => known.every((one) => one.email !== email))
    .map((email) => ({ email, mayDecide: [], changed: changedOf(email) }))
  return [...known.filter(({ mayDecide, changed }) => mayDecide.length + changed.length > 0), ...others]
}
