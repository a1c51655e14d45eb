import type { FieldProblem } from './answers.ts'
import { type Band, type Details, documentTypesOf, partiesIn, TRANSFERS, type Transaction } from './application-data.ts'
import { BANDED, BANDS } from './codes.ts'
import { problem, type RuleInput } from './rule-input.ts'
import { isSameName } from './titles.ts'

export function transferRules(input: RuleInput): FieldProblem[] {
  const all = Object.entries(input.data.transactions).filter(([, { type }]) => TRANSFERS.includes(type))
  const [, ...more] = all
  return [
    ...more.map(([reference]) =>
      problem(
        'order-contains-one-transfer',
        'Order must contain at most one transfer',
        `/data/transactions/${reference}`,
      ),
    ),
    ...all.flatMap(([reference, one]) => [
      ...parties(input, reference, one),
      ...(one.details ? terms(input, reference, one, one.details) : []),
    ]),
  ]
}

function parties({ data, registerOf }: RuleInput, reference: string, one: Transaction): FieldProblem[] {
  const pointer = `/data/transactions/${reference}/party_roles`
  const transferors = partiesIn(data, one, 'TRANSFEROR').map(([, party]) => party)
  const transferees = partiesIn(data, one, 'TRANSFEREE')
  const proprietors = (one.title_references ?? []).flatMap(
    (title) => registerOf(data.titles[title]?.title_number ?? '')?.proprietors ?? [],
  )
  const left = proprietors.filter((proprietor) => !transferors.some((party) => isSameName(party, proprietor)))
  const explained = Object.values(data.transactions).filter(({ type }) => ['CN', 'DJP', 'DSP'].includes(type)).length
  return [
    ...(transferors.length ? [] : [problem('transfer-has-transferors', 'There is no transferor', pointer)]),
    ...(transferees.length ? [] : [problem('transfer-has-transferee', 'There is no transferee', pointer)]),
    ...transferees
      .filter(([, { addresses = [] }]) => !addresses.length)
      .map(([party]) =>
        problem(
          'transferee-has-valid-address',
          'At least one postal address must be provided',
          `/data/parties/${party}`,
        ),
      ),
    ...(left.length > explained
      ? [problem('all-proprietors-matched-to-transferors', 'A proprietor was not matched to a transferor', pointer)]
      : []),
  ]
}

function terms({ data }: RuleInput, reference: string, one: Transaction, details: Details): FieldProblem[] {
  const found: FieldProblem[] = []
  const check = (isFine: boolean, type: string, detail: string) =>
    isFine || found.push(problem(type, detail, `/data/transactions/${reference}/details`))
  const isForValue = ['T', 'TOSV', 'TSCV'].includes(one.type)
  const { consideration_type: consideration, trust_declaration_type: trust, value } = details

  if (details.type === 'TRANSFER') {
    const isConsideration = isForValue
      ? consideration === 'MONETARY_VALUE'
      : consideration === 'NO_MONETARY_VALUE' || consideration === 'OTHER'
    check(isConsideration, 'consideration-type-is-valid', 'The consideration type does not fit the transaction')
    check(
      consideration !== 'MONETARY_VALUE' || value !== undefined,
      'consideration-type-is-valid',
      'A transfer value must be provided when consideration type is MONETARY_VALUE',
    )
    check(
      consideration !== 'OTHER' || Boolean(details.consideration_description),
      'consideration-type-is-valid',
      'The consideration must be described',
    )
    check(
      details.additional_provisions_code !== undefined &&
        (details.additional_provisions_code !== 'DETAILS_ENTERED' || Boolean(details.additional_provisions)),
      'additional-provisions-valid',
      'The additional provisions must be given',
    )
    check(details.date !== undefined, 'transfer-date-valid', 'The date of the transfer must be given')
    const isJoint = partiesIn(data, one, 'TRANSFEREE').length > 1
    check(!isJoint || trust !== undefined, 'declaration-of-trust', 'The trust declaration type must be provided')
    check(
      trust !== 'TRUST_DETAILS' || Boolean(details.trust_details),
      'declaration-of-trust',
      'Details must be provided',
    )
    const isFormThere = documentTypesOf(data, one).includes('FORM_JO')
    check(trust !== 'FORM_JO' || isFormThere, 'declaration-of-trust', 'The JO form must be provided')
  }
  check(isValueRight(one, details), 'full-value-of-property-or-band-is-valid', 'The value or band is not valid')
  return found
}

function isValueRight({ type }: Transaction, details: Details): boolean {
  const { value, value_band: band, full_value_of_property: full, full_value_of_property_band: fullBand } = details
  if (type === 'T') return value !== undefined && !band && full === undefined && !fullBand
  if ((band || fullBand) && !BANDED.includes(type)) return false
  if ([band, fullBand].some((one) => one && !isBand(one))) return false
  const lowest = value ?? band?.lower_value_band ?? 0
  if (full !== undefined) return full >= lowest
  return !fullBand || (fullBand.upper_value_band ?? Number.POSITIVE_INFINITY) >= lowest
}

const isBand = ({ lower_value_band: lower, upper_value_band: upper }: Band) =>
  BANDS.has(lower) && BANDS.get(lower) === upper
