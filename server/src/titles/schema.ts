import { Id, PathId } from '../events/ids.ts'
import {
  Answer,
  CalendarDate,
  Choice,
  Closed,
  HISTORY_ITEMS_MAX,
  Timestamp,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { SearchStatus, TitleNumber } from '../workspaces/shapes.ts'

export const TITLE_DOCUMENT_TYPES = [
  'TITLE_REGISTER',
  'TITLE_INFORMATION_DOCUMENT',
  'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT',
] as const

export const AddTitlePath = Type.Object({ workspace_id: PathId.workspace_id })

export const TitlePath = Type.Object({ workspace_id: PathId.workspace_id, title_id: PathId.title_id })

export const AddTitleRequest = Closed(
  { titleNumber: TitleNumber({ description: 'Spaces are removed and letters made upper case first.' }) },
  { title: 'AddTitleRequest' },
)

export const AddTitleAnswer = Answer('AddTitleAnswer', {
  workspaceId: Id.workspaceId,
  titleId: Id.titleId,
  titleNumber: TitleNumber(),
  lastTitleSearchStatus: SearchStatus,
})

export const TitleDocumentsPath = Type.Object({
  lodgement_case_id: PathId.lodgement_case_id,
  title_id: PathId.title_id,
})

export const TitleDocumentsQuery = Type.Object({
  document_type: Type.Optional(
    Choice(TITLE_DOCUMENT_TYPES, { description: 'Only those of this type. All when left out.' }),
  ),
})

const RegisterExtract = Answer(
  'RegisterExtract',
  {
    ocSummaryData: Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 100,
      description: 'Title, proprietorship, restrictions and charges as data.',
      examples: [{ editionDate: '2012-06-01', title: { titleNumber: 'ST500678' } }],
    }),
    ocRegisterData: Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 100,
      description: 'The property, proprietorship and charges registers, entry by entry.',
      examples: [{ propertyRegister: { registerEntry: [] } }],
    }),
  },
  { description: 'The register as it then stood, for programs and as it is printed.' },
)

export const TitleDocuments = Answer('TitleDocuments', {
  records: Type.Array(
    Answer('TitleDocumentRecord', {
      titleDocumentId: Uuid({ description: 'One for each document that the registry issued.' }),
      documentType: Choice(TITLE_DOCUMENT_TYPES, {
        description:
          'The register comes of the title search, the second of the registration, the third of a discharge that the ' +
          'registry completed later.',
      }),
      titleId: Id.titleId,
      titleNumber: TitleNumber(),
      officialCopyDateTime: Timestamp({ description: 'The moment at which the register stood so.' }),
      editionDate: CalendarDate({ description: 'When any entry of the register was last changed.' }),
      createdAt: Timestamp({ description: 'When the document reached this platform.' }),
      registerExtract: RegisterExtract,
    }),
    { maxItems: HISTORY_ITEMS_MAX, description: 'Newest first. Empty before the title search succeeded.' },
  ),
})

export const LodgementDocumentPath = Type.Object({ lodgement_case_id: PathId.lodgement_case_id })

export const LodgementDocumentQuery = Type.Object({
  document_type: Choice(['TITLE_INFORMATION_DOCUMENT'], { description: 'The only one that can be downloaded.' }),
})

export const LodgementDocument = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'The completion document as a PDF.',
})
