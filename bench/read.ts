import { httpSides, type Measurement } from './harness.ts'
import { requestBytes } from './load.ts'
import { seedRows } from './rows.ts'
import type { Testbed } from './testbed.ts'

const CONNECTIONS = 32

/** Reading one row by its id: token, scope, path and owner are checked, the response has an ETag. */
export async function readRow(testbed: Testbed): Promise<Measurement> {
  const { service, raw } = await httpSides(testbed, { requests: await rowRequests(testbed), connections: CONNECTIONS })
  return { name: 'read', title: 'read one row', service, limits: [{ ...raw, goal: 0.35 }] }
}

export async function rowRequests({ callers, owner }: Testbed): Promise<Buffer[]> {
  const tokens = new Map(callers.map(({ subscriberId, token }) => [subscriberId, token]))
  const rows = await seedRows(owner, [...tokens.keys()])
  return rows.map(({ rowId, subscriberId }) =>
    requestBytes('GET', `/bench/rows/${rowId}`, {
      Authorization: `Bearer ${tokens.get(subscriberId)}`,
      Accept: 'application/json',
    }),
  )
}
