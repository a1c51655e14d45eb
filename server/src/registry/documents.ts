import type { Transaction } from '../platform/database/db.ts'
import { schedule } from '../platform/jobs/due.ts'
import type { Notice } from './lodgement.ts'

// Documents that the registry sends: letters, completion documents, copies of a register.

export const REGISTRY_DOCUMENT_KINDS = [
  'LETTER',
  'CANCELLATION_LETTER',
  'COMPLETION_SHEET',
  'REGISTER_COPY',
  'TITLE_PLAN',
  'OTHER',
] as const

/** `documentId` is the registry's id of it, the same whenever it is named. `name` becomes the name of the file. */
export type RegistryDocument = { documentId: string; kind: (typeof REGISTRY_DOCUMENT_KINDS)[number]; name: string }

export const FETCH_JOB = 'documents.fetch'

/** A document that was announced with a search or a submission, and with which requisition, if any. */
export type Announced = {
  workspaceId: string
  messageId: string
  document: RegistryDocument
  registryId?: string
}

export type FetchPayload = Announced & { announcedAt: string }

/** Plans to fetch a document now or, when the registry could not give it, later. */
export const planFetch = (tx: Transaction, at: Date, payload: FetchPayload, context: { correlationId: string }): void =>
  schedule(tx, at, FETCH_JOB, payload, context, `${FETCH_JOB}:${payload.messageId}:${payload.document.documentId}`)

/** The documents of notices, each with its requisition. */
export const documentsIn = (notices: readonly Notice[]): Pick<Announced, 'document' | 'registryId'>[] =>
  notices.flatMap((notice) => {
    const requisition = notice.kind === 'requisitioned' ? { registryId: notice.registryId } : {}
    return (notice.documents ?? []).map((document) => ({ document, ...requisition }))
  })
