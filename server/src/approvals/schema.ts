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
  Text,
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
    disclosableOverridingInterests: Type.Optional(
      Type.Boolean({
        description:
          'With `APPROVE`: whether there are interests that the register does not show but must be disclosed. HM Land ' +
          'Registry asks for this; the sandbox does not. Each approval states it again.',
        examples: [false],
      }),
    ),
  },
  { title: 'LodgementApprovalRequest' },
)

export const LodgementApprovalAnswer = Answer(
  'LodgementApprovalAnswer',
  {
    lodgementCaseId: Id.lodgementCaseId,
    action: Choice(APPROVAL_ACTIONS, { description: 'What was done.' }),
    lodgementCaseStatus: CaseStatus,
    approvedBy: Email({ description: 'As the request stated it.', examples: ['approver@harbour.example'] }),
    approvedAt: Timestamp({ description: 'When it was done.' }),
  },
  {
    examples: [
      {
        lodgementCaseId: 'b5edea5b-3577-4bf1-8140-7ce69d4cbb9a',
        action: 'APPROVE',
        lodgementCaseStatus: 'PREPARED',
        approvedBy: 'approver@harbour.example',
        approvedAt: '2026-03-14T09:30:00.000Z',
      },
    ],
  },
)

const Reason = {
  description: 'Why it is right as it is.',
  examples: ['The plot was given its number after the offer.'],
}
const ConfirmedBy = { description: 'Who confirms it, as the caller states it.', examples: ['jo.marsh@harbour.example'] }

export const ConfirmationRequest = Closed(
  {
    ruleId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The `ruleId` of a readiness record of the kind `CONFIRMABLE`.',
      examples: ['security-address-matches-register'],
    }),
    field: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The `field` of that record.',
      examples: ['securityAddress'],
    }),
    reason: Text(1, 500, Reason),
    confirmedBy: Email(ConfirmedBy),
  },
  { title: 'ConfirmationRequest' },
)

export const Confirmation = Answer(
  'Confirmation',
  {
    confirmationId: Id.confirmationId,
    ruleId: Type.String({ minLength: 1, description: 'The rule.', examples: ['security-address-matches-register'] }),
    approval: Choice(APPROVALS, { description: 'The approval that rests on it.' }),
    field: Type.String({ minLength: 1, description: 'As in the readiness.', examples: ['securityAddress'] }),
    reason: Type.String({ minLength: 1, ...Reason }),
    confirmedBy: Email(ConfirmedBy),
    confirmedAt: Timestamp({ description: 'When it was confirmed.' }),
  },
  { description: 'That a matter is right as it is, although a readiness rule says otherwise.' },
)

export const Confirmations = Page('Confirmations', Confirmation)

export const ReadinessPage = Page(
  'ReadinessPage',
  Answer('ReadinessRecord', {
    ruleId: Choice(Object.keys(RULES) as RuleId[], {
      description: 'The registry’s own name of the rule, where it has one.',
    }),
    approval: Choice(APPROVALS, { description: 'The approval that it belongs to.' }),
    kind: Choice(RULE_KINDS, {
      description:
        '`BLOCKING`: the approval is refused until it passes. `CONFIRMABLE`: it is refused until it passes, or a person ' +
        'confirms that the matter is right as it is. `BLOCKING_SUBMISSION`: the case can be approved before it passes, and ' +
        'is not sent to the registry until then.',
    }),
    outcome: Choice(OUTCOMES, { description: 'What the rule came to.' }),
    passed: Type.Boolean({ description: 'True where `outcome` is `PASSED` or `CONFIRMED`.' }),
    message: Sentence(
      'What is wrong and what can be done about it now, or that it is right. A refused approval says the same.',
      'This party has no active representation. Add one.',
    ),
    field: Type.String({ minLength: 1, description: 'What to correct.', examples: ['parties[1].representation'] }),
    confirmation: Type.Optional(Confirmation),
  }),
)

export const ApprovalPath = Type.Object({ workspace_id: PathId.workspace_id })
export const ConfirmationPath = Type.Object({
  workspace_id: PathId.workspace_id,
  confirmation_id: PathId.confirmation_id,
})
export const ReadinessQuery = Type.Object(PageQuery)
