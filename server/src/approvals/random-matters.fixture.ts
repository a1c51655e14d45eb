import fc from 'fast-check'
import { aLineOf } from '../../test/fixtures/line-items.ts'
import { aReadyMatter } from '../../test/fixtures/matter.ts'
import { company, newIds, person } from '../../test/fixtures/ownership.ts'
import { aDocument, anApplication, EVIDENCED, represented } from '../../test/fixtures/readiness.ts'
import { MAIN_DOCUMENT_TYPES, UPLOAD_STATUSES } from '../lodgement/attachments.ts'
import { APPLICATION_TYPES } from '../lodgement/rules.ts'
import { APPLICATION_STATUSES } from '../lodgement/status.ts'
import type { Matter } from '../matter/matter.ts'
import { Refusal } from '../platform/errors.ts'
import { CERTIFICATION_TYPES } from '../registry/lodgement.ts'
import { type Action, reconcile } from '../title-reconciliation/rules.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import { type CaseStatus, SEARCH_STATUSES, type WorkspaceStatus } from '../workspaces/status.ts'

// Random matters, also in states that no sequence of requests leads to.

/** The statuses that go together. */
const STATES: [WorkspaceStatus, CaseStatus, Matter['schedule']['status']][] = [
  ['CREATED', 'CREATED', 'DRAFT'],
  ['CREATED', 'CREATED', 'PREPARED'],
  ['CREATED', 'PREPARED', 'DRAFT'],
  ['PREPARED', 'PREPARED', 'PREPARED'],
  ['FUNDS_AUTHORISED', 'PREPARED', 'AUTHORISED'],
  ['FUNDS_EXCHANGED', 'PREPARED', 'SETTLED'],
  ['FUNDS_EXCHANGED', 'INITIATED', 'SETTLED'],
  ['FUNDS_EXCHANGED', 'REGISTRATION_REJECTED', 'SETTLED'],
  ['FUNDS_EXCHANGED', 'RESUBMISSION_PREPARED', 'SETTLED'],
  ['LODGED', 'LODGED', 'SETTLED'],
  ['LODGED', 'PARTIALLY_REGISTERED', 'SETTLED'],
  ['LODGED', 'DISCHARGE_SUBMITTED', 'SETTLED'],
  ['REQUISITIONED', 'REQUISITIONED', 'SETTLED'],
  ['CLOSED', 'REGISTERED', 'SETTLED'],
  ['CANCELLED', 'CANCELLED', 'CANCELLED'],
]

const NAMES = ['William Prynne', 'Tracey Prynne', 'Grace Okafor', 'Ivy Marsh', 'Omar Aziz', ` ${'X'.repeat(60)}`]
const aName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES).map(person) },
  fc.constantFrom(company('Turner Holdings Limited', '02294747'), company('Lang Estates Limited')),
)

const anOwnership = fc
  .record({
    searchStatus: fc.oneof(
      { weight: 4, arbitrary: fc.constant('SUCCESS' as const) },
      fc.constantFrom(...SEARCH_STATUSES),
    ),
    borrowers: fc.array(aName, { minLength: 1, maxLength: 4 }),
    proprietors: fc.array(aName, { minLength: 1, maxLength: 5 }),
    actions: fc.array(fc.record({ comes: fc.boolean(), at: fc.nat(4) }), { maxLength: 5 }),
  })
  .map(({ searchStatus, borrowers, proprietors, actions }) => {
    const searched = searchStatus === 'SUCCESS'
    const start: Ownership = {
      searched,
      parties: borrowers.map((name, i) => ({ partyId: `party ${i}`, role: 'BORROWER', name })),
      proprietors: (searched ? proprietors : []).map((name, i) => {
        return { proprietorId: `proprietor ${i}`, name, registeredName: name, aliases: [], outgoing: false }
      }),
    }
    const ownership = actions.reduce((state, { comes, at }, i) => {
      const action: Action = comes
        ? { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: `party ${at}` }
        : { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: `proprietor ${at}` }
      return tried(() => reconcile(state, action, newIds(i))) ?? state
    }, start)
    return { searchStatus, ...ownership }
  })

const someDocuments = fc.array(
  fc.record({
    documentType: fc.constantFrom(...Object.values(MAIN_DOCUMENT_TYPES).flat(), 'IDENTITY_FORM' as const),
    status: fc.constantFrom(...UPLOAD_STATUSES),
    certificationType: fc.constantFrom(...CERTIFICATION_TYPES),
    precedesDigital: fc.boolean(),
  }),
  { maxLength: 3 },
)

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const anyApplication = (applicationType: (typeof APPLICATION_TYPES)[number]) =>
  fc
    .record({
      status: fc.constantFrom(...APPLICATION_STATUSES),
      documents: someDocuments,
      transactionValuePence: maybe(fc.constantFrom(0, 5, 7)),
      mortgageDeedReference: maybe(fc.constantFrom('MD431C', 'e-MD431C', 'none')),
      mortgageDeedReferenceType: maybe(fc.constantFrom('PAPER' as const, 'DIGITAL' as const)),
      isEffective: maybe(fc.boolean()),
    })
    .map(({ documents, status, transactionValuePence, ...deed }) => {
      const facts = { transactionValuePence, ...(applicationType === 'MORTGAGE_DEED' && deed) }
      const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
      const attached = documents.map(({ documentType, ...one }) => aDocument(documentType, one))
      return anApplication(applicationType, { ...given, status, documents: attached })
    })

export const aRandomMatter = fc
  .record({
    state: fc.constantFrom(...STATES),
    ownership: anOwnership,
    represented: fc.nat(5),
    deed: anyApplication('MORTGAGE_DEED'),
    others: fc.tuple(...APPLICATION_TYPES.slice(0, 4).map((type) => maybe(anyApplication(type)))),
    lines: fc.array(
      fc
        .record({
          category: fc.constantFrom('Mortgage Advance', 'Redemption', 'Surplus' as const),
          pence: fc.constantFrom(1, 5, 7),
        })
        .map(({ category, pence }) => aLineOf(category, pence)),
      { maxLength: 4 },
    ),
    completionDate: fc.constantFrom(null, '2026-05-29', '2026-06-01', '2026-06-06'),
    postcode: fc.constantFrom('CB7 9QZ', 'CB7 9QX'),
    hasCharge: fc.boolean(),
    registry: fc.constantFrom('simulator', 'hmlr'),
  })
  .map(({ state: [status, caseStatus, scheduleStatus], ownership, ...facts }): Matter => {
    const ready = aReadyMatter()
    const { parties, proprietors, searchStatus } = ownership
    const applications = [facts.deed, ...facts.others.filter((one) => one !== undefined)]
    const [representation] = ready.representations
    return {
      ...ready,
      workspace: {
        ...ready.workspace,
        status,
        completionDate: facts.completionDate,
        securityAddress: { ...ready.workspace.securityAddress, postcode: facts.postcode },
      },
      lodgementCase: { ...ready.lodgementCase, status: caseStatus, approvedBy: 'ann@a.example' },
      schedule: { ...ready.schedule, status: scheduleStatus, lines: facts.lines },
      title: ready.title && { ...ready.title, searchStatus, hasCharge: facts.hasCharge },
      parties,
      proprietors,
      registry: facts.registry,
      representations: parties.slice(0, facts.represented).map(({ partyId }) => {
        return { ...representation, ...represented(partyId, EVIDENCED), representationId: partyId } as never
      }),
      applications: applications.map((one) => ({ ...ready.applications[0], ...one })) as never,
    }
  })

function tried<T>(decision: () => T): T | undefined {
  try {
    return decision()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
