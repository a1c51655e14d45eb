// Which applications a case consists of, given what there is to register. Pure.

export const APPLICATION_TYPES = [
  'DISCHARGE',
  'CHANGE_OF_NAME',
  'TRANSFER_OF_WHOLE',
  'CANCEL_A_RESTRICTION',
  'MORTGAGE_DEED',
] as const

/** In order of priority at the registry. */
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
export const firstStatus = (type: ApplicationType): string => (type === 'DISCHARGE' ? 'READY' : 'DRAFT')

/** Consecutive from 1 among the applications that count; those that are withdrawn have none. */
export function priorities(applications: readonly Application[]): Map<string, number> {
  const counted = applications.filter(({ status }) => status !== 'WITHDRAWN')
  const ordered = APPLICATION_TYPES.flatMap((type) => counted.filter(({ applicationType }) => applicationType === type))
  return new Map(ordered.map(({ applicationId }, index) => [applicationId, index + 1]))
}
