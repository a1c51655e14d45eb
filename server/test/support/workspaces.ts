import assert from 'node:assert/strict'
import { type Answer, PARTNER, type TestService } from './service.ts'

// Workspaces as tests make them and look at them.

export const LENDER_ID = '10000000-0000-4000-8000-000000000001'
export const FIRM_ID = '20000000-0000-4000-8000-000000000001'
export const OTHER_FIRM_ID = '20000000-0000-4000-8000-000000000002'
export const UNKNOWN_ID = '99999999-9999-4999-8999-999999999999'

export const LENDER = { as: 'sandbox-lender' }
export const OTHER_LENDER = { as: 'sandbox-other-lender' }
export const FIRM = { as: 'sandbox-law-firm' }
export const OTHER_FIRM = { as: 'sandbox-other-firm' }

export const CREATE = `${PARTNER}/remortgage/workspaces`
export const WORKSPACES = `${PARTNER}/workspaces`
export const CASES = `${PARTNER}/lodgement-cases`

export const aBorrower = (forenames = 'William', surname = 'Prynne', firmId = FIRM_ID) => ({
  type: 'INDIVIDUAL',
  role: 'BORROWER',
  partyDetails: { forenames, surname },
  participants: [{ id: firmId, role: 'CONVEYANCER' }],
})

export const aCompany = (organisationName = 'Turner Holdings Limited', registrationNumber?: string) => ({
  type: 'ORGANISATION',
  role: 'BORROWER',
  partyDetails: { organisationName, ...(registrationNumber && { registrationNumber }) },
  participants: [{ id: FIRM_ID, role: 'CONVEYANCER' }],
})

type Facts = { reference?: string; titleNumber?: string; postcode?: string; parties?: unknown[] }

/** The body of a creation; a test names what it is about. */
export const aCreation = ({ reference = 'REM-1', titleNumber, postcode = 'EX4 3AN', parties }: Facts = {}) => ({
  reference,
  property: {
    securityAddress: { number: '83', street: 'Fore Street', town: 'Exeter', postcode },
    ...(titleNumber && { titleNumber }),
  },
  parties: parties ?? [aBorrower('William'), aBorrower('Tracey')],
})

export type Created = { reference: string; workspaceId: string; workspaceReferenceId: string }

/** A workspace of the first lender and the first firm. Its search, where it has a title number, may still run. */
export async function aWorkspace(service: TestService, facts: Facts = {}, as = LENDER): Promise<Created> {
  const answer = await service.call<Created>('POST', CREATE, { ...as, json: aCreation(facts) })
  assert.equal(answer.status, 202, answer.text)
  return answer.body
}

/** The same, once the registry has answered. */
export async function aSearchedWorkspace(service: TestService, titleNumber: string, parties?: unknown[]) {
  const created = await aWorkspace(service, { titleNumber, ...(parties && { parties }) })
  await drain(service)
  return created
}

/** Runs all that is due now. */
export const drain = (service: TestService) => move(service, 'PT0S')

export async function move(service: TestService, advance: string): Promise<void> {
  const { status, text } = await service.call('POST', '/sandbox/v1/clock', { json: { advance } })
  assert.equal(status, 200, text)
}

export type ShownWorkspace = {
  status: string
  reference: string
  workspaceReferenceId: string
  jurisdiction: string
  securityAddress: Record<string, string>
  parties: { partyId: string; type: string; role: string; partyDetails: Record<string, string> }[]
  participants: { subscriberId: string; name: string; role: string }[]
  titles: { titleId: string; titleNumber: string; tenure?: string; lastTitleSearchStatus: string }[]
  transferOfEquity: boolean
  borrowersValidationStatus: string
  canBeCancelled: boolean
  canBeUnapproved: boolean
  readyForApproval: boolean
  isLocked: boolean
  hardLocked: boolean
  auditAttributes: Record<'createdAt' | 'createdBy' | 'lastModifiedAt' | 'lastModifiedBy', string>
}

export async function readWorkspace(service: TestService, workspaceId: string, as = LENDER): Promise<ShownWorkspace> {
  const { status, body, text } = await service.call<ShownWorkspace>('GET', `${WORKSPACES}/${workspaceId}`, as)
  assert.equal(status, 200, text)
  return body
}

/** Puts a workspace and its case into a status, whatever leads there. */
export const setStatus = ({ deps }: TestService, workspaceId: string, status: string, caseStatus = 'CREATED') =>
  deps.db.query(
    `with c as (update lodgement_cases set status = $3 where workspace_id = $1)
     update workspaces set status = $2 where workspace_id = $1`,
    [workspaceId, status, caseStatus],
  )

export type ShownCase = {
  lodgementCaseId: string
  lodgementCaseStatus: string
  lastTitleSearchStatus?: string
  titleSearchFailure?: string
  titles: { titleId: string; titleNumber: string; tenure?: string }[]
  applications: (ShownApplication & {
    priority?: number
    documents: (ShownDocument & Record<'documentType' | 'documentCategory' | 'certificationType', string>)[]
    parties: ShownWorkspace['parties']
  })[]
  auditAttributes: ShownWorkspace['auditAttributes']
}

type ShownDocument = {
  fileId: string
  fileName: string
  fileUploadStatus: string
  auditAttributes: ShownWorkspace['auditAttributes']
}

export type ShownApplication = {
  applicationId: string
  applicationType: string
  status: string
  submittedAt?: string
  submittedBy?: string
  auditAttributes: ShownWorkspace['auditAttributes']
  file?: ShownDocument
  attributes: Record<string, unknown>
}

export async function readCase(service: TestService, workspaceId: string, as = FIRM): Promise<ShownCase> {
  const path = `${CASES}?workspace_id=${workspaceId}`
  const { status, body, text } = await service.call<{ records: ShownCase[] }>('GET', path, as)
  assert.equal(status, 200, text)
  const [record, ...more] = body.records
  assert.ok(record && more.length === 0, 'a workspace has one case')
  return record
}

/** Type and status of each application, in order of priority; those that are withdrawn come last. */
export const applicationsOf = ({ applications }: ShownCase): string[] =>
  [...applications]
    .sort((a, b) => (a.priority ?? Number.POSITIVE_INFINITY) - (b.priority ?? Number.POSITIVE_INFINITY))
    .map(({ applicationType, status }) => `${applicationType} ${status}`)

export type StoredEvent = {
  type: string
  told: string[]
  data: Record<string, string>
  actor: string
  correlationId: string
  message: string | null
}

export const eventsOf = ({ deps }: TestService, workspaceId: string): Promise<StoredEvent[]> =>
  deps.db.query<StoredEvent>(
    `select type, told, data, actor, correlation_id as "correlationId", message
       from events where workspace_id = $1 order by seq`,
    [workspaceId],
  )

export const eventTypesOf = async (service: TestService, workspaceId: string): Promise<string[]> =>
  (await eventsOf(service, workspaceId)).map(({ type }) => type)

export type StoredEntry = {
  action: string
  clientId?: string
  actingUser?: string
  correlationId: string
  ids: Record<string, string>
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export async function auditOf({ deps }: TestService, workspaceId: string): Promise<StoredEntry[]> {
  const rows = await deps.db.query<{ entry: StoredEntry }>(
    'select entry from audit_entries where chain = $1 order by seq',
    [workspaceId],
  )
  return rows.map(({ entry }) => entry)
}

/** The header of a client that left all scopes but this one at home. */
export async function narrowToken(service: TestService, clientId: string, scope = 'x-api:view:reports') {
  const json = { grant_type: 'client_credentials', client_id: clientId, client_secret: `${clientId}-secret`, scope }
  const { body } = await service.call('POST', '/oauth/token', { json })
  return { authorization: `Bearer ${body['access_token']}` }
}

type Fault = { field?: string; message: string }

export const faultsOf = ({ body }: Pick<Answer, 'body'>): Fault[] => (body as { errors?: Fault[] }).errors ?? []

/** The fields at fault, sorted; an error without one is an empty text. */
export const fieldsOf = (answer: Pick<Answer, 'body'>): string[] =>
  faultsOf(answer)
    .map(({ field = '' }) => field)
    .sort()

/** A copy with another value at a dotted place; without it where the value is undefined. */
export function put<T extends object>(body: T, place: string, value: unknown): T {
  const copy = structuredClone(body)
  const steps = place.split(/[.[\]]+/).filter((step) => step !== '')
  const last = steps.pop() ?? ''
  const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], copy) as Record<
    string,
    unknown
  >
  if (value === undefined) delete target[last]
  else target[last] = value
  return copy
}
