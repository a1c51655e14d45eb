import { openDb } from '../server/src/platform/database/db.ts'
import { type Ground, POOL_CONNECTIONS } from './ground.ts'
import { httpSides, type Measurement } from './harness.ts'
import { requestBytes } from './load.ts'
import { findPgbench, PGBENCH_MISSING, pgbenchSide } from './pgbench.ts'
import { A_ROW, addRow } from './rows.ts'
import { scriptOf, statementsOf } from './statements.ts'

const CONNECTIONS = 32

/** Writing one row with its event and its audit entry, durable when it is answered. */
export async function writeRow(ground: Ground): Promise<Measurement> {
  const body = JSON.stringify(A_ROW)
  const requests = ground.callers.map(({ token }) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json' }
    return requestBytes('POST', '/bench/rows', headers, body)
  })
  const { service } = await httpSides(ground, { requests, connections: CONNECTIONS })
  return { name: 'write', title: 'write one row with audit and event', service, limits: await pgbenchLimits(ground) }
}

async function pgbenchLimits(ground: Ground): Promise<Measurement['limits']> {
  const program = await findPgbench()
  if (!program) {
    process.stderr.write(`${PGBENCH_MISSING}\n`)
    return []
  }
  const { subscriberId = '', clientId = '' } = ground.callers[0] ?? {}
  const actor = { clientId, subscriberId, correlationId: crypto.randomUUID(), at: new Date() }
  const db = openDb({ url: ground.databaseUrl, poolSize: 1 })
  const statements = await statementsOf(db, async (tx) => addRow(tx, subscriberId, A_ROW, actor))
  await db.close()
  const limit = { program, url: ground.databaseUrl, clients: POOL_CONNECTIONS }
  return [
    {
      ...pgbenchSide({ ...limit, name: 'pgbench', script: scriptOf(statements, { subscriberId, pipelined: false }) }),
      goal: 0.4,
    },
    pgbenchSide({
      ...limit,
      name: 'pgbench, pipelined',
      script: scriptOf(statements, { subscriberId, pipelined: true }),
    }),
  ]
}
