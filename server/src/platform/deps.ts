import type { Logger } from 'pino'
import type { Blobs } from './blobs/blobs.ts'
import type { Scanner } from './clamd.ts'
import type { Db } from './database/db.ts'
import type { Clock } from './jobs/clock.ts'
import type { Queue } from './jobs/queue.ts'
import type { PdfChecker } from './pdf/pdf.ts'
import type { Vault } from './vault.ts'

/** The dependencies of features: a plain object that the service creates once. */
export type Deps = {
  db: Db
  clock: Clock
  queue: Queue
  blobs: Blobs
  pdf: PdfChecker
  log: Logger
  vault: Vault
  /** Undefined if the operator has none. */
  scanner: Scanner | undefined
  uploadBytesMax: number
  /** The addresses that webhooks may use: in the sandbox also those of this machine. */
  ssrfPolicy: 'public' | 'public and loopback'
}
