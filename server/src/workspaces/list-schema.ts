import { Id } from '../events/ids.ts'
import { EVENT_TYPES, type EventType } from '../events/types.ts'
import {
  Answer,
  CalendarDate,
  Choice,
  Email,
  Moment,
  Page,
  PageQuery,
  type Static,
  Text,
  Timestamp,
  Type,
} from '../platform/http/schema.ts'
import { Reference } from './schema.ts'
import {
  CaseStatus,
  CompletionDate,
  PARTIES_MAX,
  Postcode,
  PostcodeAnswer,
  TitleNumber,
  TransactionType,
  Turn,
  ValidationStatus,
  WorkspaceReferenceId,
  WorkspaceStatus,
} from './shapes.ts'
import { CASE_STATUSES, TASKS, WHOS, WORKSPACE_STATUSES } from './status.ts'

const WorkspaceSummary = Answer('WorkspaceSummary', {
  workspaceId: Id.workspaceId,
  workspaceReferenceId: WorkspaceReferenceId(),
  reference: Reference,
  status: WorkspaceStatus,
  lodgementCaseStatus: CaseStatus,
  transactionType: TransactionType,
  postcode: PostcodeAnswer('EX4 3AN'),
  titleNumber: Type.Optional(TitleNumber()),
  borrowers: Type.Array(Type.String({ minLength: 1, examples: ['William Prynne'] }), {
    maxItems: PARTIES_MAX,
    description: 'Their whole names, of those who come to the title too.',
  }),
  borrowersValidationStatus: ValidationStatus,
  completionDate: Type.Optional(CompletionDate),
  turn: Type.Optional(Turn),
  createdAt: Timestamp({ description: 'The list is in this order, newest first, where no filter brings another one.' }),
  lastModifiedAt: Timestamp({ description: 'When the newest event of the timeline happened.' }),
  lastModifiedBy: Type.String({
    minLength: 1,
    description:
      'Who changed it last: the person of `X-Acting-User`, else the client id; `system` for the service itself.',
    examples: ['sam.reid@harbour.example'],
  }),
})

export const WorkspacePage = Page('WorkspacePage', WorkspaceSummary)

const FromTo = (description: string) =>
  CalendarDate({ pattern: '^[12]', 'x-expected': 'a date in the format yyyy-mm-dd', description })

export const WorkspaceQuery = Type.Object({
  ...PageQuery,
  q: Type.Optional(
    Text(2, 50, {
      description:
        'A search: only those of which the reference, your own reference, the `workspaceReferenceId` (from its sixth digit ' +
        'on), the title number, the postcode or a borrower’s surname begins with this. Case does not matter. It cannot be ' +
        'combined with `borrower`.',
      examples: ['prynne'],
    }),
  ),
  status: Type.Optional(Choice(WORKSPACE_STATUSES, { description: 'Only those in this status.' })),
  lodgement_case_status: Type.Optional(
    Choice(CASE_STATUSES, { description: 'Only those whose case has this status.' }),
  ),
  turn: Type.Optional(Choice(WHOS, { description: 'Only those in which it is their turn.' })),
  task: Type.Optional(Choice(TASKS, { description: 'Only those whose `turn` is for this.' })),
  approver: Type.Optional(
    Email({
      description:
        'Leaves out those that wait for an approval which this person may not give, because four eyes are needed and they ' +
        'have changed the case, or the money, themselves.',
      examples: ['jo.marsh@harbour.example'],
    }),
  ),
  workspace_reference_id: Type.Optional(
    WorkspaceReferenceId({
      'x-transform': 'squeeze',
      'x-expected': 'a workspaceReferenceId such as LW264170938',
      description: 'Only the one with this `workspaceReferenceId`. Case and spaces do not matter.',
    }),
  ),
  reference: Type.Optional(
    Text(1, 25, {
      description: 'Only those with this reference of the lender. Case does not matter.',
      examples: ['REM-2026-0042'],
    }),
  ),
  own_reference: Type.Optional(
    Text(1, 25, {
      description: 'Only those with this `ownReference` of yours. Case does not matter.',
      examples: ['HC/2026/118'],
    }),
  ),
  registry_reference: Type.Optional(
    Text(1, 50, { description: 'Only the one whose case has this `registryReference`.', examples: ['A123BCD'] }),
  ),
  title_number: Type.Optional(
    TitleNumber({ description: 'Only those of this title, searched or not. Case and spaces do not matter.' }),
  ),
  postcode: Type.Optional(
    Postcode({ description: 'Only those whose property has it. Case and spaces do not matter.' }),
  ),
  borrower: Type.Optional(
    Text(2, 160, {
      description:
        'Only those with a borrower whose surname, or whose organisation’s name, begins with this. Names are compared as ' +
        'in title reconciliation: case, accents, hyphens and spaces do not matter. Those who leave the title do not count.',
      examples: ['prynne'],
    }),
  ),
  completion_date_from: Type.Optional(FromTo('Only those that complete on this day or later.')),
  completion_date_to: Type.Optional(FromTo('Only those that complete on this day or earlier.')),
  changed_since: Type.Optional(
    Moment('Only those whose `lastModifiedAt` is this time or later. Write the `+` of an offset as `%2B`.'),
  ),
})

export const TimelinePage = Page(
  'TimelinePage',
  Answer('TimelineRecord', {
    at: Timestamp({ description: 'When it happened, by the clock of the service.' }),
    type: Choice(Object.keys(EVENT_TYPES) as EventType[], { description: 'The same as in webhooks and the feed.' }),
    by: Type.String({
      minLength: 1,
      description: 'The person of `X-Acting-User`, else the client id; `system` for the service itself.',
      examples: ['case.handler@example.com'],
    }),
    correlationId: Type.String({
      minLength: 1,
      description: 'The `X-Request-Correlation-Id` of the request that caused it, where one did.',
      examples: ['2f1a4c1e-8a55-4f0e-9a0e-6a3f1f6f9f10'],
    }),
    message: Type.String({
      minLength: 1,
      description: 'What happened, in a sentence for people; of a rejection also why.',
      examples: ['A workspace was created.'],
    }),
  }),
)

export type WorkspaceQuery = Static<typeof WorkspaceQuery>
export type WorkspaceSummary = Static<typeof WorkspaceSummary>
