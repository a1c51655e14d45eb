import { Id, PathId } from '../events/ids.ts'
import { Answer, Choice, Closed, Email, Page, PageQuery, Text, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { CaseStatus } from '../workspaces/shapes.ts'
import { REQUISITION_STATUSES } from './rules-registry.ts'
import { requisitionParts } from './shapes.ts'

const MESSAGE_CHARACTERS_MAX = 4_000
const FILES_MAX = 20

const Reason = {
  description: 'Why it needs no answer.',
  examples: ['The letter only confirms the date of the inspection.'],
}
const ConfirmedBy = {
  description: 'The e-mail address of the person who read the letter.',
  examples: ['case.handler@harbour.example'],
}

export const RequisitionsQuery = Type.Object(PageQuery)

export const RequisitionPage = Page(
  'RequisitionPage',
  Answer('RequisitionRecord', {
    ...requisitionParts,
    status: Choice(REQUISITION_STATUSES, {
      description:
        '`ANSWERED` until the registry accepts the answer. It stays so where the registry asks again instead, in a ' +
        'requisition of its own, or cancels the case. `LAPSED`: the case was rejected before there was an answer. ' +
        '`NO_ANSWER_NEEDED`: a person said so (`closure`), or the registry went on without an answer.',
    }),
    replies: Type.Array(
      Answer('RequisitionReply', {
        at: Timestamp({ description: 'When it was given.' }),
        by: Type.String({
          minLength: 1,
          description: 'The person of `X-Acting-User`, else the client id.',
          examples: ['case.handler@harbour.example'],
        }),
        message: Type.String({ minLength: 1, description: 'As the registry read it.' }),
        fileIds: Type.Array(Id.fileId, {
          maxItems: FILES_MAX,
          description: 'What was sent with it. These files can be downloaded for as long as the workspace exists.',
        }),
      }),
      { maxItems: 1, description: 'Empty until it is answered. A requisition is answered once.' },
    ),
    closure: Type.Optional(
      Answer(
        'RequisitionClosure',
        {
          at: Timestamp({ description: 'When it was closed.' }),
          reason: Type.String({ minLength: 1, ...Reason }),
          confirmedBy: Email(ConfirmedBy),
        },
        { description: 'Only where a person said that it needs no answer.' },
      ),
    ),
  }),
)

export const RequisitionPath = Type.Object({ lodgement_case_id: PathId.lodgement_case_id })

export const RequisitionReplyRequest = Closed(
  {
    message: Text(1, MESSAGE_CHARACTERS_MAX, { description: 'The answer, as the registry is to read it.' }),
    fileIds: Type.Optional(
      Type.Array(Uuid(), {
        minItems: 0,
        maxItems: FILES_MAX,
        uniqueItems: true,
        description: 'Files of the workspace whose upload status is `SUCCESS`, to be sent with the answer.',
      }),
    ),
  },
  {
    title: 'RequisitionReplyRequest',
    examples: [
      {
        message: 'Please find attached a copy of the deed that shows who witnessed it.',
        fileIds: ['6f1c5e0a-3f0e-4c55-9a52-5d1f6f0b8a01'],
      },
    ],
  },
)

export const RequisitionClosureRequest = Closed(
  { reason: Text(1, 500, Reason), confirmedBy: Email(ConfirmedBy) },
  { title: 'RequisitionClosureRequest' },
)

export const RequisitionReplyAnswer = Answer('RequisitionReplyAnswer', {
  requisitionId: Id.requisitionId,
  lodgementCaseStatus: CaseStatus,
})
