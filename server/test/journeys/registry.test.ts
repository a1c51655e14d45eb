// Long because the journeys of the registry are one list, which each of the registries is taken through.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { isApiError, type OutcomeError, type Schemas } from '../../../client/src/index.ts'
import type { Gateway } from '../fakes/business-gateway/gateway.ts'
import { partyNamed, unmatchedNamed } from '../fixtures/reconciliation.ts'
import { applicationsOf, move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, metBothErrors } from './journey.ts'
import { payAndSend } from './money.ts'
import { documentedDifferences, REGISTRIES, type Started } from './registries.ts'
import {
  ADVANCE,
  aCompany,
  addTitle,
  answerRequisition,
  aPerson,
  approveCase,
  attach,
  caseOf,
  completeCase,
  describeApplication,
  describeDeed,
  EXTERNAL,
  type Matter,
  order,
  pathOf,
  prepareCase,
  progressOf,
  readNames,
  reconcile,
  registerOf,
  represent,
} from './steps.ts'
import { together } from './together.ts'
import {
  ACCEPTED,
  ANSWER_ACCEPTED,
  ANSWERED,
  ARRANGED,
  ASKED,
  CANCELLED_THERE,
  CASE_APPROVED,
  CHARGED,
  CLOSED_BY_FIRM,
  caseChanged,
  completed,
  confirmed,
  DEED_DESCRIBED,
  DISCHARGED,
  DUE,
  EXCHANGED,
  FOUND,
  NOT_FOUND,
  OVERTAKEN,
  ordered,
  REFUSED,
  REGISTERED,
  REGISTERED_IN_PART,
  REPRESENTED,
  REQUISITIONED,
  reconciled,
  SENT,
  TITLE_ADDED,
  UPLOADED,
} from './traces.ts'

// Matters from the order to the registered title, and all that the registry does with them on the way, with each registry:
// one body, the same outcome. They use only the client, an unreliable network and the sandbox's clock. However often a call
// was repeated, it took effect once. What the gateway forces to be different is in a table in docs/registry-hmlr.md.

type Here = {
  journey: Journey
  gateway: Gateway | undefined
  /** Notes what is documented as a difference between the registries. */
  note(what: string, value: unknown): void
}

const WHOLE_POUNDS = 206_000
const addressForService = { number: '3', street: 'Larkbeare Row', town: 'Exeter', postcode: 'EX2 9QT' }
const TERMS = {
  titleGuarantee: 'FULL',
  considerationType: 'NO_MONETARY_VALUE',
  trustDeclaration: 'JOINT_TENANTS',
} as const
const SEARCHED = [ASKED, FOUND, CHARGED]
const SETTLED = [DUE, ...confirmed(3), EXCHANGED]
const PAID = [...ARRANGED, ...SETTLED, SENT]
/** One borrower who is the registered proprietor, without a charge. */
const LODGED = [ordered(1), ASKED, FOUND, ...completed({ parties: 1 }), ...PAID]

async function lodge(matter: Matter): Promise<void> {
  await completeCase(matter)
  await payAndSend(matter)
  assert.equal(await progressOf(matter), 'FUNDS_EXCHANGED INITIATED')
}

async function lodged(journey: Journey, titleNumber: string, ...borrowers: ReturnType<typeof aPerson>[]) {
  const matter = await order(journey, titleNumber, ...borrowers)
  await lodge(matter)
  return matter
}

/** Moves the clock, after which the matter has come so far. */
async function reaches(matter: Matter, advance: string, progress: string): Promise<void> {
  await move(matter.service, advance)
  assert.equal(await progressOf(matter), progress)
}

const register = (matter: Matter) => reaches(matter, 'P11D', 'CLOSED REGISTERED')

const isReady = async (matter: Matter) => (await matter.lender.getWorkspace(pathOf(matter))).readyForApproval

async function requisitionOf(matter: Matter): Promise<Schemas['RequisitionRecord']> {
  const path = { lodgement_case_id: (await caseOf(matter)).lodgementCaseId }
  const [record, ...more] = await Array.fromAsync(matter.lender.records('listRequisitions', { path }))
  assert.ok(record && more.length === 0, 'the registry asked once')
  return record
}

/** What the gateway has of a matter. Undefined with the simulator. */
async function applicationsAt({ gateway }: Here, { service, workspaceId }: Matter) {
  const [row] = await service.deps.db.query<{ reference: string }>(
    'select workspace_reference_id as reference from workspaces where workspace_id = $1',
    [workspaceId],
  )
  return gateway?.applications().filter(({ data }) => data.customer_reference === row?.reference)
}

/** The documents of the registry among the files, each with the gateway's own bytes where the gateway has it by its id. */
async function registryFiles({ gateway }: Here, matter: Matter): Promise<Schemas['WorkspaceFile'][]> {
  const files = await Array.fromAsync(matter.firm.records('listFiles', pathOf(matter)))
  const ids = await matter.service.deps.db.query<{ fileId: string; id: string }>(
    `select file_id as "fileId", registry_document_id as id from files where workspace_id = $1`,
    [matter.workspaceId],
  )
  return files.filter(({ fileId, fileUploadStatus, sha256, source }) => {
    const { id } = ids.find((one) => one.fileId === fileId) ?? assert.fail('no row')
    const bytes = gateway?.downloads().find((one) => one.id === id)?.bytes
    if (bytes) assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'))
    if (source === 'REGISTRY') assert.deepEqual([fileUploadStatus, Boolean(bytes)], ['SUCCESS', !/^extract /.test(id)])
    return source === 'REGISTRY'
  })
}

async function sendAgain(matter: Matter): Promise<void> {
  assert.equal((await approveCase(matter)).lodgementCaseStatus, 'RESUBMISSION_PREPARED')
  await reaches(matter, 'P2D', 'LODGED LODGED')
  await register(matter)
}

const JOURNEYS: Record<string, (here: Here) => Promise<void>> = {
  'a remortgage is lodged once and registered': async (here) => {
    const matter = await order(here.journey, 'ST500678')
    await prepareCase({ ...matter, advance: ADVANCE })
    here.note('a loan with pence may be lodged', await isReady(matter))
    await describeDeed(matter, { transactionValue: WHOLE_POUNDS })
    await approveCase(matter)
    await payAndSend(matter)
    await reaches(matter, 'P2D', 'LODGED LODGED')
    const { registryReference, priorityAt } = await caseOf(matter)
    assert.match(registryReference ?? '', /^[A-Z][0-9]{3}[A-Z]{3}$/)
    assert.ok(priorityAt)
    await register(matter)
    assert.deepEqual(applicationsOf(await caseOf(matter)), ['DISCHARGE REGISTERED', 'MORTGAGE_DEED REGISTERED'])
    const text = await registerOf(matter)
    assert.match(text, /Northgate Building Society/i)
    assert.doesNotMatch(text, /Eastmoor/i)
    assert.equal((await applicationsAt(here, matter))?.length ?? 1, 1)
    here.note('so many documents of the registry are kept of a remortgage', (await registryFiles(here, matter)).length)
    const prepared = [REPRESENTED, REPRESENTED, DEED_DESCRIBED, UPLOADED, DEED_DESCRIBED, CASE_APPROVED]
    await happenedOnce(matter, ordered(), SEARCHED, prepared, PAID, ACCEPTED, REGISTERED)
  },

  'an early completion is followed until the discharge is registered': async ({ journey }) => {
    const matter = await lodged(journey, 'ST500679')
    await reaches(matter, 'P12D', 'LODGED PARTIALLY_REGISTERED')
    assert.match(await registerOf(matter), /Tamarbridge/i)
    await reaches(matter, 'P15D', 'CLOSED REGISTERED')
    assert.doesNotMatch(await registerOf(matter), /Tamarbridge/i)
    await happenedOnce(matter, ordered(), SEARCHED, completed(), PAID, ACCEPTED, REGISTERED_IN_PART, DISCHARGED)
  },

  'a change of name is registered with its evidence': async ({ journey, note }) => {
    const matter = await order(journey, 'DN514817', aPerson('Maria', 'Oliveira'))
    const { proprietorId } = unmatchedNamed(await readNames(matter), 'Maria')
    await reconcile(matter, {
      action: 'UPDATE_PROPRIETOR_NAME',
      proprietorId,
      type: 'INDIVIDUAL',
      proprietorDetails: { forenames: 'Maria', surname: 'Oliveira' },
    })
    await prepareCase(matter)
    await assert.rejects(
      approveCase(matter),
      (error) => isApiError(error, 409) && error.messageAt('applications[1].file') !== undefined,
    )
    await attach(matter, 'CHANGE_OF_NAME', 'MARRIAGE_CERTIFICATE')
    note('a change of name may be lodged without a letter', await isReady(matter))
    await attach(matter, 'CHANGE_OF_NAME', 'CORRESPONDENCE', 'SUPPORTING_DOCUMENT')
    await approveCase(matter)
    await payAndSend(matter)
    await register(matter)
    assert.match(await registerOf(matter), /Oliveira/i)
    const renamed = [ordered(1), ASKED, FOUND, reconciled('UPDATE_PROPRIETOR_NAME'), caseChanged(1)]
    await happenedOnce(matter, renamed, completed({ parties: 1, papers: 3 }), PAID, ACCEPTED, REGISTERED)
  },

  'a transfer of equity registers who stays and who comes, without the restriction': async (here) => {
    const matter = await order(here.journey, 'ST500681', aPerson('Tracey'), aPerson('Oliver', 'Hart'))
    const names = await readNames(matter)
    const { partyId } = partyNamed(names, 'Oliver')
    const { proprietorId } = unmatchedNamed(names, 'William')
    await reconcile(matter, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId, addressForService })
    const { partyId: william = '' } = await reconcile(matter, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
    await represent(matter, william, EXTERNAL)
    await prepareCase(matter, ['TRANSFER_OF_WHOLE', 'EVIDENCE'], ['CANCEL_A_RESTRICTION', 'STATEMENT_OF_TRUTH'])
    here.note('a transfer may be lodged without its terms, an address of who stays and form RX3', await isReady(matter))
    await reconcile(matter, {
      action: 'UPDATE_PARTY_NAME',
      partyId: partyNamed(names, 'Tracey').partyId,
      type: 'INDIVIDUAL',
      partyDetails: { forenames: 'Tracey', surname: 'Prynne' },
      addressForService,
    })
    await describeApplication(matter, 'TRANSFER_OF_WHOLE', TERMS)
    await attach(matter, 'CANCEL_A_RESTRICTION', 'EVIDENCE')
    await approveCase(matter)
    await payAndSend(matter)
    await register(matter)
    const text = await registerOf(matter)
    assert.match(text, /TRACEY PRYNNE and OLIVER HART of 3 Larkbeare Row, Exeter EX2 9QT/)
    assert.doesNotMatch(text, /WILLIAM PRYNNE|RESTRICTION/)
    const sent = (await applicationsAt(here, matter))?.flatMap(({ data }) => Object.values(data.transactions))
    const types = sent?.toSorted((a, b) => a.priority - b.priority).map(({ type }) => type)
    assert.equal(types?.join(' ') ?? 'DIS TOSNV CANR C', 'DIS TOSNV CANR C')
    const came = [reconciled('SET_AS_INCOMING_PROPRIETOR'), caseChanged(2), reconciled('SET_AS_OUTGOING_PROPRIETOR', 1)]
    const prepared = completed({ parties: 3, described: 2, papers: 3 }).slice(0, -1)
    const added = [reconciled('UPDATE_PARTY_NAME'), DEED_DESCRIBED, UPLOADED, CASE_APPROVED]
    await happenedOnce(matter, ordered(), SEARCHED, came, prepared, added, PAID, ACCEPTED, REGISTERED)
  },

  'a company whose name is written differently is registered': async ({ journey }) => {
    const matter = await lodged(journey, 'CO100001', aCompany('Turner Holdings Ltd', '2294747'))
    await register(matter)
    await happenedOnce(matter, LODGED, ACCEPTED, REGISTERED)
  },

  'a requisition is answered with a document, and the title registered': async (here) => {
    const matter = await lodged(here.journey, 'RQ100001', aPerson('Grace', 'Okafor'))
    await reaches(matter, 'P5D', 'REQUISITIONED REQUISITIONED')
    const open = await requisitionOf(matter)
    assert.deepEqual([open.status, open.replies], ['OPEN', []])
    here.note('what a requisition asks for is shown in so many points', open.points.length)
    here.note('so many letters come with a requisition', open.fileIds.length)
    assert.deepEqual(
      open.fileIds,
      (await registryFiles(here, matter))
        .filter((one) => one.registryDocumentKind === 'LETTER')
        .map((one) => one.fileId),
    )
    const { message, fileId, answer } = await answerRequisition(matter)
    assert.deepEqual(answer, { requisitionId: open.requisitionId, lodgementCaseStatus: 'REQUISITION_SUBMITTED' })
    const answered = await requisitionOf(matter)
    assert.equal(answered.status, 'ANSWERED')
    assert.partialDeepStrictEqual(answered.replies, [{ message, fileIds: [fileId] }])
    await move(matter.service, 'P2D')
    here.note('two days after the answer, the case is', (await caseOf(matter)).lodgementCaseStatus)
    await register(matter)
    assert.equal((await requisitionOf(matter)).status, 'ACCEPTED')
    const [application] = (await applicationsAt(here, matter)) ?? []
    assert.deepEqual(application?.replies.map(({ kind }) => kind) ?? ['document', 'message'], ['document', 'message'])
    const asked = [ACCEPTED, REQUISITIONED, UPLOADED, ANSWERED, ANSWER_ACCEPTED]
    await happenedOnce(matter, LODGED, asked, REGISTERED)
  },

  'a letter needs no answer, and the title is registered': async (here) => {
    const matter = await lodged(here.journey, 'LT100001', aPerson('Rosa', 'Field'))
    await reaches(matter, 'P5D', 'REQUISITIONED REQUISITIONED')
    const { points, fileIds } = await requisitionOf(matter)
    assert.deepEqual([points.length, fileIds.length], [0, 1])
    const path = { ...pathOf(matter).path, file_id: fileIds[0] ?? '' }
    const { stream } = await matter.firm.download('getFileContent', { path })
    assert.match(await text(stream), /^%PDF/)
    const { lodgementCaseId } = await caseOf(matter)
    const closed = await matter.firm.closeRequisition({
      path: { lodgement_case_id: lodgementCaseId },
      body: { reason: 'It only informs.', confirmedBy: 'case.handler@harbour.example' },
    })
    assert.equal(closed.lodgementCaseStatus, 'LODGED')
    assert.equal(await progressOf(matter), 'LODGED LODGED')
    await register(matter)
    assert.partialDeepStrictEqual(await requisitionOf(matter), {
      status: 'NO_ANSWER_NEEDED',
      closure: { reason: 'It only informs.' },
    })
    await happenedOnce(matter, LODGED, ACCEPTED, REQUISITIONED, CLOSED_BY_FIRM, OVERTAKEN, REGISTERED)
  },

  'a cancelled application is sent again with another deed': async ({ journey }) => {
    const matter = await lodged(journey, 'CX100001', aPerson('Peter', 'Lang'))
    await reaches(matter, 'P5D', 'FUNDS_EXCHANGED REGISTRATION_REJECTED')
    await attach(matter, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
    await sendAgain(matter)
    const corrected = [UPLOADED, CASE_APPROVED, SENT]
    await happenedOnce(matter, LODGED, ACCEPTED, CANCELLED_THERE, corrected, ACCEPTED, REGISTERED)
  },

  'an application that fails its validation is corrected at our field and sent again': async ({ journey, note }) => {
    const matter = await lodged(journey, 'VF100001', aPerson('Joan', 'Hill'))
    await reaches(matter, 'P2D', 'FUNDS_EXCHANGED REGISTRATION_REJECTED')
    const { rejection } = await caseOf(matter)
    assert.partialDeepStrictEqual(rejection, { reason: 'VALIDATION_FAILED', field: 'mortgageDeedReference' })
    note('an unknown deed is rejected with', rejection?.message)
    await describeDeed(matter, { mortgageDeedReference: 'MD5678Y' })
    await sendAgain(matter)
    assert.equal((await caseOf(matter)).rejection, undefined)
    const corrected = [DEED_DESCRIBED, CASE_APPROVED, SENT]
    await happenedOnce(matter, LODGED, REFUSED, corrected, ACCEPTED, REGISTERED)
  },

  'a system error of the registry is overcome without anybody’s help': async (here) => {
    const matter = await lodged(here.journey, 'SE100001', aPerson('Omar', 'Aziz'))
    await reaches(matter, 'P2D', 'LODGED LODGED')
    here.note('after two system errors the registry has been sent', (await applicationsAt(here, matter))?.length ?? 1)
    await register(matter)
    await happenedOnce(matter, LODGED, ACCEPTED, REGISTERED)
  },

  ...Object.fromEntries(
    [
      ['NF100001', 'NOT_FOUND'],
      ['DT501578', 'CLOSED'],
      ['GR514443', 'PENDING_NEW_TITLE'],
    ].map(([number = '', failure]) => [
      `the title ${number} is ${failure}, and the correct number replaces it`,
      async ({ journey }: Here) => {
        const matter = await order(journey, number)
        await assert.rejects(matter.firm.waitForTitleSearch(matter), (error: OutcomeError) => error.reason === failure)
        const { parties } = await readNames(matter)
        assert.ok(parties.every(({ match }) => match === 'PENDING'))
        const early = reconcile(matter, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: parties[0]?.partyId ?? '' })
        await assert.rejects(early, (error) => isApiError(error, 409))
        await addTitle(matter, 'ST500678')
        assert.deepEqual(applicationsOf(await caseOf(matter)), ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT'])
        await happenedOnce(matter, ordered(), ASKED, NOT_FOUND, TITLE_ADDED, SEARCHED)
      },
    ]),
  ),

  'a slow search and a closed day list are waited for': async ({ journey, gateway, note }) => {
    // Later than the others, because the day list is the same for all.
    await move(journey.service, 'P14D')
    const matter = await order(journey, 'SL100001', aPerson('Ivy', 'Marsh'))
    assert.equal((await caseOf(matter)).lastTitleSearchStatus, 'PENDING')
    await move(matter.service, 'PT2H')
    assert.equal((await caseOf(matter)).lastTitleSearchStatus, 'SUCCESS')
    gateway?.control.closeDayList()
    await lodge(matter)
    await move(matter.service, 'P2D')
    note('while the day list is closed, the case is', (await caseOf(matter)).lodgementCaseStatus)
    gateway?.control.openDayList()
    await reaches(matter, 'P1D', 'LODGED LODGED')
    await register(matter)
    await happenedOnce(matter, LODGED, ACCEPTED, REGISTERED)
  },
}

for (const [registry, start] of Object.entries(REGISTRIES)) {
  describe(`with ${registry}`, () => {
    let started: Started
    let shared: ReturnType<typeof together>
    const noted: Record<string, string> = {}
    before(async () => {
      started = await start()
      shared = together(started.journey.service, Object.keys(JOURNEYS).length)
    })

    describe('all at once', { concurrency: true }, () => {
      for (const [name, walk] of Object.entries(JOURNEYS)) {
        it(name, () => {
          const journey = { ...started.journey, service: shared.service, advance: WHOLE_POUNDS }
          const note: Here['note'] = (what, value) => {
            noted[what] = value === true ? 'yes' : value === false ? 'no' : String(value)
          }
          return shared.walk(() => walk({ journey, gateway: started.gateway, note }))
        })
      }
    })

    it('differs only as documented', () =>
      assert.deepEqual(noted, documentedDifferences(registry as keyof typeof REGISTRIES)))

    it('both kinds of network error happened on the way', () => metBothErrors(started.journey))
  })
}
