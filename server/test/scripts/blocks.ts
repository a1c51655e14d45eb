import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { RULES, type RuleId } from '../../src/approvals/rules.ts'
import { type FixKind, OPERATION_OF } from '../../src/approvals/rules-advice.ts'
import { APPROVALS, type Rule } from '../../src/approvals/rules-facts.ts'
import { replaceFile } from './replace-file.ts'

// docs/guide/what-blocks.md, made from the rules of readiness. `npm run blocks` updates it.

const ROOT = resolve(import.meta.dirname, '../../..')

export const BLOCKS_PAGE = resolve(ROOT, 'docs/guide/what-blocks.md')

/** A request that fixes a rule: what it does, and its body. `…` is an id that the readiness record leads to. */
export type Example = { do: FixKind; body: Readonly<Record<string, unknown>> }

const ACCOUNT = { accountName: 'Eastmoor Bank plc', accountNumber: '40117788', sortCode: '200000' }
const DEED = { documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT', certificationType: 'CERTIFIED' }
const confirming = (ruleId: RuleId, field: string, reason: string): Example => ({
  do: 'confirm',
  body: { ruleId, field, reason, confirmedBy: 'jo.marsh@harbour.example' },
})

/** A test sends each of them to a matter that its rule blocks. */
export const EXAMPLES: Record<RuleId, Example> = {
  'title-must-be-valid': { do: 'add a title', body: { titleNumber: 'DN514817' } },
  'all-proprietors-matched-to-borrowers': {
    do: 'reconcile',
    body: {
      action: 'UPDATE_PARTY_NAME',
      partyId: '…',
      type: 'INDIVIDUAL',
      partyDetails: { forenames: 'Maria', surname: 'Santos' },
    },
  },
  'proprietor-count': { do: 'reconcile', body: { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: '…' } },
  'party-representation-type-is-valid': {
    do: 'represent',
    body: { partyId: '…', representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' },
  },
  'required-identity-evidence-provided': {
    do: 'attach',
    body: { documentType: 'IDENTITY_FORM', documentCategory: 'SUPPORTING_DOCUMENT', certificationType: 'CERTIFIED' },
  },
  'all-mandatory-documents-provided': { do: 'attach', body: DEED },
  'charge-must-have-non-negative-value': { do: 'update application', body: { transactionValue: 206_000 } },
  'transfer-must-have-value': { do: 'update application', body: { transactionValue: 0 } },
  'mdref-on-record': {
    do: 'update application',
    body: { mortgageDeedReference: 'MD431C', mortgageDeedReferenceType: 'PAPER' },
  },
  'deed-is-effective': { do: 'update application', body: { isEffective: true } },
  'registry-takes-parties': {
    do: 'reconcile',
    body: {
      action: 'SET_AS_INCOMING_PROPRIETOR',
      partyId: '…',
      addressForService: { number: '3', street: 'Larkbeare Row', town: 'Exeter', postcode: 'EX2 9QT' },
    },
  },
  'registry-takes-application': { do: 'update application', body: { transactionValue: 206_000 } },
  'schedule-has-source': {
    do: 'add line item',
    body: { type: 'SOURCE', category: 'Mortgage Advance', amount: 206_000, reference: 'ADVANCE' },
  },
  'schedule-has-destination': {
    do: 'add line item',
    body: { type: 'DESTINATION', category: 'Surplus', amount: 850, reference: 'SURPLUS', bankAccount: ACCOUNT },
  },
  'schedule-balances': { do: 'change line item', body: { amount: 206_000 } },
  'completion-date-is-valid': { do: 'set completion date', body: { completionDate: '2027-03-01' } },
  'security-address-matches-register': {
    do: 'correct the order',
    body: { securityAddress: { number: '3', street: 'Larkbeare Row', town: 'Exeter', postcode: 'EX2 9QT' } },
  },
  'deed-is-certified': { do: 'attach', body: DEED },
  'some-proprietor-stays': confirming('some-proprietor-stays', 'parties', 'She gives the house to her daughter.'),
  'resubmission-was-changed': { do: 'update application', body: { mortgageDeedReference: 'MD432C' } },
  'redemption-provided-for-registered-charge': {
    do: 'add line item',
    body: { type: 'DESTINATION', category: 'Redemption', amount: 850, reference: 'REDEMPTION', bankAccount: ACCOUNT },
  },
  'advance-covers-deed': confirming('advance-covers-deed', 'lineItems', 'The rest is paid out later.'),
}

export const blocksPage = (): string => `# What blocks a matter, and how to fix it

Made from the rules: \`server/src/approvals\`. A test fails when this page is not what the code says, and \`npm run blocks\`
updates it. Another test sends each example to a matter that the rule blocks.

\`GET …/workspaces/{workspace_id}/readiness\` shows for each rule, and each thing that it checks, whether it passed, and which
approval it belongs to. An APPROVE is 409 with the records of its own approval that have not passed. The \`message\` says what
is wrong, and what you can do about it now; the tables show all that may help.

| kind | means |
|---|---|
| \`BLOCKING\` | the approval is refused until the rule passes |
| \`CONFIRMABLE\` | the same, or until a person [confirms](approve.md#unusual-but-right) that the matter is right as it is |
| \`BLOCKING_SUBMISSION\` | the approval may be given; the case is not sent to the registry before the rule passes |

Anyone of the law firm may do what is named here, except \`updateWorkspace\`, which is for the lender. Once a workspace is
\`PREPARED\` it is locked: take back an approval first. \`…\` is an id.

${APPROVALS.map(section).join('\n\n')}
`

const TITLES = {
  LODGEMENT: 'Before the lodgement case is approved',
  FINANCIAL: 'Before the settlement schedule is approved',
}

function section(approval: (typeof APPROVALS)[number]): string {
  const rules = Object.entries<Rule>(RULES).filter(([, rule]) => rule.approval === approval)
  const rows = rules.map(([ruleId, rule]) => rowOf(ruleId as RuleId, rule))
  const head = ['rule', 'kind', 'passes when', 'fix it with', 'for example']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [`## ${TITLES[approval]}`, '', ...lines].join('\n')
}

function rowOf(ruleId: RuleId, { kind, checks, fixedBy }: Rule): string[] {
  const kinds = [...fixedBy, ...(kind === 'CONFIRMABLE' ? (['confirm'] as const) : [])]
  const operations = [...new Set(kinds.map((one) => `\`${OPERATION_OF[one]}\``))]
  return [`\`${ruleId}\``, `\`${kind}\``, checks, operations.join(', '), shown(EXAMPLES[ruleId])]
}

function shown({ do: what, body }: Example): string {
  const { method, path } = operationOf(what)
  return `\`${method} …${path}\` \`${what === 'attach' ? formOf(body) : JSON.stringify(body)}\``
}

const formOf = (body: object) =>
  [...Object.entries(body), ['file', '@…']].map(([name, value]) => `-F ${name}=${value}`).join(' ')

type Contract = { paths: Record<string, Record<string, { operationId?: string }>> }

/** As the contract has it; the path without what all have in common. */
export function operationOf(what: FixKind): { method: string; path: string } {
  const { paths } = JSON.parse(readFileSync(resolve(ROOT, 'openapi.json'), 'utf8')) as Contract
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(operations)) {
      if (operationId === OPERATION_OF[what]) return { method: method.toUpperCase(), path: path.replace(/^.*\/v1/, '') }
    }
  }
  throw new Error(`There is no operation ${OPERATION_OF[what]}.`)
}

if (process.argv[1] === import.meta.filename) await replaceFile(BLOCKS_PAGE, blocksPage())
