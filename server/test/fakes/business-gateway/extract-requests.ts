import { SoapFault } from './soap-fault.ts'
import { type Element, textAt } from './xml.ts'

const REQUEST = 'http://www.oscre.org/ns/eReg-Final/2011/RequestOCWithSummaryV2_0'
const POLL = 'http://www.oscre.org/ns/eReg/MR01-20090605/PollRequest'

/** An element of a sequence: required unless it says otherwise, with text of a form or with elements. */
type Rule = { name: string; isOptional?: boolean } & (
  | { text: RegExp; max?: number; min?: number }
  | { children: Rule[] }
)

const MESSAGE_ID: Rule = { name: 'MessageID', text: /^[a-zA-Z0-9][a-zA-Z0-9-]*$/, min: 5, max: 50 }
const ID: Rule = { name: 'ID', children: [MESSAGE_ID] }
const AMOUNT = /^[+-]?(\d+(\.\d*)?|\.\d+)$/
const WORDS = /\S/
const REFERENCE = /^[A-Za-z0-9\s~!"@#$%'()*+,\-./:;=>?[\\\]_{}^£&]*$/
const reference = (name: string): Rule => ({
  name,
  children: [
    { name: 'Reference', text: REFERENCE, min: 1, max: 25 },
    { name: 'AllocatedBy', text: WORDS, isOptional: true },
    { name: 'Description', text: WORDS, isOptional: true },
  ],
})
const indicator = (name: string): Rule => ({ name, text: /^\s*(true|false|0|1)\s*$/ })

const EXTRACT: Rule[] = [
  ID,
  {
    name: 'Product',
    children: [
      { name: 'SubjectProperty', children: [{ name: 'TitleNumber', text: /^[A-Z]{0,3}[0-9]{1,6}[ZT]?$/, max: 9 }] },
      {
        name: 'ExpectedPrice',
        isOptional: true,
        children: ['GrossPriceAmount', 'NetPriceAmount', 'VATAmount'].map((name) => ({
          name,
          text: AMOUNT,
          isOptional: true,
        })),
      },
      reference('ExternalReference'),
      reference('CustomerReference'),
      {
        name: 'TitleKnownOfficialCopy',
        children: [
          'ContinueIfTitleIsClosedAndContinuedIndicator',
          'NotifyIfPendingFirstRegistrationIndicator',
          'NotifyIfPendingApplicationIndicator',
          'SendBackDatedIndicator',
          'ContinueIfActualFeeExceedsExpectedFeeIndicator',
          'IncludeTitlePlanIndicator',
        ].map(indicator),
      },
    ],
  },
]

export type ExtractRequest = {
  messageId: string
  titleNumber: string
  externalReference: string
  customerReference: string
  expectedPence?: number
  mayCostMore: boolean
  mayContinue: boolean
  isWithPlan: boolean
}

export function readExtractRequest(argument: Element): ExtractRequest {
  validate(argument, EXTRACT, REQUEST)
  const at = (...path: string[]) => textAt(argument, 'Product', ...path)
  const isTrue = (name: string) => ['true', '1'].includes(at('TitleKnownOfficialCopy', name))
  const price = at('ExpectedPrice', 'GrossPriceAmount')
  return {
    messageId: textAt(argument, 'ID', 'MessageID'),
    titleNumber: at('SubjectProperty', 'TitleNumber'),
    externalReference: at('ExternalReference', 'Reference'),
    customerReference: at('CustomerReference', 'Reference'),
    ...(price && { expectedPence: Math.round(Number(price) * 100) }),
    mayContinue: isTrue('ContinueIfTitleIsClosedAndContinuedIndicator'),
    mayCostMore: isTrue('ContinueIfActualFeeExceedsExpectedFeeIndicator'),
    isWithPlan: isTrue('IncludeTitlePlanIndicator'),
  }
}

export function readPollRequest(argument: Element): string {
  validate(argument, [ID], POLL)
  return textAt(argument, 'ID', 'MessageID')
}

function validate(argument: Element, rules: Rule[], namespace: string): void {
  const problems = sequence(argument, rules, namespace)
  if (problems.length) throw new SoapFault('soapenv:SchemaFault', 'Schema Errors have occured', problems)
}

function sequence(parent: Element, rules: readonly Rule[], namespace: string): string[] {
  const left = [...parent.children]
  const problems = rules.flatMap((rule) => {
    const isNext = left[0]?.name === rule.name && left[0].namespace === namespace
    if (!isNext) return rule.isOptional ? [] : [`${parent.name}: ${rule.name} is expected.`]
    const element = left.shift()
    if (!element) return []
    return 'children' in rule ? sequence(element, rule.children, namespace) : simple(element, rule)
  })
  return [...problems, ...left.map(({ name }) => `${parent.name}: ${name} is not expected here.`)]
}

function simple({ name, text, children }: Element, rule: { text: RegExp; min?: number; max?: number }): string[] {
  const isFine =
    !children.length && rule.text.test(text) && text.length >= (rule.min ?? 0) && text.length <= (rule.max ?? 10_000)
  return isFine ? [] : [`The value '${text}' of element '${name}' is not valid.`]
}
