import type { Context } from './answers.ts'
import { registerNow } from './course.ts'
import { readExtractRequest, readPollRequest } from './extract-requests.ts'
import { resultOf } from './extract-results.ts'
import type { Extract } from './state.ts'
import { holdingOf } from './titles.ts'
import { type Element, el, type Xml } from './xml.ts'

/** The register extract service. A message id is processed once; a repeat gets the stored response. */
export function answerExtract(context: Context, account: string, argument: Element): Xml {
  const request = readExtractRequest(argument)
  const { control, state } = context
  const key = `${account} ${request.messageId}`
  let extract = state.extracts.get(key)
  if (!extract) {
    const holding = holdingOf(request.titleNumber)
    const waitMs = holding?.status === 'VALID' ? holding.answersAfterMs : 0
    const readyAt = control.closedUntil() ?? new Date(control.now().getTime() + waitMs)
    extract = { ...request, account, readyAt }
    state.extracts.set(key, extract)
  }
  return (
    responseOf(context, extract) ??
    acknowledged(
      extract,
      'Service is not currently available. System has queued your request, please poll at specified time',
    )
  )
}

/** The poll request service: the response to an earlier request. */
export function answerPoll(context: Context, account: string, argument: Element): Xml {
  const messageId = readPollRequest(argument)
  const extract = context.state.extracts.get(`${account} ${messageId}`)
  if (!extract) return rejected('', 'bg.poll.messageIdNotFound', 'There is no request with this message ID.')
  return responseOf(context, extract) ?? acknowledged(extract, 'Request has not yet been processed')
}

function responseOf(context: Context, extract: Extract): Xml | undefined {
  if (extract.readyAt > context.control.now() || context.control.closedUntil()) return undefined
  extract.response ??= process(context, extract)
  return extract.response
}

function process(context: Context, extract: Extract): Xml {
  const { customerReference, expectedPence, externalReference, isWithPlan, mayCostMore } = extract
  const refused = (code: string, reason: string) => rejected(externalReference, code, reason)
  const asked = holdingOf(extract.titleNumber)
  const next = asked?.status === 'CLOSED_AND_CONTINUED' && extract.mayContinue ? asked.continuedUnder : undefined
  const titleNumber = next ?? extract.titleNumber
  const holding = holdingOf(titleNumber)
  const register = registerNow(context, titleNumber, customerReference)
  if (!holding) return refused('bg.title.notFound', 'The title number is not on our records.')
  if (holding.status !== 'VALID' || !register)
    return refused('bg.title.notAvailable', REASONS[holding.status] ?? 'No register.')
  if (!holding.isElectronic) {
    return refused(
      'bg.officialcopy.notElectronic',
      `${NOT_ELECTRONIC} Postal delivery is not available for the Register Extract Service.`,
    )
  }
  const price = context.options.extractPricePence * (isWithPlan ? 2 : 1)
  if (expectedPence !== undefined && expectedPence < price && !mayCostMore) {
    return refused('bg.fee.feeMismatch', 'Fee Amount provided does not match with the fee calculated by Land Registry.')
  }
  const { attachment } = context.control
  return response('30', resultOf(extract, { register, classOfTitle: holding.classOfTitle, price, attachment }))
}

const NOT_ELECTRONIC = 'Your Official Copy request cannot be delivered electronically.'
const REASONS: Readonly<Record<string, string>> = {
  CLOSED_OR_CANCELLED: 'The title is closed.',
  CLOSED_AND_CONTINUED: 'The title is closed and continued under another number.',
  PENDING_NEW_TITLE: 'The title is pending first registration.',
}

const response = (typeCode: string, content: Xml): Xml => el('GatewayResponse', [el('TypeCode', typeCode), content])

function acknowledged({ messageId, readyAt }: Extract, message: string): Xml {
  const details = [
    el('UniqueID', messageId),
    // GMT, without saying so.
    el('ExpectedResponseDateTime', readyAt.toISOString().slice(0, 19)),
    el('MessageDescription', message),
  ]
  return response('10', el('Acknowledgement', [el('AcknowledgementDetails', details)]))
}

function rejected(reference: string, code: string, reason: string): Xml {
  const errors = el('ValidationErrors', [el('Code', code), el('Description', reason)])
  return response(
    '20',
    el('Rejection', [
      el('ExternalReference', [el('Reference', reference)]),
      el('RejectionResponse', [el('Reason', reason), el('Code', code), errors]),
    ]),
  )
}
