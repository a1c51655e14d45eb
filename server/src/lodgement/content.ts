import type {
  ApplicationParticulars,
  DeedReferenceType,
  LodgedApplication,
  LodgedDocument,
  LodgedParty,
  Lodgement,
  TransferTerms,
} from '../registry/lodgement.ts'
import type { Name } from '../workspaces/names.ts'
import { feeOf, hasTransfer } from './fees.ts'
import { type ApplicationType, priorities, termsOf } from './rules.ts'

// What is sent to the registry, put together from what is stored. Pure.

/** All of a workspace that is lodged. */
export type CaseToLodge = {
  customerReference: string
  titleNumber: string
  completedOn: string
  lender: string
  lodgedBy: string
  /** Null where the approval did not state it. */
  disclosableOverridingInterests?: boolean | null
  parties: (LodgedParty & { partyId: string; proprietorId?: string })[]
  /** The proprietor whom each borrower is. */
  links: ReadonlyMap<string, string>
  /** In the order of the register. */
  proprietors: readonly { proprietorId: string; name: Name; registeredName: Name; outgoing: boolean }[]
  /** Those that are not withdrawn, oldest first. */
  applications: ApplicationToLodge[]
}

export type ApplicationToLodge = TransferTerms & {
  applicationId: string
  applicationType: ApplicationType
  status: string
  proprietorId?: string
  transactionValuePence?: number
  mortgageDeedReference?: string
  mortgageDeedReferenceType?: DeedReferenceType
  documents: LodgedDocument[]
}

export function lodgementOf(toLodge: CaseToLodge, submittedBy: string): Lodgement {
  const { proprietors: _, links: __, applications, disclosableOverridingInterests: interests, ...matter } = toLodge
  const disclosed = typeof interests === 'boolean' && { disclosableOverridingInterests: interests }
  const priorityOf = priorities(applications)
  const beside = { hasTransfer: hasTransfer(applications) }
  const lodged = applications.map((one): LodgedApplication => {
    const { applicationId, documents } = one
    const priority = priorityOf.get(applicationId) ?? missing(one, 'priority')
    const feePence = feeOf(one, beside)
    const common = { applicationId, priority, ...(feePence !== undefined && { feePence }), documents }
    return { ...common, ...particularsOf(one, toLodge) }
  })
  const inOrder = lodged.sort((a, b) => a.priority - b.priority)
  return { ...matter, ...disclosed, submittedBy, parties: partiesOf(toLodge), applications: inOrder }
}

/** Each with the place in the register of the proprietor who it is, whatever the spelling of the name. */
const partiesOf = ({ parties, proprietors, links }: CaseToLodge): LodgedParty[] =>
  parties.map(({ partyId, proprietorId = links.get(partyId), ...party }) => {
    const position = proprietors.findIndex((one) => one.proprietorId === proprietorId) + 1
    return { ...party, ...(position > 0 && { position }) }
  })

function particularsOf(application: ApplicationToLodge, { proprietors, parties }: CaseToLodge): ApplicationParticulars {
  const registered = proprietors.map(({ registeredName }, index) => ({ position: index + 1, name: registeredName }))
  switch (application.applicationType) {
    case 'MORTGAGE_DEED':
      return {
        type: 'MORTGAGE_DEED',
        transactionValuePence: application.transactionValuePence ?? missing(application, 'transactionValue'),
        deedReference: application.mortgageDeedReference ?? missing(application, 'mortgageDeedReference'),
        deedReferenceType: application.mortgageDeedReferenceType ?? missing(application, 'mortgageDeedReferenceType'),
      }
    case 'CHANGE_OF_NAME': {
      const index = proprietors.findIndex(({ proprietorId }) => proprietorId === application.proprietorId)
      const proprietor = registered[index] ?? missing(application, 'proprietor')
      return { type: 'CHANGE_OF_NAME', proprietor, newName: proprietors[index]?.name ?? proprietor.name }
    }
    case 'TRANSFER_OF_WHOLE': {
      const { transactionValuePence } = application
      return {
        type: 'TRANSFER_OF_WHOLE',
        outgoing: registered.filter((_, index) => proprietors[index]?.outgoing),
        remaining: registered.filter((_, index) => !proprietors[index]?.outgoing),
        incoming: parties.filter(({ role }) => role === 'INCOMING_PROPRIETOR').map(({ name }) => name),
        ...(transactionValuePence !== undefined && { transactionValuePence }),
        terms: termsOf(application),
      }
    }
    default:
      return { type: application.applicationType }
  }
}

// Readiness was reviewed before the approval that this sends.
function missing({ applicationId }: ApplicationToLodge, what: string): never {
  throw new Error(`The application ${applicationId} was approved without its ${what}.`)
}
