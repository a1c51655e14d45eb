import type { Logger } from 'pino'
import type { Blobs } from './blobs/blobs.ts'
import type { Scanner } from './clamd.ts'
import type { Db } from './database/db.ts'
import type { Clock } from './jobs/clock.ts'
import type { Queue } from './jobs/queue.ts'
import type { PdfChecker } from './pdf/pdf.ts'
import type { Vault } from './vault.ts'

/** What features are given: a plain object, made once by the service. */
export type Deps = {
  db: Db
  clock: Clock
  queue: Queue
  blobs: Blobs
  pdf: PdfChecker
  log: Logger
  vault: Vault
  /** Undefined where the operator has none. */
  scanner: Scanner | undefined
  uploadBytesMax: number
  /** Which addresses of others may be called: in the sandbox also those of this machine. */
  ssrfPolicy: 'public' | 'public and loopback'
}
