import { setTimeout as delay } from 'node:timers/promises'
import { addClient, addSubscriber } from '../server/src/auth/manage.ts'
import { ALL_SCOPES } from '../server/src/auth/scopes.ts'
import { ACCOUNTS } from '../server/src/sandbox/accounts.ts'
import { PARTNER_PATH } from '../server/src/workspaces/path.ts'
import { copyMatter, copyOf, type Original } from './copy.ts'
import { loadGuide } from './guide.ts'
import { requestBytes } from './load.ts'
import { fetchToken, PEPPER, type Testbed } from './testbed.ts'

// The matters that measurements share: two of the guide, one that was ordered and one that waits for approval, each made by
// the service itself and copied some thousand times.

const EVENTS_MIN = 120
const ORDERS = 40

/**
 * The numbers of the copies, by what they are used for. `once` are for requests that can be sent once. pgbench has so
 * many that it rarely repeats on one what the service does once: rows would pile up there and slow it down.
 */
export const NUMBERS = {
  ordered: { once: [1, 2_600], pgbench: [2_601, 7_600], recorded: [7_601, 7_700] },
  ready: { shared: [10_001, 11_000], pgbench: [11_001, 16_000], recorded: [16_001, 16_100], once: [16_101, 21_300] },
} as const

export type Copies = {
  lender: string
  firm: string
  ordered: Original & { partyIds: readonly string[] }
  ready: Original & { partyIds: readonly string[]; caseId: string; applicationId: string }
  /** Of the copies that are shared. */
  workspaceIds: string[]
}

let copies: Promise<Copies> | undefined

export function sharedCopies(testbed: Testbed): Promise<Copies> {
  copies ??= prepare(testbed)
  return copies
}

async function prepare({ owner, service, start }: Testbed): Promise<Copies> {
  process.stderr.write('  preparing matters …\n')
  await owner.transaction(async (tx) => {
    const actor = { actingUser: 'bench', correlationId: 'bench', at: new Date() }
    for (const { clientId, secret, subscriberId, name, kind } of ACCOUNTS) {
      addSubscriber(tx, { subscriberId, name, kind, reports: false, fourEyes: true }, actor)
      addClient(tx, PEPPER, { subscriberId, clientId, secret, scopes: ALL_SCOPES }, actor)
    }
  })
  const worker = await start({ as: 'work' })
  const guide = await loadGuide()
  const ordered = await guide.newMatter(service.url)
  const ready = await guide.newMatter(service.url)
  await guide.represent(ready)
  await guide.prepare(ready)
  for (let order = 0; order < ORDERS; order++) await guide.newMatter(service.url)
  const published = () => owner.query<{ count: number }>('select count(*) from event_feed')
  while (((await published())[0]?.count ?? 0) < EVENTS_MIN) await delay(100)
  const partiesOf = async ({ firm, workspaceId }: typeof ready) => {
    const { parties } = await firm.getWorkspace({ path: { workspace_id: workspaceId } })
    return parties.map(({ partyId }) => partyId)
  }
  const { path } = await guide.findDeed(ready)
  const [orderedParties, readyParties] = [await partiesOf(ordered), await partiesOf(ready)]
  await worker.stop()

  const originals = {
    ordered: await copyMatter(owner, ordered.workspaceId, [NUMBERS.ordered.once[0], NUMBERS.ordered.recorded[1]]),
    ready: await copyMatter(owner, ready.workspaceId, [NUMBERS.ready.shared[0], NUMBERS.ready.once[1]]),
  }
  const [from, to] = NUMBERS.ready.shared
  return {
    lender: await fetchToken(service.url, accountOf('sandbox-lender')),
    firm: await fetchToken(service.url, accountOf('sandbox-law-firm')),
    ordered: { ...originals.ordered, partyIds: orderedParties },
    ready: {
      ...originals.ready,
      partyIds: readyParties,
      caseId: path.lodgement_case_id,
      applicationId: path.application_id,
    },
    workspaceIds: numbersIn([from, to]).map((number) => copyOf(ready.workspaceId, number)),
  }
}

const accountOf = (clientId: string) => ({ clientId, secret: `${clientId}-secret` })

export const numbersIn = ([from, to]: readonly [number, number]): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

export const accept = (token: string) => ({ Authorization: `Bearer ${token}`, Accept: 'application/json' })

/** Reads of the shared copies. */
export async function readRequests(testbed: Testbed): Promise<Buffer[]> {
  const { lender, workspaceIds } = await sharedCopies(testbed)
  return workspaceIds.map((id) => requestBytes('GET', `${PARTNER_PATH}/workspaces/${id}`, accept(lender)))
}
