import { type Attachment, counts, mainDocument } from '../lodgement/attachments.ts'
import type { Application, Particulars } from '../lodgement/rules.ts'
import { APPLICATION_TRANSITIONS, type ApplicationStatus } from '../lodgement/status.ts'
import { conflict, type FieldError } from '../platform/errors.ts'
import { linkedParties, PROPRIETORS_MAX, proprietorCount, unmatchedProprietors } from '../title-reconciliation/rules.ts'
import type { Ownership, Party } from '../workspaces/ownership.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import {
  type CaseStatus,
  canBeApproved,
  canBeUnapproved,
  type SearchStatus,
  type WorkspaceStatus,
} from '../workspaces/status.ts'

// What the registry would refuse, found before it is sent. The rules have the registry's own names where it has one.

/** All that the readiness of a case depends on, parties and applications in the order in which the interface lists them. */
export type ReadinessFacts = Ownership & {
  searchStatus: SearchStatus | null
  /** The active ones. */
  representations: readonly ActiveRepresentation[]
  applications: readonly ReviewedApplication[]
}

export type ActiveRepresentation = {
  partyId: string
  representedBy: RepresentedBy
  verificationOfIdentity?: Verification
}

export type ReviewedApplication = Application &
  Particulars & { status: ApplicationStatus; documents: readonly Attachment[] }

/** What a rule says of one thing. `field` names what to fix; `applicationId` the application, where it is about one. */
export type Finding = { passed: boolean; message: string; field: string; applicationId?: string }

const NO_SEARCH = 'No title search has succeeded yet, so the registered proprietors are not known.'

export const RULES = {
  'title-must-be-valid': ({ searchStatus }) =>
    searchStatus === null
      ? [failed('titles', 'A title must be added to the workspace.')]
      : [found('titles[0]', TITLE_FAULTS[searchStatus], 'The registry has the title.')],

  // A proprietor whom a party is, or represents, is covered by that party.
  'all-proprietors-matched-to-borrowers': (facts) => {
    const linked = linkedParties(facts)
    return [
      ...facts.parties.map((party, i) => matched(`parties[${i}]`, party, facts.searched, linked)),
      ...unmatchedProprietors(facts).map((_, i) =>
        failed(
          `unmatchedProprietors[${i}]`,
          'No borrower has the name of this registered proprietor: rename one of them, or set the proprietor as outgoing.',
        ),
      ),
    ]
  },

  'proprietor-count': (facts) => {
    const count = proprietorCount(facts)
    if (!facts.searched) return [failed('parties', NO_SEARCH)]
    const problem = `A title must have 1 to ${PROPRIETORS_MAX} proprietors: this one would have ${count}.`
    const isWithin = count >= 1 && count <= PROPRIETORS_MAX
    return [
      found('parties', isWithin ? undefined : problem, `The title will have 1 to ${PROPRIETORS_MAX} proprietors.`),
    ]
  },

  'party-representation-type-is-valid': ({ parties, representations }) =>
    parties.map(({ partyId }, i) => {
      const isRepresented = representations.some((one) => one.partyId === partyId)
      const problem = isRepresented ? undefined : 'This party must have an active representation.'
      return found(`parties[${i}].representation`, problem, 'This party has an active representation.')
    }),

  'lodging-conveyancer-represents-a-party': (facts) => {
    const acts = representationsOf(facts).some((one) => one.representedBy === 'PLATFORM_SUBSCRIBER_LAW_FIRM')
    const problem = acts ? undefined : 'At least one party must be represented by a law firm of the platform.'
    return [found('parties', problem, 'A law firm of the platform represents a party.')]
  },

  'required-identity-evidence-provided': (facts) => {
    const parties = representationsOf(facts).filter((one) => one.verificationOfIdentity === 'IDENTITY_EVIDENCE')
    const documents = liveApplications(facts).flatMap(({ application }) => application.documents.filter(counts))
    const forms = documents.filter(({ documentType }) => documentType === 'IDENTITY_FORM')
    const count = `needed ${parties.length}, attached ${forms.length}.`
    const problem = `Each party that gives evidence of identity needs an IDENTITY_FORM: ${count}`
    const good = `There is an IDENTITY_FORM for each party that needs one: ${count}`
    return [found('applications', forms.length < parties.length ? problem : undefined, good)]
  },

  'all-mandatory-documents-provided': (facts) =>
    liveApplications(facts).map(({ application, at }) => {
      const main = mainDocument(application.documents)
      const isThere = application.applicationType === 'DISCHARGE' || (main !== undefined && counts(main))
      const problem = 'The main document must be attached and have passed its checks.'
      return ofOne(application, found(`${at}.file`, isThere ? undefined : problem, 'The documents are complete.'))
    }),

  'charge-must-have-non-negative-value': (facts) =>
    deeds(facts).map(({ application, at }) => {
      const { transactionValuePence = -1 } = application
      const problem = transactionValuePence < 0 ? 'transactionValue must be set, to 0 or more.' : undefined
      return ofOne(application, found(`${at}.transactionValue`, problem, 'The charge has a value.'))
    }),

  'mdref-on-record': (facts) =>
    deeds(facts).map(({ application, at }) => {
      const { mortgageDeedReference = '', mortgageDeedReferenceType: type } = application
      if (!type) {
        return ofOne(application, failed(`${at}.mortgageDeedReferenceType`, 'mortgageDeedReferenceType must be set.'))
      }
      const { pattern, example } = DEED_REFERENCES[type]
      const problem = `mortgageDeedReference of a ${type} deed must be a reference such as ${example}.`
      const isInFormat = pattern.test(mortgageDeedReference)
      const result = found(`${at}.mortgageDeedReference`, isInFormat ? undefined : problem, 'The deed has a reference.')
      return ofOne(application, result)
    }),

  'deed-is-effective': (facts) =>
    deeds(facts).map(({ application, at }) => {
      const waits = application.mortgageDeedReferenceType === 'DIGITAL' && application.isEffective !== true
      const problem = waits ? 'isEffective must be true of a DIGITAL deed.' : undefined
      return ofOne(
        application,
        found(`${at}.isEffective`, problem, 'The deed is effective, or will be when it is dated.'),
      )
    }),
} satisfies Record<string, (facts: ReadinessFacts) => Finding[]>

export type RuleId = keyof typeof RULES

export type RuleResult = Finding & { ruleId: RuleId }

/** One for each rule and thing that it checks, passed or not, in the order of the rules. */
export const reviewReadiness = (facts: ReadinessFacts): RuleResult[] =>
  (Object.keys(RULES) as RuleId[]).flatMap((ruleId) =>
    RULES[ruleId](facts).map((finding): RuleResult => ({ ruleId, ...finding })),
  )

/** As an approval is refused with, in the very words of the readiness. */
export const failuresOf = (results: readonly RuleResult[]): FieldError[] =>
  results.filter(({ passed }) => !passed).map(({ field, message }) => ({ field, message }))

const TITLE_FAULTS = {
  INITIATED: 'The registry has not answered the title search yet.',
  PENDING: 'The registry has not answered the title search yet.',
  FAILED: 'The title search failed: another title must be added.',
  SUCCESS: undefined,
}

const DEED_REFERENCES = {
  PAPER: { pattern: /^MD[0-9]{3,4}[A-Z]$/, example: 'MD431C' },
  DIGITAL: { pattern: /^e-MD[0-9]{3,4}[A-Z]$/, example: 'e-MD431C' },
}

function matched(field: string, party: Party, searched: boolean, linked: ReadonlyMap<string, string>): Finding {
  if (party.role === 'INCOMING_PROPRIETOR') return passed(field, 'This party is an incoming proprietor.')
  if (party.role === 'OUTGOING_PROPRIETOR') return passed(field, 'This party is an outgoing proprietor.')
  if (linked.has(party.partyId)) return passed(field, 'This borrower is a registered proprietor.')
  if (!searched) return failed(field, NO_SEARCH)
  const remedy = 'rename one of them, or set the borrower as an incoming proprietor'
  return failed(field, `No registered proprietor has the name of this borrower: ${remedy}.`)
}

/** Those of present parties: one of a party that reconciliation took away counts for nothing. */
const representationsOf = ({ parties, representations }: ReadinessFacts) =>
  representations.filter((one) => parties.some(({ partyId }) => partyId === one.partyId))

/** With the place of each among all, where the withdrawn are listed too. */
const liveApplications = ({ applications }: ReadinessFacts) =>
  applications
    .map((application, i) => ({ application, at: `applications[${i}]` }))
    .filter(({ application }) => application.status !== 'WITHDRAWN')

const deeds = (facts: ReadinessFacts) =>
  liveApplications(facts).filter(({ application }) => application.applicationType === 'MORTGAGE_DEED')

const passed = (field: string, message: string): Finding => ({ passed: true, message, field })
const failed = (field: string, message: string): Finding => ({ passed: false, message, field })
const found = (field: string, problem: string | undefined, good: string): Finding =>
  problem === undefined ? passed(field, good) : failed(field, problem)

const ofOne = ({ applicationId }: ReviewedApplication, finding: Finding): Finding => ({ ...finding, applicationId })

/** What can happen to the approval of a case. It is taken back by hand, or by a change of what was approved. */
export type ApprovalChange =
  | { kind: 'case approved'; approvedBy: string }
  | { kind: 'case unapproved'; unapprovedBy?: string }

/** Approves a case as it is now, where nothing keeps it from that. */
export function approveCase(
  status: CaseStatus,
  facts: ReadinessFacts,
  eyes: { fourEyes: boolean; changedBy: readonly string[] },
  approvedBy: string,
): ApprovalChange {
  if (!canBeApproved(status)) throw conflict({ message: `The lodgement case is ${status}: it cannot be approved.` })
  const errors = [
    ...failuresOf(reviewReadiness(facts)),
    ...fourEyesErrors(eyes, approvedBy, 'an application or its documents'),
  ]
  if (errors.length) throw conflict(...errors)
  return { kind: 'case approved', approvedBy }
}

/** Until the lender has authorised the funds on the strength of it. */
export function unapproveCase(status: WorkspaceStatus, caseStatus: CaseStatus, unapprovedBy: string): ApprovalChange {
  if (caseStatus !== 'PREPARED') throw conflict({ message: `The lodgement case is ${caseStatus}: it is not approved.` })
  if (!canBeUnapproved(status, caseStatus)) {
    throw conflict({ message: `The workspace is ${status}: the approval of its case can no longer be taken back.` })
  }
  return { kind: 'case unapproved', unapprovedBy }
}

export type Move = { applicationId: string; status: ApplicationStatus }

/**
 * The applications whose own rules put them in another status. One that the registry rejected is reviewed again only when
 * it was changed.
 */
export function movesOf(
  applications: readonly ReviewedApplication[],
  results: readonly RuleResult[],
  changed: readonly string[],
): Move[] {
  const wanting = new Set(results.filter(({ passed }) => !passed).map(({ applicationId }) => applicationId))
  return applications.flatMap(({ applicationId, status }) => {
    if (status === 'REJECTED' && !changed.includes(applicationId)) return []
    const next = APPLICATION_TRANSITIONS[status][wanting.has(applicationId) ? 'found wanting' : 'found ready']
    return next ? [{ applicationId, status: next }] : []
  })
}

/** Where the firm wants four eyes, nobody approves what they have changed themselves, or a part of it. */
export function fourEyesErrors(
  { fourEyes, changedBy }: { fourEyes: boolean; changedBy: readonly string[] },
  approvedBy: string,
  what: string,
): FieldError[] {
  if (!fourEyes || !changedBy.includes(approvedBy.toLowerCase())) return []
  return [{ field: 'approvedBy', message: `approvedBy must be a person who has not changed ${what}.` }]
}
