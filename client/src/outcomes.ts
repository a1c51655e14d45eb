import { call } from './call.ts'
import { LodgewayError } from './errors.ts'
import { records } from './pages.ts'
import type { Context } from './perform.ts'
import type { Schemas } from './types.ts'
import { OutcomeError, poll, type WaitOptions } from './wait.ts'

// The outcomes of requests that were accepted for later. Each function resolves with a success and throws a failure.

type Representation = Schemas['Representation']
type Case = Schemas['LodgementCaseRecord']

export async function waitForRepresentation(
  context: Context,
  accepted: { workspaceId: string; partyId: string; representationId?: string },
  options: WaitOptions = {},
): Promise<Representation> {
  const what = `The representation of party ${accepted.partyId}`
  const seen = await poll(
    { what: `${what} was not active`, statusOf: (found) => found?.status },
    () => representationOf(context, accepted, options.signal),
    (found) => found !== undefined && found.status !== 'QUEUED',
    options,
  )
  if (seen?.status === 'FAILED') throw new OutcomeError(what, seen.failureReason ?? 'no reason', seen)
  return seen as Representation
}

/** The response names its representation only where an external firm acts. Otherwise it is the party's newest. */
async function representationOf(
  context: Context,
  { workspaceId, partyId, representationId }: Parameters<typeof waitForRepresentation>[1],
  signal: AbortSignal | undefined,
): Promise<Representation | undefined> {
  const path = { workspace_id: workspaceId }
  if (representationId) {
    const input = { path: { ...path, representation_id: representationId }, signal }
    return (await call(context, 'getRepresentation', input)).data
  }
  let newest: Representation | undefined
  for await (const one of records(context, 'listRepresentations', { path, query: { limit: 100 }, signal })) {
    if (one.partyId === partyId) newest = one
  }
  return newest
}

export async function waitForTitleSearch(
  context: Context,
  accepted: { workspaceId: string },
  options: WaitOptions = {},
): Promise<Case> {
  const isAnswered = ({ lastTitleSearchStatus: status }: Case) => status === 'SUCCESS' || status === 'FAILED'
  const what = `The title search of workspace ${accepted.workspaceId}`
  const seen = await poll(
    { what: `${what} was not answered`, statusOf: ({ lastTitleSearchStatus }) => lastTitleSearchStatus },
    () => caseOf(context, accepted, options.signal),
    isAnswered,
    options,
  )
  if (seen.lastTitleSearchStatus === 'SUCCESS') return seen
  throw new OutcomeError(what, seen.titleSearchFailure ?? 'no reason', seen)
}

export async function waitForFile(
  context: Context,
  { workspaceId, fileId }: { workspaceId: string; fileId: string },
  options: WaitOptions = {},
): Promise<Schemas['WorkspaceFile']> {
  const input = { path: { workspace_id: workspaceId, file_id: fileId }, signal: options.signal }
  const what = `The upload of file ${fileId}`
  const seen = await poll(
    { what: `${what} was not checked`, statusOf: ({ fileUploadStatus }) => fileUploadStatus },
    async () => (await call(context, 'getFile', input)).data,
    ({ fileUploadStatus }) => fileUploadStatus !== 'PENDING',
    options,
  )
  if (seen.fileUploadStatus === 'SUCCESS') return seen
  throw new OutcomeError(what, seen.failureReason ?? seen.fileUploadStatus, seen)
}

export async function waitForCase(
  context: Context,
  accepted: { workspaceId: string },
  statuses: readonly Case['lodgementCaseStatus'][],
  options: WaitOptions = {},
): Promise<Case> {
  const isOver = ({ lodgementCaseStatus: status }: Case) => statuses.includes(status) || status === 'CANCELLED'
  const what = `The case of workspace ${accepted.workspaceId}`
  const seen = await poll(
    {
      what: `${what} did not become ${statuses.join(' or ')}`,
      statusOf: ({ lodgementCaseStatus }) => lodgementCaseStatus,
    },
    () => caseOf(context, accepted, options.signal),
    isOver,
    options,
  )
  if (statuses.includes(seen.lodgementCaseStatus)) return seen
  throw new OutcomeError(what, seen.lodgementCaseStatus, seen)
}

async function caseOf(context: Context, { workspaceId }: { workspaceId: string }, signal?: AbortSignal): Promise<Case> {
  const { data } = await call(context, 'getLodgementCases', { query: { workspace_id: workspaceId }, signal })
  const [record] = data.records
  if (!record) throw new LodgewayError(`Workspace ${workspaceId} has no lodgement case.`)
  return record
}
