import assert from 'node:assert/strict'
import { createClient, type Lodgeway } from '../../../client/src/index.ts'
import {
  byChance,
  type FaultyProxy,
  type Network,
  startFaultyProxy,
  type Whole,
} from '../../../client/test/support/faulty-proxy.ts'
import { atEnd } from '../fixtures/at-end.ts'
import { checkContract } from '../fixtures/contract.ts'
import { type TestService, testService } from '../fixtures/service.ts'

// Whole matters: a lender and a law firm, each with its client, an unreliable network, and the service behind it.

export type Journey = {
  /** Used directly for what no partner does: to move the clock, and to look into the database. */
  service: TestService
  proxy: FaultyProxy
  lender: Lodgeway
  firm: Lodgeway
  /** What a loan comes to; it has pence unless this says otherwise. */
  advance?: number
}

/** More attempts than bad luck uses up, and waits that are short enough for a test. */
const RETRY = { attempts: 20, firstMs: 2, longestMs: 20 }

export async function startJourney({
  network = byChance({ seed: 42 }),
  create = createClient,
  reports = false,
  env = {},
}: {
  network?: Network
  create?: typeof createClient
  reports?: boolean
  env?: Record<string, string>
} = {}): Promise<Journey> {
  const service = await testService({ env, reports })
  const proxy = await startFaultyProxy({ target: service.url, network, check: keepsContract })
  atEnd(proxy.stop)
  const as = (clientId: string) =>
    create({ baseUrl: proxy.url, clientId, clientSecret: `${clientId}-secret`, retry: RETRY })
  return { service, proxy, lender: as('sandbox-lender'), firm: as('sandbox-law-firm') }
}

function keepsContract({ path, headers, body, ...answer }: Whole): void {
  const contentType = headers.get('content-type') ?? ''
  const content = contentType.startsWith('application/json') ? JSON.parse(body.toString()) : body.toString('latin1')
  checkContract({ ...answer, path: path.replace(/\?.*/, ''), headers, contentType, body: content })
}

/** The network did fail, also for requests that change something: the last test of a file. */
export function metBothErrors({ proxy: { counts, lost } }: Journey): void {
  assert.ok(counts.refused > 5 && counts.dropped > 2, JSON.stringify(counts))
  assert.ok(!lost.every((one) => one.startsWith('GET ')), `${lost}`)
}
