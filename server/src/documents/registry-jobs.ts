import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Actor } from '../audit/record.ts'
import { changeMatterInJob } from '../matter/change.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { Refusal } from '../platform/errors.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { plainError } from '../platform/jobs/workers.ts'
import { FETCH_JOB, type FetchPayload, planFetch } from '../registry/documents.ts'
import { REGISTRY_JOB_RETRIES, type Registry } from '../registry/port.ts'
import { type Outcome, receivedFile } from './rules.ts'
import { scanFile } from './scan.ts'
import { findFetching } from './store.ts'

type Parts = Pick<Deps, 'db' | 'queue' | 'blobs' | 'pdf' | 'scanner' | 'log'>

const BYTES_MAX = 200_000_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Fetches a document of the registry, checks it and stores it byte for byte, once however often the registry named it.
 * One that fails its checks is stored too, but never served: a person can read it at the registry.
 */
export const fetchDocumentJob = (deps: Parts, registry: Pick<Registry, 'openDocument'>): Job<FetchPayload> =>
  job<FetchPayload>({
    name: FETCH_JOB,
    transactional: false,
    concurrency: 4,
    retries: REGISTRY_JOB_RETRIES,
    async run({ correlationId, now }, payload) {
      const { db, queue } = deps
      const { workspaceId, messageId, document } = payload
      const by = await findFetching(db.read, workspaceId, document.documentId)
      if (!by || by.isStored) return
      if (!registry.openDocument) throw new Error('The registry names documents and cannot open them.')
      const actor: Actor = { correlationId, at: now }
      const again = (at: Date) => db.transaction(async (tx) => planFetch(tx, at, payload, actor))

      const { lawFirmId, customerReference } = by
      const firstAskedAt = new Date(payload.announcedAt)
      const call = { now, firstAskedAt, messageId, lawFirmId, customerReference, correlationId }
      const opened = await registry.openDocument(document, call)
      if (opened.kind === 'later') return again(opened.askAgainAt)
      const pauseMs = Math.min(Math.max(now.getTime() - firstAskedAt.getTime(), MINUTE_MS), HOUR_MS)
      const kept = await keep(deps, opened.stream)
      if (!kept) return again(new Date(now.getTime() + pauseMs))

      const { isAcceptable, ...stored } = kept
      const fileId = randomUUID()
      const scanned = await scanFile(deps, { fileId, sha256: stored.sha256, correlationId }, { failures: 0, now })
      if ('againAt' in scanned) return again(scanned.againAt)
      const outcome: Outcome = !scanned.clean
        ? { status: 'FAILED', reason: 'INFECTED' }
        : isAcceptable
          ? { status: 'SUCCESS' }
          : { status: 'FAILED', reason: 'NOT_ACCEPTABLE' }
      const file = receivedFile(payload, { ...stored, fileId, subscriberId: lawFirmId }, outcome)
      const also = (tx: Transaction) => findFetching(tx, workspaceId, document.documentId)
      await db.transaction((tx) =>
        changeMatterInJob(tx, queue, { workspaceId, actor, also }, ({ title, submissions }, found) => {
          const isOurs = title?.titleId === messageId || submissions.some((one) => one.submissionId === messageId)
          return found?.isStored || !isOurs ? [] : [{ kind: 'registry document received', file }]
        }),
      )
    },
  })

/** Undefined where the stream broke off or was empty: it is opened again later. */
async function keep({ db, blobs, pdf, log }: Parts, stream: Readable) {
  const staged = await blobs.stage(stream, { bytesMax: BYTES_MAX }).catch((error) => {
    stream.destroy()
    if (error instanceof Refusal) throw error
    log.warn({ err: plainError(error) }, 'A document of the registry could not be read: it is fetched again later.')
  })
  if (!staged) return undefined
  try {
    if (staged.size === 0) return undefined
    const { ok: isAcceptable } = await pdf.check(staged.path)
    return { ...(await blobs.keep(db, staged)), isAcceptable }
  } finally {
    await staged.discard()
  }
}
