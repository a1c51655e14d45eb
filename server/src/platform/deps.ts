import type { Logger } from 'pino'
import type { Blobs } from './blobs/blobs.ts'
import type { Db } from './database/db.ts'
import type { Clock } from './jobs/clock.ts'
import type { Queue } from './jobs/queue.ts'

/** What features are given: a plain object, made once by the service. */
export type Deps = { db: Db; clock: Clock; queue: Queue; blobs: Blobs; log: Logger }
