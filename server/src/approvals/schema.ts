import { APPROVAL_ACTIONS } from '../auth/scopes.ts'
import { Id, PathId } from '../events/ids.ts'
import {
  Answer,
  Choice,
  Closed,
  Email,
  Page,
  PageQuery,
  Sentence,
  Timestamp,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { CaseStatus } from '../workspaces/shapes.ts'
import { OUTCOMES, RULES, type RuleId } from './rules.ts'
import { APPROVALS, RULE_KINDS } from './rules-facts.ts'

// What goes over the wire about approval.

export const LodgementApprovalRequest = Closed(
  {
    action: Choice(APPROVAL_ACTIONS, { description: 'Each needs a scope of its own.' }),
    workspaceId: Uuid({ description: 'The same as in the path.' }),
    approvedBy: Email({
      description: 'Who performs the action, as the caller states it.',
      examples: ['approver@harbour.example'],
    }),
  },
  { title: 'LodgementApprovalRequest' },
)

export const LodgementApprovalAnswer = Answer('LodgementApprovalAnswer', {
  lodgementCaseId: Id.lodgementCaseId,
  action: Choice(APPROVAL_ACTIONS, { description: 'What was done.' }),
  lodgementCaseStatus: CaseStatus,
  approvedBy: Email({ description: 'As the request stated it.', examples: ['approver@harbour.example'] }),
  approvedAt: Timestamp({ description: 'When it was done.' }),
})

export const ReadinessPage = Page(
  'ReadinessPage',
  Answer('ReadinessRecord', {
    ruleId: Choice(Object.keys(RULES) as RuleId[], {
      description: 'The registry’s own name of the rule, where it has one.',
    }),
    approval: Choice(APPROVALS, { description: 'The approval that it belongs to.' }),
    kind: Choice(RULE_KINDS, {
      description:
        '`BLOCKING`: the approval is refused until it passes. `BLOCKING_SUBMISSION`: the case can be approved before it ' +
        'passes, and is not sent to the registry until then.',
    }),
    outcome: Choice(OUTCOMES, { description: 'What the rule came to.' }),
    passed: Type.Boolean({ description: 'Whether the rule is met.' }),
    message: Sentence(
      'What is wrong and what can be done about it now, or that it is right. A refused approval says the same.',
      'This party has no active representation. Add one.',
    ),
    field: Type.String({ minLength: 1, description: 'What to correct.', examples: ['parties[1].representation'] }),
  }),
)

export const ApprovalPath = Type.Object({ workspace_id: PathId.workspace_id })
export const ReadinessQuery = Type.Object(PageQuery)
