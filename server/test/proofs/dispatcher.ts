import { pino } from 'pino'
import { startPublisher } from '../../src/notifications/feed.ts'
import { deliverJob } from '../../src/notifications/jobs.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { realClock } from '../../src/platform/jobs/clock.ts'
import { startTicker } from '../../src/platform/jobs/due.ts'
import { openQueue } from '../../src/platform/jobs/queue.ts'
import { openVault } from '../../src/platform/vault.ts'

// A worker that only publishes and delivers, to be killed. Its schedule is quick, so that retries take no hours.

const { DATABASE_URL: url = '', SECRET_PEPPER: pepper = '' } = process.env
const RETRIES = 40
const RETRY_MS = 50
const TICK_MS = 50

const log = pino({ level: 'error' })
const db = openDb({ url })
const queue = await openQueue({ db, url, clock: realClock, log })
const deps = { db, clock: realClock, vault: openVault(pepper), ssrfPolicy: 'public and loopback' } as const
await queue.work([deliverJob(deps, { delaysMs: Array(RETRIES).fill(RETRY_MS) }) as never])
startTicker({ db, queue, clock: realClock, log, everyMs: TICK_MS })
startPublisher({ db, queue, log })
