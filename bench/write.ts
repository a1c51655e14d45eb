import { openDb } from '../server/src/platform/database/db.ts'
import { httpSides, type Measurement } from './harness.ts'
import { requestBytes } from './load.ts'
import { findPgbench, PGBENCH_MISSING, pgbenchSide } from './pgbench.ts'
import { A_ROW, addRow } from './rows.ts'
import { scriptOf, statementsOf } from './statements.ts'
import { POOL_CONNECTIONS, type Testbed } from './testbed.ts'

const CONNECTIONS = 32

/** Writing one row with its event and its audit entry. It is durable before the response. */
export async function writeRow(testbed: Testbed): Promise<Measurement> {
  const body = JSON.stringify(A_ROW)
  const requests = testbed.callers.map(({ token }) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json' }
    return requestBytes('POST', '/bench/rows', headers, body)
  })
  const { service } = await httpSides(testbed, { requests, connections: CONNECTIONS })
  return { name: 'write', title: 'write one row with audit and event', service, limits: await pgbenchLimits(testbed) }
}

async function pgbenchLimits(testbed: Testbed): Promise<Measurement['limits']> {
  const program = await findPgbench()
  if (!program) {
    process.stderr.write(`${PGBENCH_MISSING}\n`)
    return []
  }
  const { subscriberId = '', clientId = '' } = testbed.callers[0] ?? {}
  const actor = { clientId, subscriberId, correlationId: crypto.randomUUID(), at: new Date() }
  const db = openDb({ url: testbed.databaseUrl, poolSize: 1 })
  const statements = await statementsOf(db, async (tx) => addRow(tx, subscriberId, A_ROW, actor))
  await db.close()
  const limit = { program, url: testbed.databaseUrl, clients: POOL_CONNECTIONS }
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
