import { Answer, Closed, Email, Page, PageQuery, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { CASE_STATUSES } from '../workspaces/status.ts'
import { RULES, type RuleId } from './rules.ts'

// What goes over the wire about approval: the interface, 2.8.

export const APPROVAL_ACTIONS = ['APPROVE', 'UNAPPROVE'] as const

export const LodgementApprovalRequest = Closed(
  {
    action: Type.Enum([...APPROVAL_ACTIONS]),
    workspaceId: Uuid({ description: 'The same as in the path.' }),
    approvedBy: Email({
      description: 'Who performs the action, as the caller states it.',
      examples: ['approver@harbour.example'],
    }),
  },
  { title: 'LodgementApprovalRequest' },
)

export const LodgementApprovalAnswer = Answer('LodgementApprovalAnswer', {
  lodgementCaseId: Uuid(),
  action: Type.Enum([...APPROVAL_ACTIONS]),
  lodgementCaseStatus: Type.Enum([...CASE_STATUSES]),
  approvedBy: Type.String({ examples: ['approver@harbour.example'] }),
  approvedAt: Timestamp(),
})

export const ReadinessPage = Page(
  'ReadinessPage',
  Answer('ReadinessRecord', {
    ruleId: Type.Enum(Object.keys(RULES) as RuleId[]),
    passed: Type.Boolean(),
    message: Type.String({ examples: ['This party must have an active representation.'] }),
    field: Type.String({ description: 'What to mend.', examples: ['parties[1].representation'] }),
  }),
)

export const ApprovalPath = Type.Object({ workspace_id: Uuid() })
export const ReadinessQuery = Type.Object(PageQuery)
