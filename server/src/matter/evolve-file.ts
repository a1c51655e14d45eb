import type { Actor } from '../audit/record.ts'
import type { FileChange } from '../documents/rules.ts'
import type { DocumentRow } from '../lodgement/records.ts'
import type { Matter, MatterFile } from './matter.ts'
import { made, modified, remember } from './move.ts'

/** The matter after a change of a file. One of an application that a person uploads or withdraws is a change of it. */
export function evolveFile(matter: Matter, change: FileChange, actor: Actor): Matter {
  switch (change.kind) {
    case 'registry document received': {
      const { applicationId: _, reason: failureReason, ...file } = { reason: undefined, ...change.file }
      const received = { ...file, ...(failureReason && { failureReason }), correlationId: actor.correlationId }
      return { ...matter, files: [...matter.files, { ...received, ...made(actor) }] }
    }
    case 'file uploaded':
      return changed(uploadFile(matter, change, actor), change, actor)
    case 'file processed': {
      const { fileId, outcome, superseded } = change
      const failure = outcome.status === 'FAILED' ? { failureReason: outcome.reason } : {}
      const settled = withFile(matter, fileId, { status: outcome.status, ...failure, ...modified(actor) })
      return superseded.reduce(
        (left, { fileId, by }) => withFile(left, fileId, { supersededBy: by, ...modified(actor) }),
        settled,
      )
    }
    case 'file withdrawn':
      return changed(withFile(matter, change.fileId, { status: 'WITHDRAWN', ...modified(actor) }), change, actor)
  }
}

function uploadFile(matter: Matter, { file, applicationId }: Uploaded, actor: Actor): Matter {
  const { applicationId: _, ...facts } = file
  const { correlationId } = actor
  const row = {
    ...facts,
    ...(applicationId !== undefined && { applicationId }),
    status: 'PENDING',
    correlationId,
    ...made(actor),
  } as const
  if (applicationId === undefined) return { ...matter, files: [...matter.files, row] }
  const applications = matter.applications.map((one) =>
    one.applicationId === applicationId
      ? { ...one, documents: [...one.documents, row as unknown as DocumentRow] }
      : one,
  )
  return { ...matter, applications }
}

type Uploaded = Extract<FileChange, { kind: 'file uploaded' }>

function changed(matter: Matter, { applicationId }: { applicationId?: string }, actor: Actor): Matter {
  if (applicationId === undefined) return matter
  const { lodgementCase } = matter
  return { ...matter, lodgementCase: { ...lodgementCase, ...remember(lodgementCase, actor) } }
}

function withFile(matter: Matter, fileId: string, facts: Partial<MatterFile>): Matter {
  const change = <F extends { fileId: string }>(one: F): F => (one.fileId === fileId ? { ...one, ...facts } : one)
  const applications = matter.applications.map((one) =>
    one.documents.some((document) => document.fileId === fileId)
      ? { ...one, documents: one.documents.map(change) }
      : one,
  )
  return { ...matter, applications, files: matter.files.map(change) }
}

/** The copies that came with a title are not for whom the title was removed from. */
export const withoutSearched = ({ files, title }: Matter, actor: Actor): Matter['files'] =>
  files.map((one) =>
    title && one.registryDocument?.messageId === title.titleId
      ? { ...one, status: 'WITHDRAWN', ...modified(actor) }
      : one,
  )
