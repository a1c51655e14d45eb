import { Answer, CalendarDate, Closed, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { SEARCH_STATUSES, TitleNumber } from '../workspaces/shapes.ts'

export const TITLE_DOCUMENT_TYPES = [
  'TITLE_REGISTER',
  'TITLE_INFORMATION_DOCUMENT',
  'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT',
] as const

export const AddTitlePath = Type.Object({ workspace_id: Uuid() })

export const AddTitleRequest = Closed({ titleNumber: TitleNumber() }, { title: 'AddTitleRequest' })

export const AddTitleAnswer = Answer('AddTitleAnswer', {
  workspaceId: Uuid(),
  titleId: Uuid(),
  titleNumber: Type.String({ examples: ['ST500678'] }),
  lastTitleSearchStatus: Type.Enum([...SEARCH_STATUSES]),
})

export const TitleDocumentsPath = Type.Object({ lodgement_case_id: Uuid(), title_id: Uuid() })

export const TitleDocumentsQuery = Type.Object({
  document_type: Type.Optional(Type.Enum([...TITLE_DOCUMENT_TYPES])),
})

export const TitleDocuments = Answer('TitleDocuments', {
  records: Type.Array(
    Answer('TitleDocumentRecord', {
      titleDocumentId: Uuid(),
      documentType: Type.Enum([...TITLE_DOCUMENT_TYPES]),
      titleId: Uuid(),
      titleNumber: Type.String({ examples: ['ST500678'] }),
      officialCopyDateTime: Timestamp(),
      editionDate: CalendarDate(),
      createdAt: Timestamp(),
      registerExtract: Answer('RegisterExtract', {
        ocSummaryData: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Title, proprietorship, restrictions and charges as data.',
          examples: [{ editionDate: '2012-06-01', title: { titleNumber: 'ST500678' } }],
        }),
        ocRegisterData: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The property, proprietorship and charges registers, entry by entry.',
          examples: [{ propertyRegister: { registerEntry: [] } }],
        }),
      }),
    }),
  ),
})

export const LodgementDocumentPath = Type.Object({ lodgement_case_id: Uuid() })

export const LodgementDocumentQuery = Type.Object({ document_type: Type.Enum(['TITLE_INFORMATION_DOCUMENT']) })

export const LodgementDocument = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'The completion document as a PDF.',
})
