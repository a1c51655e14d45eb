import { isDeepStrictEqual } from 'node:util'
import { conflict, type FieldError, invalid } from '../platform/errors.ts'
import type { DeedReferenceType, TransferTerms } from '../registry/lodgement.ts'
import type { PartyRole } from '../workspaces/ownership.ts'
import type { Part } from '../workspaces/status.ts'

// Which applications a case consists of, given what there is to register, and how one may be changed. Pure.

/** In order of priority at the registry. */
export const APPLICATION_TYPES = [
  'DISCHARGE',
  'CHANGE_OF_NAME',
  'TRANSFER_OF_WHOLE',
  'CANCEL_A_RESTRICTION',
  'MORTGAGE_DEED',
] as const

export type ApplicationType = (typeof APPLICATION_TYPES)[number]

export type Application = {
  applicationId: string
  applicationType: ApplicationType
  status: string
  /** The proprietor whose change of name it registers. */
  proprietorId?: string
}

/** What there is to register beside the new charge. */
export type Causes = {
  registerHasCharge: boolean
  registerHasRestriction: boolean
  transfer: boolean
  renamedProprietorIds: readonly string[]
}

export type Wanted = { applicationType: ApplicationType; proprietorId?: string }

export type ApplicationPlan = { add: Wanted[]; withdraw: Application[] }

/** A withdrawn application stays withdrawn; when its cause returns, a new one is made. */
export function planApplications(existing: readonly Application[], causes: Causes): ApplicationPlan {
  const wanted = wantedApplications(causes)
  const open = existing.filter(({ status }) => status !== 'WITHDRAWN')
  return {
    add: wanted.filter((one) => !open.some((application) => isFor(application, one))),
    withdraw: open.filter((application) => !wanted.some((one) => isFor(application, one))),
  }
}

function wantedApplications(causes: Causes): Wanted[] {
  const { registerHasCharge, registerHasRestriction, transfer, renamedProprietorIds } = causes
  return [
    ...(registerHasCharge ? [{ applicationType: 'DISCHARGE' as const }] : []),
    ...renamedProprietorIds.map((proprietorId) => ({ applicationType: 'CHANGE_OF_NAME' as const, proprietorId })),
    ...(transfer ? [{ applicationType: 'TRANSFER_OF_WHOLE' as const }] : []),
    ...(transfer && registerHasRestriction ? [{ applicationType: 'CANCEL_A_RESTRICTION' as const }] : []),
    { applicationType: 'MORTGAGE_DEED' },
  ]
}

const isFor = (application: Application, { applicationType, proprietorId }: Wanted) =>
  application.applicationType === applicationType && application.proprietorId === proprietorId

/** A discharge needs nothing for approval; every other application begins as a draft. */
export const firstStatus = (type: ApplicationType) => (type === 'DISCHARGE' ? 'READY' : 'DRAFT')

/** Consecutive from 1 among the applications that count; those that are withdrawn have none. */
export function priorities(applications: readonly Application[]): Map<string, number> {
  const counted = applications.filter(({ status }) => status !== 'WITHDRAWN')
  const ordered = APPLICATION_TYPES.flatMap((type) => counted.filter(({ applicationType }) => applicationType === type))
  return new Map(ordered.map(({ applicationId }, index) => [applicationId, index + 1]))
}

/** A party, with the proprietor whom it is, becomes or represents, where that is known. */
export type KnownParty = {
  role: PartyRole
  proprietorId?: string
}

/** Whom an application concerns: those who charge, who own, whose name it is; in a transfer, who give and who take. */
export function concernedParties<P extends KnownParty>(
  { applicationType, proprietorId }: Pick<Application, 'applicationType' | 'proprietorId'>,
  parties: readonly P[],
): P[] {
  switch (applicationType) {
    case 'MORTGAGE_DEED':
      return parties.filter(({ role }) => role !== 'OUTGOING_PROPRIETOR')
    case 'DISCHARGE':
      return parties.filter((party) => party.role !== 'INCOMING_PROPRIETOR' && party.proprietorId !== undefined)
    case 'CHANGE_OF_NAME':
      return parties.filter((party) => party.proprietorId === proprietorId)
    case 'TRANSFER_OF_WHOLE':
    case 'CANCEL_A_RESTRICTION':
      return [...parties]
  }
}

/** What a law firm says of an application: its value, the facts of a mortgage deed, the terms of a transfer. */
export type Particulars = TransferTerms & {
  transactionValuePence?: number
  mortgageDeedReference?: string
  mortgageDeedReferenceType?: DeedReferenceType
  isEffective?: boolean
}

/** What a law firm does to an application. That the deed takes effect changes nothing that was approved. */
export type ApplicationChange = {
  kind: 'application updated' | 'deed effect updated'
  applicationId: string
  before: Particulars
  after: Particulars
}

export const particularsOf = (row: Particulars): Particulars => picked(row, PARTICULARS)

const OF_A_DEED = ['mortgageDeedReference', 'mortgageDeedReferenceType', 'isEffective'] as const
export const OF_A_TRANSFER = [
  'titleGuarantee',
  'considerationType',
  'considerationDescription',
  'trustDeclaration',
  'trustDetails',
  'transactionValueBand',
  'outstandingChargePence',
] as const satisfies readonly (keyof TransferTerms)[]
const PARTICULARS = ['transactionValuePence', ...OF_A_DEED, ...OF_A_TRANSFER] as const

/** The terms of a transfer alone. */
export const termsOf = (row: TransferTerms): TransferTerms => picked(row, OF_A_TRANSFER)

const picked = <T extends object>(row: T, names: readonly (keyof T)[]) =>
  Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]])) as Partial<T>

/** The particulars after the change, which must fit together: the same object where nothing changes. */
export function updateApplication(
  { applicationType, status, documents }: Pick<Application, 'applicationType' | 'status'> & Documents,
  before: Particulars,
  asked: Particulars,
): Particulars {
  const errors = [
    ...unexpectedIn(asked, OF_A_DEED, 'MORTGAGE_DEED', applicationType),
    ...unexpectedIn(asked, OF_A_TRANSFER, 'TRANSFER_OF_WHOLE', applicationType),
  ]
  if (errors.length) throw invalid(...errors)
  const after = { ...before, ...asked }
  const conflicts = [...withdrawnErrors(status), ...referenceErrors(after, documents)]
  if (conflicts.length) throw conflict(...conflicts)
  return isDeepStrictEqual(after, before) ? before : after
}

/** Whether an update says only that the deed is effective: it may come later than any other, and changes nothing approved. */
export const isEffectAlone = (asked: object): boolean => Object.keys(asked).join() === 'isEffective'

/** What of a workspace an application and its documents are. */
export const partOf = (application: { applicationType: ApplicationType } | undefined): Part =>
  application?.applicationType === 'DISCHARGE' ? 'discharge and its documents' : 'applications and their documents'

/** What of a workspace an update touches. */
export const partOfUpdate = (application: { applicationType: ApplicationType } | undefined, asked: object): Part =>
  isEffectAlone(asked) ? "deed's effect" : partOf(application)

/** A digital deed becomes effective at completion, and the case is not sent before. */
export const awaitsEffect = (applications: readonly (Application & Particulars)[]): boolean =>
  applications.some(
    ({ applicationType, mortgageDeedReferenceType, isEffective }) =>
      applicationType === 'MORTGAGE_DEED' && mortgageDeedReferenceType === 'DIGITAL' && isEffective !== true,
  )

/** Amounts are in pence inside, and in pounds on the wire. */
const unexpectedIn = (asked: Particulars, names: readonly (keyof Particulars)[], of: ApplicationType, type: string) =>
  names
    .filter((name) => of !== type && asked[name] !== undefined)
    .map((name): FieldError => {
      const field = name.replace(/Pence$/, '')
      return { field, message: `${field} is only expected for an application of the type ${of}.` }
    })

const withdrawnErrors = (status: string): FieldError[] =>
  status === 'WITHDRAWN' ? [{ message: 'The application is WITHDRAWN and can no longer be changed.' }] : []

type Documents = { documents: readonly { documentType: string; status: string }[] }

function referenceErrors(after: Particulars, documents: Documents['documents']): FieldError[] {
  const { mortgageDeedReference, mortgageDeedReferenceType, isEffective } = after
  if (mortgageDeedReferenceType !== 'DIGITAL' || mortgageDeedReference !== undefined) return []
  const hasDeed = documents.some(
    ({ documentType, status }) => documentType === 'MORTGAGE_DEED' && (status === 'PENDING' || status === 'SUCCESS'),
  )
  if (!isEffective && !hasDeed) return []
  const when = isEffective ? 'before a DIGITAL deed can be effective' : 'for a DIGITAL deed whose document is attached'
  return [{ field: 'mortgageDeedReference', message: `mortgageDeedReference must be set ${when}.` }]
}
