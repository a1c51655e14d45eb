import { conflict, type FieldError, Refusal } from '../platform/errors.ts'
import { type CaseStatus, isOpen, type WorkspaceStatus } from '../workspaces/status.ts'

// What can stand against an answer to a requisition. Pure.

/** A UUID may be written in either case, so two texts may be the same id. Given whatever came as the body. */
export function repeatErrors(body: unknown): FieldError[] {
  const { fileIds } = (body ?? {}) as { fileIds?: unknown }
  if (!Array.isArray(fileIds)) return []
  const ids = fileIds.map((id) => (typeof id === 'string' ? id.toLowerCase() : id))
  return new Set(ids).size === ids.length
    ? []
    : [{ field: 'fileIds', message: 'fileIds must not hold the same value twice.' }]
}

export function checkNotEnded(status: WorkspaceStatus, caseStatus: CaseStatus): void {
  if (isOpen(status, 'files', caseStatus)) return
  throw conflict({ message: `The workspace is ${status}: nothing in it can be answered any more.` })
}

/** The requisition that is answered. `statuses` has the files of the workspace among those that are named. */
export function checkAnswer<R>(
  fileIds: readonly string[],
  statuses: ReadonlyMap<string, string>,
  open: R | undefined,
): R {
  const faultsOf = (isAtFault: (fileId: string) => boolean, message: string): FieldError[] =>
    fileIds.flatMap((fileId, index) => (isAtFault(fileId) ? [{ field: `fileIds[${index}]`, message }] : []))
  const unknown = faultsOf((fileId) => !statuses.has(fileId), 'There is no such file in this workspace.')
  if (unknown.length) throw new Refusal('not_found', unknown)
  const unfit = faultsOf(
    (fileId) => statuses.get(fileId) !== 'SUCCESS',
    'Only a file whose upload status is SUCCESS can be sent.',
  )
  if (!open) throw conflict(NOTHING_OPEN, ...unfit)
  if (unfit.length) throw conflict(...unfit)
  return open
}

const NOTHING_OPEN: FieldError = { message: 'There is no open requisition on this case.' }
