import { setTimeout as delay } from 'node:timers/promises'
import { readRequests } from './copies.ts'
import { type Measurement, runHttp } from './harness.ts'
import type { Testbed } from './testbed.ts'

const CONNECTIONS = 32
const NOTICED_MS = 2_500 // what a node knows about a client is at most two seconds old

/** Reads whose every request is written to the request log, and reads while it is off. */
export async function loggedReads(testbed: Testbed): Promise<Measurement> {
  const { service, owner } = testbed
  const httpLoad = { requests: await readRequests(testbed), connections: CONNECTIONS }
  const reads = (until: string) => async (seconds: number) => {
    await owner.query('truncate requests')
    await owner.query(`update clients set log_until = ${until}`)
    await delay(NOTICED_MS)
    return runHttp(service, httpLoad, seconds)
  }
  return {
    name: 'logging',
    title: 'read a workspace while all requests are logged',
    service: { name: 'logged', run: reads("now() + interval '1 day'") },
    limits: [{ name: 'not logged', run: reads('null'), goal: 0.97 }],
  }
}
