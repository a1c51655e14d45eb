import { ASKED } from '../approvals/rules.ts'
import { APPROVALS } from '../approvals/rules-facts.ts'
import { PathId } from '../events/ids.ts'
import { Answer, Choice, Email, Moment, Page, PageQuery, Timestamp, Type } from '../platform/http/schema.ts'
import { TaskName, WhoName } from '../workspaces/shapes.ts'
import { TASKS_OF, WHOS } from '../workspaces/status.ts'
import { DECISIONS } from './rules-approvers.ts'
import { PLANNED_TYPES } from './rules-plan.ts'
import { COLLEAGUES_MAX, COUNT_MAX, PLANNED_MAX } from './store.ts'

const Count = Type.Integer({
  minimum: 0,
  maximum: COUNT_MAX,
  description: `How many there are; ${COUNT_MAX} means that many or more.`,
  examples: [17],
})

export const WorkspaceCounts = Answer('WorkspaceCounts', {
  turns: Type.Array(Answer('TurnCount', { turn: WhoName, count: Count }), {
    minItems: WHOS.length,
    maxItems: WHOS.length,
    description: 'Of your open workspaces, by whose turn it is.',
  }),
  tasks: Type.Array(Answer('TaskCount', { task: TaskName, count: Count }), {
    maxItems: TASKS_OF.LAW_FIRM.length,
    description: 'Of those in which it is your turn, by what is to be done.',
  }),
})

export const Plan = Answer('Plan', {
  records: Type.Array(
    Answer('PlanRecord', {
      at: Timestamp({ description: 'When it will happen, by the clock of the service.' }),
      type: Choice(PLANNED_TYPES, {
        description:
          '`PAYMENT`: the payment is asked for; `COMPLETION_DAY_ENDS`: from then on another date is needed; `TITLE_SEARCH`, ' +
          '`SUBMISSION`, `REGISTRY_CHECK`, `REQUISITION_REPLY`: the registry is asked or sent something again; ' +
          '`REQUISITION_REMINDER`, `REQUISITION_DEADLINE`: about a requisition that is open; `FILE_CHECK`: a file is ' +
          'checked again.',
      }),
      message: Type.String({
        minLength: 1,
        description: 'The same in a sentence for people.',
        examples: ['The money moves.'],
      }),
    }),
    { maxItems: PLANNED_MAX, description: 'The next first.' },
  ),
})

export const Approvers = Answer('Approvers', {
  fourEyes: Type.Boolean({ description: 'Whether nobody of the law firm may approve what they have changed.' }),
  asked: Type.Array(Choice(ASKED), {
    maxItems: ASKED.length,
    description: 'The fields that the approval of the case must have, because the registry asks. Empty in the sandbox.',
  }),
  records: Type.Array(
    Answer('Approver', {
      email: Email({ description: 'As in `approvedBy` and `X-Acting-User`, in lower case.' }),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'Left out for somebody who has no account in the console.',
          examples: ['Jo Marsh'],
        }),
      ),
      mayDecide: Type.Array(Choice(DECISIONS), {
        maxItems: DECISIONS.length,
        uniqueItems: true,
        description:
          'What this person may decide in the console: approve the case (`LODGEMENT`) or the money (`FINANCIAL`), or ' +
          'authorise the funds (`FUNDS`).',
      }),
      changed: Type.Array(Choice(APPROVALS), {
        maxItems: APPROVALS.length,
        uniqueItems: true,
        description: 'What this person has changed, and may not approve if `fourEyes` is on.',
      }),
    }),
    { maxItems: COLLEAGUES_MAX, description: 'By name.' },
  ),
})

export const WorkspacePath = Type.Object({ workspace_id: PathId.workspace_id })

export const ChangesQuery = Type.Object({
  ...PageQuery,
  since: Type.Optional(
    Moment('Only changes after this time, such as `approvals[].at`. Write the `+` of an offset as `%2B`.'),
  ),
})

const Value = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      maxLength: 10_000,
      description,
      examples: ['Prynne'],
    }),
  )

export const ChangesPage = Page(
  'ChangesPage',
  Answer('WorkspaceChange', {
    at: Timestamp({ description: 'When it was changed, by the clock of the service.' }),
    by: Type.String({
      minLength: 1,
      description: 'The person of `X-Acting-User`, else the client id; `system` for the service itself.',
      examples: ['case.handler@example.com'],
    }),
    action: Type.String({ minLength: 1, description: 'What was done, in words.', examples: ['application updated'] }),
    correlationId: Type.String({
      minLength: 1,
      description: 'The `X-Request-Correlation-Id` of the request that caused it, where one did.',
      examples: ['2f1a4c1e-8a55-4f0e-9a0e-6a3f1f6f9f10'],
    }),
    ids: Type.Record(Type.String(), Type.String(), {
      maxProperties: 10,
      description: 'What was changed: the ids by their names in the interface.',
      examples: [{ applicationId: '7b0e8f52-6f0c-4d3c-9d53-6c7d3f0b1a2e' }],
    }),
    changes: Type.Array(
      Answer('FieldChange', {
        field: Type.String({ minLength: 1, description: 'Where it is.', examples: ['parties[1].name.surname'] }),
        before: Value('Left out where there was none.'),
        after: Value('Left out where there is none now.'),
      }),
      { maxItems: 10_000, description: 'Of account numbers only the last digits are shown.' },
    ),
  }),
)
