import { type Measurement, runHttp, type Side } from './harness.ts'
import { startTestbed, type Testbed } from './testbed.ts'
import { listRequests, type Matters, readRequests, seedWorkspaces } from './workspaces.ts'

// Does the cost grow with the data? The same requests to two services, one with 1,000 workspaces and one with 1,000,000,
// in turns. A share of 0.83 means that the cost grew by a fifth.

const FEW = 1_000
const MANY = 1_000_000
const CONNECTIONS = 32
const GOAL = 1 / 1.2

type Setup = { testbed: Testbed; matters: Matters }
let setup: Promise<{ few: Setup; many: Setup }> | undefined

async function prepare(testbed: Testbed): Promise<{ few: Setup; many: Setup }> {
  const other = await startTestbed()
  testbed.onStop(() => other.stop())
  process.stderr.write(`  seeding ${MANY} workspaces …\n`)
  return {
    few: { testbed: other, matters: await seedWorkspaces(other, FEW) },
    many: { testbed, matters: await seedWorkspaces(testbed, MANY) },
  }
}

const sideOf = (name: string, { testbed, matters }: Setup, requestsOf: (matters: Matters) => Buffer[]): Side => ({
  name,
  run: (seconds) => runHttp(testbed.service, { requests: requestsOf(matters), connections: CONNECTIONS }, seconds),
})

const growth = (name: string, title: string, requestsOf: (matters: Matters) => Buffer[]) => ({
  [name]: async (testbed: Testbed): Promise<Measurement> => {
    setup ??= prepare(testbed)
    const { few, many } = await setup
    const limit = sideOf('with 1,000', few, requestsOf)
    return { name, title, service: sideOf('with 1,000,000', many, requestsOf), limits: [{ ...limit, goal: GOAL }] }
  },
})

export const scaleMeasurements = {
  ...growth('scale-read', 'read a workspace among many', readRequests),
  ...growth('scale-list', 'a page of the list among many', listRequests),
}
