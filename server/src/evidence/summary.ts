import type { Readable } from 'node:stream'
import { londonDate, londonTime } from '../jurisdiction/london.ts'
import { dayInWords, momentInWords, pounds } from '../registry/entry-wording.ts'
import { closeSheet, openSheet, type Sheet } from '../registry/pdf-sheet.ts'
import { facts, masthead, register } from '../registry/title-pdf-layout.ts'
import type { Snapshot } from './read.ts'
import type { SealedHead } from './rules.ts'

const TIMELINE_MAX = 500 // the sheet is laid out in memory

/** What happened, to read and to print. The same evidence gives the same bytes. */
export async function summaryPdf(
  matter: Snapshot,
  names: ReadonlyMap<string, string>,
  sealed: SealedHead | undefined,
  madeAt: Date,
): Promise<Readable> {
  const { workspace, lodgementCase, schedule, timeline, approvals, shownFiles, head } = matter
  const { workspaceReferenceId, workspaceId, reference } = workspace
  const sheet = await openSheet({
    title: `Evidence: ${workspaceReferenceId}`,
    subject: `Matter ${reference}`,
    runningHead: `Evidence · ${workspaceReferenceId}`,
    documentId: workspaceId,
    madeAt,
  })
  masthead(sheet, { heading: 'Evidence of a matter', mark: workspaceReferenceId, introduction: introduction(madeAt) })
  facts(sheet, [
    ['Reference', reference],
    ['Property', addressOf(workspace.securityAddress)],
    ...workspace.participants.map(({ name, role }) => [role === 'LENDER' ? 'Lender' : 'Law firm', name] as const),
    ...workspace.titles.map(({ titleNumber }) => ['Title', titleNumber] as const),
    ['Status', workspace.status],
    ...(lodgementCase ? [['Case', lodgementCase.lodgementCaseStatus] as const] : []),
    ...(lodgementCase?.registryReference ? [['Registry reference', lodgementCase.registryReference] as const] : []),
    ...(workspace.completionDate ? [['Completion', dayInWords(workspace.completionDate)] as const] : []),
    ['Audit', `${head.seq} entries, the last with the hash ${head.hash}`],
    ['Anchor', sealed ? `${dayInWords(sealed.sealedAt.slice(0, 10))}: ${sealed.hash}` : 'not sealed yet'],
  ])
  section(
    sheet,
    'Parties',
    'Who they are and who acts for them.',
    workspace.parties.map(({ role, partyDetails, representation }) => ({
      text: [nameOf(partyDetails), `${role}${representation ? `, ${representation.representedBy}` : ''}`],
    })),
  )
  section(sheet, 'Approvals', 'Who decided what. The audit has what they saw.', [
    ...(approvals.lodgement ?? []).map((one) => decided('Case', one)),
    ...(approvals.financial ?? []).map((one) => decided('Money', one)),
    ...approvals.confirmations.map(({ confirmedAt, confirmedBy, ruleId, reason }) =>
      dated(confirmedAt, `${ruleId} confirmed by ${confirmedBy}: ${reason}`),
    ),
  ])
  section(
    sheet,
    'Money',
    'What came in, where it went, and what is known to be paid.',
    (schedule?.lineItems ?? []).map(({ type, category, amount, reference: of, payment }) => ({
      text: [
        `${type}: ${category}, ${pounds(Math.round(amount * 100))}, ${of}`,
        ...(payment ? [`${payment.paidOn}, ${payment.bankReference}, confirmed by ${payment.confirmedBy}`] : []),
      ],
    })),
  )
  section(
    sheet,
    'Documents',
    'Each with the SHA-256 of its bytes.',
    shownFiles.map(({ fileId, fileName, documentType, fileUploadStatus, sha256, auditAttributes }) =>
      dated(
        auditAttributes.createdAt,
        `${names.get(fileId) ?? fileName}: ${documentType}, ${fileUploadStatus}, by ${auditAttributes.createdBy}`,
        sha256,
      ),
    ),
  )
  const left = timeline.length - TIMELINE_MAX
  section(
    sheet,
    'Timeline',
    left > 0 ? `The newest ${TIMELINE_MAX}; timeline.json has ${left} more.` : 'Everything that happened.',
    timeline.slice(-TIMELINE_MAX).map(({ at, by, message }) => dated(at, `${timeOf(at)} ${message}`, by)),
  )
  return closeSheet(sheet)
}

const introduction = (madeAt: Date) =>
  `As Lodgeway had it on ${momentInWords(madeAt)}, London time. The files beside this summary are the evidence; the audit in ` +
  'them is chained by hashes, and README.txt says how to check it.'

type Line = { enteredOn?: string; text: string[] }

function section(sheet: Sheet, name: string, purpose: string, lines: readonly Line[]): void {
  if (lines.length === 0) return
  const entries = lines.map((line, i) => ({ number: String(i + 1), ...line }))
  register(sheet, name, purpose, entries)
}

const dated = (at: string, ...text: string[]): Line => ({ enteredOn: londonDate(new Date(at)), text })
const timeOf = (at: string) => londonTime(new Date(at))

const decided = (what: string, { action, approvedBy, at }: { action: string; approvedBy: string; at: string }) =>
  dated(at, `${what}: ${action} by ${approvedBy}`)

const nameOf = (details: Readonly<Record<string, string | undefined>>): string =>
  details['organisationName'] ?? `${details['forenames']} ${details['surname']}`

const addressOf = (address: Readonly<Record<string, string | undefined>>): string =>
  Object.values(address).filter(Boolean).join(', ')
