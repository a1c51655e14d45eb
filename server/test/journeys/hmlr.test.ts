import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { saveAccount, saveLender } from '../../src/hmlr/store.ts'
import { type Gateway, startGateway } from '../fakes/business-gateway/gateway.ts'
import { atEnd } from '../fixtures/at-end.ts'
import { FIRM_ID, LENDER_ID, move } from '../fixtures/workspaces.ts'
import { type Journey, startJourney } from './journey.ts'
import { payAndSend } from './money.ts'
import {
  answerRequisition,
  aPerson,
  approveCase,
  attach,
  caseOf,
  describeDeed,
  FACTS,
  type Matter,
  order,
  progressOf,
  representAll,
} from './steps.ts'

// Matters from the order to the registered title with HM Land Registry's stand-in, paid by the law firm itself. Nothing is
// simulated by the service here.

let journey: Journey
let gateway: Gateway
before(async () => {
  gateway = await startGateway({ extractPricePence: 700 })
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-journey-'))
  await writeFile(join(folder, 'ca.pem'), gateway.ca)
  journey = await startJourney({
    env: {
      REGISTRY: 'hmlr',
      PAYMENTS: 'manual',
      HMLR_EXTRACT_PRICE_PENCE: '700',
      HMLR_REST_URL: gateway.restUrl,
      HMLR_SOAP_URL: gateway.soapUrl,
      HMLR_CA_FILE: join(folder, 'ca.pem'),
    },
  })
  atEnd(async () => {
    await gateway.close()
    await rm(folder, { recursive: true })
  })
  const { db, vault, clock } = journey.service.deps
  gateway.control.useClock(() => clock.now())
  const [{ username, password } = assert.fail('no account')] = gateway.accounts
  const at = clock.now()
  await saveLender(db, LENDER_ID, { kind: 'OTHER_ORGANISATION', companyNumber: null })
  await saveAccount(db, vault, {
    lawFirmId: FIRM_ID,
    username,
    password,
    certificate: gateway.clientCert,
    key: gateway.clientKey,
    certificateEndsAt: new Date(at.getTime() + 1e10),
    telephone: '01632 960000',
    warningUnderstoodBy: 'jo.marsh@harbour.example',
    warningUnderstoodAt: at,
    changedAt: at,
  })
})

const WHOLE_POUNDS = 206_000

async function lodged(titleNumber: string, ...people: [forenames: string, surname: string][]): Promise<Matter> {
  const ordered = await order(journey, titleNumber, ...people.map((name) => aPerson(...name)))
  const matter = { ...ordered, advance: WHOLE_POUNDS }
  await representAll(matter)
  await describeDeed(matter, { ...FACTS, transactionValue: WHOLE_POUNDS })
  await attach(matter, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
  await approveCase(matter)
  await payAndSend(matter)
  return matter
}

const sentTo = async ({ service, workspaceId }: Matter) => {
  const [row] = await service.deps.db.query<{ reference: string }>(
    'select workspace_reference_id as reference from workspaces where workspace_id = $1',
    [workspaceId],
  )
  return gateway.applications().filter(({ data }) => data.customer_reference === row?.reference)
}

/** The progress of a matter, after each move of the clock. */
async function courseOf(matter: Matter, ...advances: string[]): Promise<string[]> {
  const course = [await progressOf(matter)]
  for (const advance of advances) {
    await move(journey.service, advance)
    course.push(await progressOf(matter))
  }
  return course
}

describe('with HM Land Registry', () => {
  it('a remortgage is searched, lodged once and registered, and the title shows the registry’s own entries', async () => {
    const matter = await lodged('ST500678', ['William', 'Prynne'], ['Tracey', 'Prynne'])
    assert.deepEqual(await courseOf(matter, 'P2D', 'P8D'), [
      'FUNDS_EXCHANGED INITIATED',
      'LODGED LODGED',
      'CLOSED REGISTERED',
    ])
    assert.equal((await sentTo(matter)).length, 1)
    const { registryReference, titles, lodgementCaseId } = await caseOf(matter)
    assert.ok(registryReference)
    const [{ titleId } = assert.fail('no title')] = titles
    const path = { lodgement_case_id: lodgementCaseId, title_id: titleId }
    const { records } = await matter.firm.getTitleDocuments({ path })
    assert.deepEqual(
      records.map(({ documentType }) => documentType),
      ['TITLE_INFORMATION_DOCUMENT', 'TITLE_REGISTER'],
    )
  })

  it('an early completion is followed until the discharge is registered', async () => {
    const matter = await lodged('ST500679', ['William', 'Prynne'], ['Tracey', 'Prynne'])
    assert.deepEqual((await courseOf(matter, 'P10D', 'P30D')).slice(1), [
      'LODGED PARTIALLY_REGISTERED',
      'CLOSED REGISTERED',
    ])
  })

  it('a letter is answered with a document and a message, each attached once', async () => {
    const matter = await lodged('RQ100001', ['Grace', 'Okafor'])
    assert.deepEqual((await courseOf(matter, 'P5D')).at(-1), 'REQUISITIONED REQUISITIONED')
    await answerRequisition(matter)
    assert.deepEqual((await courseOf(matter, 'P9D')).at(-1), 'CLOSED REGISTERED')
    const [application] = await sentTo(matter)
    assert.deepEqual(application?.replies.map(({ kind }) => kind).toSorted(), ['document', 'message'])
  })

  it('a deed that the registry does not know is rejected at our field, corrected and registered', async () => {
    const matter = await lodged('VF100001', ['Joan', 'Hill'])
    assert.equal((await courseOf(matter, 'P2D')).at(-1), 'FUNDS_EXCHANGED REGISTRATION_REJECTED')
    assert.partialDeepStrictEqual((await caseOf(matter)).rejection, { field: 'mortgageDeedReference' })
    await describeDeed(matter, { mortgageDeedReference: 'MD999Z' })
    await approveCase(matter)
    assert.equal((await courseOf(matter, 'P9D')).at(-1), 'CLOSED REGISTERED')
  })

  it('waits for a gateway that is down for a day, and loses nothing', async () => {
    const stop = gateway.control.fail({ effect: { kind: 'drop', when: 'before' } })
    const matter = await order(journey, 'CO100001', aPerson('Nobody', 'Yet'))
    await move(journey.service, 'P1D')
    assert.equal((await caseOf(matter)).lastTitleSearchStatus, 'PENDING')
    stop()
    await move(journey.service, 'PT2H')
    assert.equal((await caseOf(matter)).lastTitleSearchStatus, 'SUCCESS')
  })
})
