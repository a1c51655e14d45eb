import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { examineAccounts } from '../../src/cli/doctor-registry.ts'
import { readConfig } from '../../src/config.ts'
import type { Account } from '../../src/hmlr/shapes.ts'
import { saveAccount, saveLender } from '../../src/hmlr/store.ts'
import type { Gateway } from '../fakes/business-gateway/gateway.ts'
import { atEnd } from '../fixtures/at-end.ts'
import { accountAt, standIn } from '../fixtures/gateway.ts'
import { drain, eventTypesOf, FIRM_ID, LENDER_ID, move } from '../fixtures/workspaces.ts'
import { type Journey, startJourney } from './journey.ts'
import { confirmLines, reachCompletion } from './money.ts'
import { caseOf, completeCase, type Matter, order, progressOf, removeTitle } from './steps.ts'

// What keeps HM Land Registry from being asked: the case, the metrics and `doctor` say so, and it goes on by itself once
// the cause is gone.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let journey: Journey
let gateway: Gateway
before(async () => {
  const { env, close, ...started } = await standIn()
  gateway = started.gateway
  journey = await startJourney({ env: { ...env, REGISTRY: 'hmlr', PAYMENTS: 'manual' } })
  atEnd(close)
  const { db, clock } = journey.service.deps
  gateway.control.useClock(() => clock.now())
  await saveLender(db, LENDER_ID, { kind: 'OTHER_ORGANISATION', companyNumber: null })
})

/** The account of the law firm, with these facts instead of those that the gateway accepts. */
async function useAccount(facts: Partial<Account>): Promise<void> {
  const { db, vault, clock } = journey.service.deps
  await saveAccount(db, vault, { ...accountAt(gateway, FIRM_ID, clock.now()), ...facts })
}

async function metricOf(line: RegExp): Promise<number> {
  const text = await (await fetch(`${journey.service.adminUrl}/metrics`)).text()
  return Number(line.exec(text)?.[1])
}

const waitingFor = (reason: string) => metricOf(new RegExp(`^registry_waiting\\{reason="${reason}"\\} (\\d+)$`, 'm'))

/** What `lodgeway doctor` says of the law firm. */
async function doctorSays(): Promise<string> {
  const { deps, env } = journey.service
  const found = await examineAccounts(deps.db, readConfig(env, { sandbox: true, part: 'serve' }))
  return found.map(({ state, message }) => `${state}: ${message}`).join('\n')
}

/** How many events said that a person must act. */
const warningsOf = async ({ service, workspaceId }: Matter) =>
  (await eventTypesOf(service, workspaceId)).filter((type) => type === 'REGISTRY_WAITING').length

const reasonOf = async (matter: Matter) => (await caseOf(matter)).registryWait?.reason

type Outage = {
  begin(): unknown
  end?(): unknown
  lasts?: string
  reason: string
  warnings: number
  doctor: RegExp
}

const OUTAGES: Record<string, Outage> = {
  'a law firm without an account': {
    begin: () => undefined, // as it is at first
    reason: 'NO_ACCOUNT',
    warnings: 1,
    doctor: /^warning: Harbour Conveyancing LLP has none/m,
  },
  'a wrong password': {
    begin: () => useAccount({ password: 'wrong' }),
    reason: 'ACCOUNT_REFUSED',
    warnings: 1,
    doctor: /^error: Harbour Conveyancing LLP: The gateway refused the account/m,
  },
  'a certificate that has ended': {
    begin: async () => {
      const { cert: certificate, key } = await gateway.issueClient(-1)
      await useAccount({ certificate, key, certificateEndsAt: new Date(Date.now() - DAY_MS) })
    },
    reason: 'ACCOUNT_REFUSED',
    warnings: 1,
    doctor: /^error: The certificate of Harbour Conveyancing LLP has ended/m,
  },
  'a certificate of another authority': {
    begin: async () => {
      const { cert: certificate, key } = await gateway.issueStranger()
      await useAccount({ certificate, key })
    },
    reason: 'REGISTRY_UNAVAILABLE',
    warnings: 0,
    doctor: /^error: Harbour .* does not accept the certificate/m,
  },
  'a gateway that is down for a day': {
    begin: () => gateway.control.fail({ effect: { kind: 'drop', when: 'before' } }),
    end: () => gateway.control.behave(),
    lasts: 'P1D',
    reason: 'REGISTRY_UNAVAILABLE',
    warnings: 0,
    doctor: /^error: Harbour .* closed the connection/m,
  },
}

describe('a title search', () => {
  for (const [what, outage] of Object.entries(OUTAGES)) {
    const { begin, end = () => useAccount({}), lasts = 'PT2H', reason, warnings, doctor } = outage
    it(`waits for ${what}, and goes on by itself`, async () => {
      await begin()
      const matter = await order(journey, 'ST500678')
      assert.equal(await reasonOf(matter), reason)
      assert.equal(await waitingFor(reason), 1)
      assert.match(await doctorSays(), doctor)
      await move(journey.service, lasts)
      assert.equal((await caseOf(matter)).lastTitleSearchStatus, 'PENDING')
      assert.equal(await warningsOf(matter), warnings)
      await end()
      await move(journey.service, 'PT1H')
      const { lastTitleSearchStatus, registryWait } = await caseOf(matter)
      assert.deepEqual([lastTitleSearchStatus, registryWait], ['SUCCESS', undefined])
      assert.equal(await waitingFor(reason), 0)
      assert.match(await doctorSays(), /^ok: Harbour Conveyancing LLP: the gateway accepts it/m)
    })
  }

  it('that is removed waits no longer', async () => {
    await useAccount({ password: 'wrong' })
    const matter = await order(journey, 'ST500678')
    await removeTitle(matter)
    assert.equal(await reasonOf(matter), undefined)
    await useAccount({})
  })
})

describe('a case', () => {
  it('is sent once and followed, through a closed night, a day without a gateway and a changed password', async () => {
    const matter = { ...(await order(journey, 'ST500678')), advance: 206_000 }
    await completeCase(matter)
    await reachCompletion(matter)
    const lodged = gateway.applications().length

    gateway.control.close(new Date(gateway.control.now().getTime() + 10 * HOUR_MS))
    await confirmLines(matter)
    await drain(journey.service)
    assert.equal(await reasonOf(matter), 'REGISTRY_CLOSED')
    assert.match(await doctorSays(), /^warning: Harbour .* is closed at this hour/m)
    const stop = gateway.control.fail({ effect: { kind: 'drop', when: 'before' } })
    await move(journey.service, 'P1D')
    assert.equal(await reasonOf(matter), 'REGISTRY_UNAVAILABLE')
    assert.equal(await progressOf(matter), 'FUNDS_EXCHANGED INITIATED')
    stop()
    await move(journey.service, 'PT2H')
    assert.equal(await reasonOf(matter), undefined)
    assert.equal(gateway.applications().length, lodged + 1)

    await useAccount({ password: 'changed' })
    await move(journey.service, 'PT3H')
    assert.equal(await reasonOf(matter), 'ACCOUNT_REFUSED')
    assert.equal(await warningsOf(matter), 1)
    await useAccount({})
    await move(journey.service, 'P1D')
    assert.equal(await progressOf(matter), 'LODGED LODGED')
    assert.equal(await reasonOf(matter), undefined)
    assert.equal(gateway.applications().length, lodged + 1)
  })
})

describe('a certificate', () => {
  it('that ends soon is below the 60 days of the alert', async () => {
    const days = () => metricOf(new RegExp(`^registry_certificate_days\\{subscriber="${FIRM_ID}"\\} ([\\d.]+)$`, 'm'))
    await useAccount({ certificateEndsAt: new Date(Date.now() + 59.5 * DAY_MS) })
    assert.equal(Math.floor(await days()), 59)
    await useAccount({})
    assert.ok((await days()) > 60)
  })
})
