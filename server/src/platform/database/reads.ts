import type pg from 'pg'
import { unavailable } from '../errors.ts'
import { DbClient } from './client.ts'
import type { Connection } from './db.ts'
import { sendable, sendStatement } from './statement.ts'
import { asUnavailable } from './unavailable.ts'

// The single-statement reads of all requests share a few connections. All go to the first connection that keeps
// answering: the more statements are sent together, the less each costs. Reads behind a slow statement are sent again on
// another connection. So no read waits for another while fewer statements are stuck than there may be connections.

const STALLED_MS = 10 // after this time without an answer, a connection gets no more reads
const STUCK_MS = 50 // after this time, the reads behind the first one are sent elsewhere
const CONNECTING_MS_MAX = 1_000
const LOOK_MS = 25
const IDLE_MS_MAX = 30_000

export type ReadOptions = {
  settings: pg.ClientConfig
  connectionsMax: number
  /** How long a read waits at most. */
  msMax: number
  /** How long a connection may be silent before it is replaced. Its waiting reads are then sent again. */
  silentMsMax: number
}

type Read = {
  text: string
  values: ReturnType<typeof sendable>[]
  since: number
  /** Where its answer is expected; undefined once it has one. */
  session: Session | undefined
  resolve(rows: never[]): void
  reject(error: unknown): void
}

type Session = { client: DbClient; isConnected: boolean; answeredAt: number; waiting: Read[] }

export function openReads({
  settings,
  connectionsMax,
  msMax,
  silentMsMax,
}: ReadOptions): Connection & { close(): Promise<void> } {
  const sessions: Session[] = []
  let isWatching = false
  let isClosed = false

  function open(): Session {
    const client = new DbClient(settings)
    const session: Session = { client, isConnected: false, answeredAt: performance.now(), waiting: [] }
    sessions.push(session)
    client.once('error', () => forget(session))
    client.once('end', () => forget(session))
    client.connect(() => {
      session.isConnected = true
    })
    return session
  }

  function forget(session: Session): void {
    const index = sessions.indexOf(session)
    if (index >= 0) sessions.splice(index, 1)
  }

  const isAnswering = (session: Session, now: number) => silentMs(session, now) < patienceMs(session, STALLED_MS)

  /** The first that answers, or a new one; undefined if all are stuck. */
  function findFree(now: number): Session | undefined {
    const answering = sessions.find((session) => isAnswering(session, now))
    return answering ?? (sessions.length < connectionsMax ? open() : undefined)
  }

  /** An idle one, or a new one: a read behind a stuck statement may get stuck itself. */
  function findIdle(now: number): Session | undefined {
    const idle = sessions.find(({ waiting }) => waiting.length === 0)
    if (idle || sessions.length < connectionsMax) return idle ?? open()
    const answering = sessions.filter((session) => isAnswering(session, now))
    return answering.length > 0 ? fewestWaiting(answering) : undefined
  }

  function send(read: Read, session: Session): void {
    if (session.waiting.length === 0) session.answeredAt = performance.now()
    session.waiting.push(read)
    read.session = session
    sendStatement(session.client, read.text, read.values, (error, rows) => {
      session.answeredAt = performance.now()
      const index = session.waiting.indexOf(read)
      if (index >= 0) session.waiting.splice(index, 1)
      if (read.session !== session) return // answered elsewhere, or given up
      read.session = undefined
      if (error) read.reject(asUnavailable(error))
      else read.resolve(rows)
    })
  }

  function look(): void {
    const now = performance.now()
    for (const session of [...sessions]) {
      const silent = silentMs(session, now)
      giveUp(session, now - msMax)
      if (silent > silentMsMax) replace(session, now)
      else if (silent > patienceMs(session, STUCK_MS)) move(session, session.waiting.slice(1), now)
    }
    closeSpare(now)
    isWatching = sessions.some(({ waiting }) => waiting.length > 0)
    if (isWatching) lookLater()
  }

  // After the answers that have arrived were read: a busy event loop is no reason to send a read again.
  function lookLater(): void {
    isWatching = true
    setTimeout(() => setImmediate(look), LOOK_MS).unref()
  }

  // When one connection has gone silent, others may have, too: the idle ones are closed with it.
  function replace(session: Session, now: number): void {
    const suspects = [session, ...sessions.filter(({ waiting }) => waiting.length === 0)]
    for (const suspect of suspects) forget(suspect)
    move(session, [...session.waiting], now)
    for (const { client } of suspects) client.cut()
  }

  function move(from: Session, reads: readonly Read[], now: number): void {
    for (const read of reads) {
      if (read.session !== from) continue
      const session = findIdle(now)
      if (!session) return
      send(read, session)
    }
  }

  function closeSpare(now: number): void {
    for (const session of sessions.slice(1)) {
      if (session.waiting.length > 0 || now - session.answeredAt < IDLE_MS_MAX) continue
      forget(session)
      session.client.close()
    }
  }

  return {
    query(text, values = []) {
      if (isClosed) return Promise.reject(unavailable('The service is stopping. Nothing was done. Please try again.'))
      return new Promise((resolve, reject) => {
        const since = performance.now()
        const read: Read = { text, values: values.map(sendable), since, session: undefined, resolve, reject }
        send(read, findFree(since) ?? fewestWaiting(sessions))
        if (!isWatching) lookLater()
      })
    },
    async close() {
      isClosed = true
      await Promise.all(sessions.map(({ client }) => client.close()))
    },
  }
}

const silentMs = ({ waiting, answeredAt }: Session, now: number) => (waiting.length === 0 ? 0 : now - answeredAt)

const patienceMs = ({ isConnected }: Session, ms: number) => (isConnected ? ms : CONNECTING_MS_MAX)

const fewestWaiting = (sessions: readonly Session[]) =>
  sessions.reduce((fewest, session) => (session.waiting.length < fewest.waiting.length ? session : fewest))

function giveUp(session: Session, before: number): void {
  for (const read of session.waiting) {
    if (read.session !== session || read.since > before) continue
    read.session = undefined
    read.reject(unavailable('The database did not answer in time. Nothing was done. Please try again.'))
  }
}
