import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Db, Transaction } from '../database/db.ts'
import { unavailable } from '../errors.ts'
import { saveClockOffset } from '../operations/state.ts'
import type { Clock, MovableClock } from './clock.ts'
import { type Cause, type Envelope, envelopeOf, type Queue, type QueueLog } from './queue.ts'
import { plainError } from './workers.ts'

const TICK_MS = 500
const BATCH_MAX = 100
const SETTLE_POLL_MS = 10 // for jobs of other processes, and those that end without a transaction
const HELD_POLL_MS = 20
const SETTLE_SECONDS_MAX = 60 // a job whose worker was killed is back within 30
const MOVE_MINUTES_MAX = 10
// Tickers take it shared, a mover exclusively: while the clock is being moved, only the mover takes rows.
const LOCK_KEY = 4_815_002

/** Schedules a job at a time of the business clock. The same key again moves it. Sent with the commit. */
export function schedule(tx: Transaction, dueAt: Date, job: string, payload: object, cause: Cause, key?: string): void {
  tx.send(
    `insert into due (due_at, job, payload, key) values ($1, $2, $3, $4)
     on conflict (key) do update set due_at = excluded.due_at, job = excluded.job, payload = excluded.payload`,
    [dueAt, job, envelopeOf(payload, cause), key ?? null],
  )
}

/** A job that was enqueued already is not stopped: it must find out itself that there is nothing left to do. */
export function unschedule(tx: Transaction, key: string): void {
  tx.send('delete from due where key = $1', [key])
}

type TickerOptions = { db: Db; queue: Queue; clock: Clock; log: QueueLog; everyMs?: number }

/** Enqueues due jobs in order. Any number of processes may do so at once: each row is taken by one. */
export function startTicker({ db, queue, clock, log, everyMs = TICK_MS }: TickerOptions): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let tick = run()

  async function run(): Promise<void> {
    try {
      while (!stopped && (await enqueueDue(db, queue, clock.now())) === BATCH_MAX);
    } catch (error) {
      log.warn({ err: plainError(error) }, 'Due jobs could not be enqueued; this will be tried again.')
    }
    if (stopped) return
    timer = setTimeout(() => {
      tick = run()
    }, everyMs)
  }

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await tick
    },
  }
}

async function enqueueDue(db: Db, queue: Queue, now: Date): Promise<number> {
  if (!(await firstDue(db.read, now))) return 0
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock_shared($1) as free', [LOCK_KEY])
    return lock?.free ? (await take(tx, queue, now, BATCH_MAX)).length : 0
  })
}

type Movable = { db: Db; queue: Queue; clock: MovableClock }

/** A job that became due, and when. */
export type DueJob = { at: Date; job: string; payload: Readonly<Record<string, unknown>> }

/**
 * Moves the sandbox's clock: every job that becomes due on the way runs in order, with the clock at its time. Returns
 * when nothing is left to do: how many jobs ran, and those of them that had been scheduled. `to` gets the current time,
 * so that advancing by zero is not a step back.
 */
export async function moveClock(
  { db, queue, clock }: Movable,
  to: (now: Date) => Date | Promise<Date>,
): Promise<{ now: Date; ran: number; due: readonly DueJob[] }> {
  return holdClock(db, async () => {
    const target = await to(clock.now())
    const [began] = await db.query<{ at: Date }>('select clock_timestamp() as at')
    const due = await moveHeldClock({ db, queue, clock }, target)
    return { now: clock.now(), ran: await queue.endedSince(began?.at ?? new Date()), due }
  })
}

/** The same while the caller holds the clock. Returns the scheduled jobs that ran. */
export async function moveHeldClock(movable: Movable, target: Date): Promise<DueJob[]> {
  const due = await runUntil(movable, target)
  await putClock(movable.db, movable.clock, target)
  return due
}

/** Meanwhile the tickers of all nodes and every other mover leave due jobs alone. */
export async function holdClock<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return db.session(async (connection) => {
    const isHeld = async () =>
      (await connection.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK_KEY]))[0]?.held
    while (!(await isHeld())) await delay(HELD_POLL_MS)
    const result = await work()
    await connection.query('select pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => {}) // it ended with its connection
    return result
  })
}

async function runUntil({ db, queue, clock }: Movable, target: Date): Promise<DueJob[]> {
  const ran: DueJob[] = []
  const giveUpAt = Date.now() + MOVE_MINUTES_MAX * 60_000
  await settle(queue, giveUpAt)
  for (;;) {
    const dueAt = await firstDue(db.read, target)
    if (!dueAt) return ran
    await putClock(db, clock, dueAt)
    ran.push(...(await db.transaction((tx) => take(tx, queue, dueAt, 1))))
    await settle(queue, giveUpAt)
  }
}

/** Never moves it back. */
async function putClock(db: Db, clock: MovableClock, time: Date): Promise<void> {
  const aheadMs = time.getTime() - clock.now().getTime()
  if (aheadMs > 0) await saveClockOffset(db, clock, clock.offsetMs() + aheadMs)
}

async function settle(queue: Queue, giveUpAt: number): Promise<void> {
  const deadline = Math.min(giveUpAt, Date.now() + SETTLE_SECONDS_MAX * 1000)
  for (;;) {
    if (Date.now() > deadline)
      throw unavailable('Jobs are still running at the current time of the clock. Please try again.')
    const end = queue.nextEnd(SETTLE_POLL_MS)
    if ((await queue.unfinished()) === 0) return
    await end
  }
}

// A row whose job has no queue (yet) is skipped, so that it does not block the rows behind it.
const DUE = `from due where due_at <= $1 and exists (select from pgboss.queue where queue.name = due.job)
  order by due_at, due_id`

// Rounded up, as a JavaScript date has no microseconds and would be just before the time.
const FIRST_DUE = `select date_trunc('milliseconds', due_at + interval '999 microseconds') as at ${DUE} limit 1`

async function firstDue(connection: Connection, now: Date): Promise<Date | undefined> {
  const [first] = await connection.query<{ at: Date }>(FIRST_DUE, [now])
  return first?.at
}

async function take(tx: Transaction, queue: Queue, now: Date, countMax: number): Promise<DueJob[]> {
  const taken = await tx.query<{ at: Date; job: string; payload: Envelope }>(
    `with taken as materialized (select due_id ${DUE} limit $2 for update of due skip locked),
     gone as (delete from due using taken where due.due_id = taken.due_id returning due.*)
     select due_at as at, job, payload from gone order by due_at, due_id`,
    [now, countMax],
  )
  for (const { job, payload } of taken) await queue.enqueue(tx, job, payload.payload, payload)
  return taken.map(({ at, job, payload }) => ({ at, job, payload: { ...payload.payload } }))
}
