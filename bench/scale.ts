import { type Measurement, runHttp, type Side } from './harness.ts'
import { startTestbed, type Testbed } from './testbed.ts'
import {
  countRequests,
  filterRequests,
  listRequests,
  type Matters,
  pageRequests,
  readRequests,
  seedWorkspaces,
} from './workspaces.ts'

// Does the cost grow with the data? The same requests to two services, one with 1,000 workspaces and one with 1,000,000,
// in turns. A share of 0.83 means that the cost grew by a fifth.

const FEW = 1_000
const MANY = Number(process.env['BENCH_WORKSPACES'] ?? 1_000_000)
const CONNECTIONS = 32
const GOAL = 1 / 1.2
const PAGE_GOAL = 1 / 1.3
const COUNTS_GOAL = 1 / 4 // of 1,000 workspaces none is counted up to the limit, of 1,000,000 each turn is

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

const growth = (name: string, title: string, requestsOf: (matters: Matters) => Buffer[], goal = GOAL) => ({
  [name]: async (testbed: Testbed): Promise<Measurement> => {
    setup ??= prepare(testbed)
    const { few, many } = await setup
    const limit = sideOf('with 1,000', few, requestsOf)
    return {
      name,
      title,
      service: sideOf(`with ${MANY.toLocaleString('en')}`, many, requestsOf),
      limits: [{ ...limit, goal }],
    }
  },
})

/** Each filter with a value that at most a hundred workspaces share; case status and ranges also within a common status. */
const FILTERS: Record<string, string>[] = [
  { workspace_reference_id: 'workspace_reference_id' },
  { reference: 'reference' },
  { own_reference: 'own_reference' },
  { registry_reference: 'registry_reference' },
  { title_number: 'title_number' },
  { postcode: 'postcode' },
  { borrower: 'borrower' },
  { status: 'CANCELLED' },
  { lodgement_case_status: 'REGISTRATION_REJECTED' },
  { lodgement_case_status: 'REGISTRATION_REJECTED', status: 'FUNDS_EXCHANGED' },
  { completion_date_from: 'completion_date', completion_date_to: 'completion_date' },
  { completion_date_from: 'completion_date', completion_date_to: 'completion_date', status: 'FUNDS_EXCHANGED' },
  { changed_since: 'changed_since' },
  { changed_since: 'changed_since', status: 'FUNDS_EXCHANGED' },
  { turn: 'LAW_FIRM' },
  { turn: 'LAW_FIRM', task: 'FIX_AND_APPROVE' },
]

const byFilter = FILTERS.map((filters) => {
  const names = Object.keys(filters)
  return growth(`scale-${names.join('-')}`, `a page by ${names.join(' and ')}`, filterRequests(filters))
})

/** A search for what of a workspace begins so. */
const bySearch = ['reference', 'workspace_reference_id', 'title_number', 'postcode', 'borrower'].map((name) =>
  growth(`scale-q-${name}`, `a search by ${name}`, filterRequests({ q: name })),
)

export const scaleMeasurements = {
  ...growth('scale-read', 'read a workspace among many', readRequests),
  ...growth('scale-list', 'a page of the list among many', listRequests),
  ...growth('scale-counts', 'counts by turn and task, each up to 1,000', countRequests, COUNTS_GOAL),
  ...growth('scale-page-worklist', 'the Worklist of the console', pageRequests('/console/'), PAGE_GOAL),
  ...growth('scale-page-matters', 'the Matters of the console', pageRequests('/console/matters'), PAGE_GOAL),
  ...growth('scale-page-search', 'a search in Matters', pageRequests('/console/matters?q=prynne'), PAGE_GOAL),
  ...(Object.assign({}, ...byFilter, ...bySearch) as (typeof byFilter)[number]),
}
