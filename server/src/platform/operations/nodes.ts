import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import server from '../../../package.json' with { type: 'json' }
import type { Connection } from '../database/db.ts'
import type { Readiness } from './health.ts'

// Each process says every few seconds that it runs, and whether it is ready, so that operators see all nodes in one place.
// Nothing else depends on these rows.

export type NodeRole = 'serve' | 'work'

export type RunningNode = {
  nodeId: string
  name: string
  version: string
  roles: NodeRole[]
  ready: boolean
  checks: Record<string, string>
  startedAt: Date
  lastSeenAt: Date
  /** It has said nothing for a while: it was killed, or cannot reach the database. */
  isSilent: boolean
}

const BEAT_MS = 5_000
const SILENT_SECONDS = 20
const STOP_MS_MAX = 1_000

type Parts = {
  db: Connection
  nodeId: string
  readiness: Readiness
  roles: readonly NodeRole[]
  onError(error: unknown): void
}

export function announceNode({ db, nodeId, readiness, roles, onError }: Parts): { stop(): Promise<void> } {
  const name = `${hostname()}:${process.pid}`
  let beat = Promise.resolve()
  const announce = () => {
    beat = readiness()
      .then(({ ready, checks }) => db.query(SAVE, [nodeId, name, server.version, roles, ready, JSON.stringify(checks)]))
      .then(() => {}, onError)
  }
  announce()
  const timer = setInterval(announce, BEAT_MS)
  return {
    /** Without waiting long: a database that does not answer must not keep a node from stopping. */
    async stop() {
      clearInterval(timer)
      const removed = beat.then(() => db.query('delete from nodes where node_id = $1', [nodeId])).catch(onError)
      await Promise.race([removed, delay(STOP_MS_MAX, undefined, { ref: false })])
    },
  }
}

const SAVE = `
  insert into nodes (node_id, name, version, roles, ready, checks) values ($1, $2, $3, $4, $5, $6)
  on conflict (node_id) do update set ready = excluded.ready, checks = excluded.checks, last_seen_at = now()`

export const listNodes = (connection: Connection) =>
  connection.query<RunningNode>(
    `select node_id as "nodeId", name, version, roles, ready, checks, started_at as "startedAt",
            last_seen_at as "lastSeenAt", last_seen_at < now() - interval '${SILENT_SECONDS} seconds' as "isSilent"
       from nodes order by name, node_id`,
  )

/** Called every night. */
export const deleteOldNodes = (connection: Connection) =>
  connection.query(`delete from nodes where last_seen_at < now() - interval '1 day'`)
