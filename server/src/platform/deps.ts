import type { Logger } from 'pino'
import type { Blobs } from './blobs.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import type { Queue } from './queue.ts'

/** What features are given: a plain object, made once by the service. */
export type Deps = { db: Db; clock: Clock; queue: Queue; blobs: Blobs; log: Logger }
