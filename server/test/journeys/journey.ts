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

// Whole matters: a lender and a law firm, each with a client of its own, a network that fails, and the service behind it.

export type Journey = {
  /** Spoken to directly for what no partner does: moving the clock, and looking into the database. */
  service: TestService
  proxy: FaultyProxy
  lender: Lodgeway
  firm: Lodgeway
}

/** As many attempts as no chance uses up, and waits that a test can bear. */
const RETRY = { attempts: 20, firstMs: 2, longestMs: 20 }

export async function startJourney(network: Network = byChance({ seed: 42 })): Promise<Journey> {
  const service = await testService()
  const proxy = await startFaultyProxy({ target: service.url, network, check: keepsContract })
  atEnd(proxy.stop)
  const as = (clientId: string) =>
    createClient({ baseUrl: proxy.url, clientId, clientSecret: `${clientId}-secret`, retry: RETRY })
  return { service, proxy, lender: as('sandbox-lender'), firm: as('sandbox-law-firm') }
}

function keepsContract({ path, headers, body, ...answer }: Whole): void {
  const contentType = headers.get('content-type') ?? ''
  const content = contentType.startsWith('application/json') ? JSON.parse(body.toString()) : body.toString('latin1')
  checkContract({ ...answer, path: path.replace(/\?.*/, ''), headers, contentType, body: content })
}

/** The network was as bad as it had to be, also to what changes something: the last test of a file. */
export function metBothErrors({ proxy: { counts, lost } }: Journey): void {
  assert.ok(counts.refused > 5 && counts.dropped > 2, JSON.stringify(counts))
  assert.ok(!lost.every((one) => one.startsWith('GET ')), `${lost}`)
}
