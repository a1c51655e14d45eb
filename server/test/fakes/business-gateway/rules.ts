import type { FieldProblem } from './answers.ts'
import { type ApplicationData, documentTypesOf, type Transaction } from './application-data.ts'
import { ALLOWED, TITLE_TYPES } from './codes.ts'
import { requiredDocuments } from './mandatory-documents.ts'
import { problem, type RuleInput } from './rule-input.ts'
import { chargeRules } from './rules-charges.ts'
import { partyRules } from './rules-parties.ts'
import { transferRules } from './rules-transfers.ts'
import { holdingOf } from './titles.ts'

// What the gateway finds after its answer: the application then fails its validation. The types of errors are published.

/** Everything wrong with an application, except what its lodger disagrees with. */
export function secondRules(input: RuleInput): FieldProblem[] {
  const { data } = input
  const contested = data.disagree_with_validation_results ?? []
  const all = [
    ...whole(data),
    ...titleRules(data),
    ...documentRules(input),
    ...Object.entries(data.transactions).flatMap(([reference, one]) => mandatory(data, reference, one)),
    ...partyRules(data),
    ...chargeRules(input),
    ...transferRules(input),
  ]
  return all.filter(
    ({ type, pointer }) =>
      !contested.some((one) => one.validation_type === type && one.validation_pointer === (pointer ?? '')),
  )
}

function whole(data: ApplicationData): FieldProblem[] {
  const transactions = Object.entries(data.transactions)
  const isJp1 = data.type === 'REMOVE_JP1'
  return [
    ...(data.submission_warning_understood
      ? []
      : [
          problem(
            'submission-warning-understood',
            'The warning must be understood',
            '/data/submission_warning_understood',
          ),
        ]),
    ...transactions
      .filter(([, { type }]) => !ALLOWED[data.type]?.includes(type) || (type === 'JP1') !== isJp1)
      .map(([reference, { type }]) =>
        problem(
          'transaction-type-valid',
          `${type} is not valid in ${data.type}`,
          `/data/transactions/${reference}/type`,
        ),
      ),
    ...(isJp1 === (data.jp1_reference !== undefined)
      ? []
      : [problem('jp1-valid', 'A JP1 reference belongs to REMOVE_JP1 alone', '/data/jp1_reference')]),
    ...(isJp1 === Boolean(data.applicants?.length)
      ? [
          problem(
            'applicants-valid',
            isJp1 ? 'Applicants must not be included' : 'Applicants must be provided',
            '/data/applicants',
          ),
        ]
      : []),
  ]
}

function titleRules(data: ApplicationData): FieldProblem[] {
  const numbers = Object.values(data.titles).map(({ title_number }) => title_number)
  return Object.entries(data.titles).flatMap(([reference, title]) => {
    const { title_number: number, title_type: type, scope_details: scope } = title
    const pointer = `/data/titles/${reference}`
    const holding = holdingOf(number)
    const isPartDescribed = (scope.part_description ?? '') !== ''
    const formDi = Object.values(data.documents ?? {}).some((one) => one.type === 'FORM_DI')
    return [
      ...(holding ? [] : [problem('unknown-title-number', 'Title number not found', `${pointer}/title_number`)]),
      ...(holding && (holding.status !== 'VALID' || ['40', '50', '130'].includes(holding.classOfTitle))
        ? [problem('title-must-be-valid', 'The title number must not be closed', `${pointer}/title_number`)]
        : []),
      ...(numbers.filter((one) => one === number).length > 1
        ? [problem('title-must-be-valid', 'Each title is given once', `${pointer}/title_number`)]
        : []),
      ...((scope.scope === 'PART') === isPartDescribed
        ? []
        : [problem('title-scope-is-valid', 'A part has a description, a whole has none', `${pointer}/scope_details`)]),
      ...(type && TITLE_TYPES[data.type]?.includes(type)
        ? []
        : [problem('title-type-valid', `The title type does not fit ${data.type}`, `${pointer}/title_type`)]),
      ...(title.disclosable_overriding_interests && !formDi
        ? [problem('di-form-required', 'A DI form is required', `${pointer}/disclosable_overriding_interests`)]
        : []),
    ]
  })
}

function documentRules({ data, uploadOf }: RuleInput): FieldProblem[] {
  return Object.entries(data.documents ?? {}).flatMap(([reference, one]) => {
    const pointer = `/data/documents/${reference}`
    const upload = uploadOf(one.document_id)
    if (!upload?.bytes) return [problem('OC018', `Failed to get document '${one.document_id}'.`, pointer)]
    return [
      ...(upload.type === one.type
        ? []
        : [problem('document-type-valid', `Uploaded as ${upload.type}, submitted as ${one.type}`, `${pointer}/type`)]),
      ...(isAccepted(upload.bytes)
        ? []
        : [problem('document-valid', 'The file is of a wrong format or encrypted', pointer)]),
      ...(one.type === 'CERT_REG_CH' && !one.companies_house_certification
        ? [problem('conveyancers-certificate-provided', 'The certification was not provided', pointer)]
        : []),
    ]
  })
}

const SIGNATURES = ['%PDF-', 'GIF87a', 'GIF89a', 'II*\0', 'MM\0*', '\x89PNG', '\xff\xd8\xff']

/** PDF without encryption, GIF, TIFF, PNG or JPEG. The guides disagree about the last two. */
function isAccepted(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 8).toString('latin1')
  return SIGNATURES.some((one) => head.startsWith(one)) && !(head.startsWith('%PDF-') && bytes.includes('/Encrypt'))
}

function mandatory(data: ApplicationData, reference: string, transaction: Transaction): FieldProblem[] {
  const present = documentTypesOf(data, transaction)
  const missing = groupsOf(transaction).filter((group) => !group.some((one) => present.includes(one)))
  if (!missing.length) return []
  const detail = `Mandatory documents missing for transactions of type [${transaction.type}]: ${missing.map((group) => group.join(' or ')).join(', ')}`
  return [problem('all-mandatory-documents-provided', detail, `/data/transactions/${reference}/documents`)]
}

function groupsOf({ type, details }: Transaction): string[][] {
  if (type === 'C') return [details?.mdref ? ['MRTG_DEED'] : ['CH1', 'MRTG_DEED']]
  if (type === 'DIS') return details?.discharge_submission_type === 'ATTACHED' ? [['DS1']] : []
  return requiredDocuments(type)
}
