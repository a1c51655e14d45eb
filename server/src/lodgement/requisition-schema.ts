import { Id, PathId } from '../events/ids.ts'
import { Answer, Closed, Text, Type, Uuid } from '../platform/http/schema.ts'
import { CaseStatus } from '../workspaces/shapes.ts'

const MESSAGE_CHARACTERS_MAX = 4_000
const FILES_MAX = 20

export const RequisitionReplyPath = Type.Object({ lodgement_case_id: PathId.lodgement_case_id })

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

export const RequisitionReplyAnswer = Answer('RequisitionReplyAnswer', {
  requisitionId: Id.requisitionId,
  lodgementCaseStatus: CaseStatus,
})
