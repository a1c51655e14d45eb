import { type Ground, layGround } from './ground.ts'
import { type Measurement, runHttp, type Side } from './harness.ts'
import { listRequests, type Matters, readRequests, seedWorkspaces } from './workspaces.ts'

// Does it cost more where there is more? The same requests to two services, one with 1,000 workspaces and one with
// 1,000,000, in turns. A share of 0.83 is a cost that grew by a fifth.

const FEW = 1_000
const MANY = 1_000_000
const CONNECTIONS = 32
const GOAL = 1 / 1.2

type Place = { ground: Ground; matters: Matters }
let places: Promise<{ few: Place; many: Place }> | undefined

async function lay(ground: Ground): Promise<{ few: Place; many: Place }> {
  const other = await layGround()
  ground.onStop(() => other.stop())
  process.stderr.write(`  seeding ${MANY} workspaces …\n`)
  return {
    few: { ground: other, matters: await seedWorkspaces(other, FEW) },
    many: { ground, matters: await seedWorkspaces(ground, MANY) },
  }
}

const sideOf = (name: string, { ground, matters }: Place, requestsOf: (matters: Matters) => Buffer[]): Side => ({
  name,
  run: (seconds) => runHttp(ground.service, { requests: requestsOf(matters), connections: CONNECTIONS }, seconds),
})

const growth = (name: string, title: string, requestsOf: (matters: Matters) => Buffer[]) => ({
  [name]: async (ground: Ground): Promise<Measurement> => {
    places ??= lay(ground)
    const { few, many } = await places
    const limit = sideOf('with 1,000', few, requestsOf)
    return { name, title, service: sideOf('with 1,000,000', many, requestsOf), limits: [{ ...limit, goal: GOAL }] }
  },
})

export const scaleMeasurements = {
  ...growth('scale-read', 'read a workspace among many', readRequests),
  ...growth('scale-list', 'a page of the list among many', listRequests),
}
