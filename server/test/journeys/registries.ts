import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { saveAccount, saveLender } from '../../src/hmlr/store.ts'
import type { Gateway } from '../fakes/business-gateway/gateway.ts'
import { atEnd } from '../fixtures/at-end.ts'
import { accountAt, standIn } from '../fixtures/gateway.ts'
import { FIRM_ID, LENDER_ID } from '../fixtures/workspaces.ts'
import { type Journey, startJourney } from './journey.ts'

// The registries with which the same journeys are made. The law firm pays itself, so that with HM Land Registry nothing is
// simulated by the service.

export type Started = { journey: Journey; gateway?: Gateway }

/** By their columns in the table of differences. */
export const REGISTRIES: Record<'simulator' | 'HM Land Registry', () => Promise<Started>> = {
  simulator: async () => ({ journey: await startJourney({ env: { PAYMENTS: 'manual' } }) }),
  'HM Land Registry': startWithGateway,
}

async function startWithGateway(): Promise<Started> {
  const { gateway, env, close } = await standIn()
  const seldom = { HMLR_CHECK_HOURS: '24' } // weeks pass here
  const journey = await startJourney({ env: { REGISTRY: 'hmlr', PAYMENTS: 'manual', ...env, ...seldom } })
  atEnd(close)
  const { db, vault, clock } = journey.service.deps
  gateway.control.useClock(() => clock.now())
  await saveLender(db, LENDER_ID, { kind: 'OTHER_ORGANISATION', companyNumber: null })
  await saveAccount(db, vault, accountAt(gateway, FIRM_ID, clock.now()))
  return { journey, gateway }
}

const PAGE = new URL('../../../docs/registry-hmlr.md', import.meta.url)

/** What differs, as the documentation says it of one of the registries. */
export function documentedDifferences(of: keyof typeof REGISTRIES): Record<string, string> {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('\n## What differs from the simulator\n')
  const rows = [
    ...section
      .split('\n## ', 1)
      .join('')
      .matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm),
  ]
  const [[, , ...names] = [], ...differences] = rows.map((row) => [...row])
  const column = names.indexOf(of)
  assert.ok(column >= 0, `the table has no column ${of}`)
  return Object.fromEntries(differences.map(([, what = '', ...cells]) => [what, cells[column] ?? '']))
}
