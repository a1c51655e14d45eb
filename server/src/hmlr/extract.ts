import type { OfficialCopy } from '../registry/register.ts'
import { registerFrom } from './extract-register.ts'
import type { Settings } from './settings.ts'
import { child, children, escapeXml, findElement, parseXml, textOf } from './xml.ts'

// The messages of the register extract service, and what it answers. Pure.

type Credentials = { username: string; password: string }
type Wrapper = Pick<Settings, 'soapNamespace' | 'soapOperation' | 'soapPollOperation'>

export type ExtractRequest = { messageId: string; titleNumber: string; reference: string; pricePence: number }

export const EXTRACT_SERVICE = 'OfficialCopyWithSummaryV2_1WebService'
export const POLL_SERVICE = 'OfficialCopyWithSummaryV2_1PollRequestWebService'

const REQUEST = 'http://www.oscre.org/ns/eReg-Final/2011/RequestOCWithSummaryV2_0'
const POLL = 'http://www.oscre.org/ns/eReg/MR01-20090605/PollRequest'
const SECURITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const PASSWORD_TEXT = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText'

/** All indicators are false: nothing is charged, and no other title delivered, than what was asked for. */
const INDICATORS = [
  'ContinueIfTitleIsClosedAndContinuedIndicator',
  'NotifyIfPendingFirstRegistrationIndicator',
  'NotifyIfPendingApplicationIndicator',
  'SendBackDatedIndicator',
  'ContinueIfActualFeeExceedsExpectedFeeIndicator',
  'IncludeTitlePlanIndicator',
]

export function extractRequest(wrapper: Wrapper, by: Credentials, request: ExtractRequest): string {
  const { messageId, titleNumber, reference, pricePence } = request
  const ours = element('Reference', escapeXml(reference))
  const product =
    element('SubjectProperty', element('TitleNumber', escapeXml(titleNumber))) +
    element('ExpectedPrice', element('GrossPriceAmount', (pricePence / 100).toFixed(2))) +
    element('ExternalReference', ours) +
    element('CustomerReference', ours) +
    element('TitleKnownOfficialCopy', INDICATORS.map((name) => element(name, 'false')).join(''))
  return envelope(wrapper, wrapper.soapOperation, by, REQUEST, identified(messageId) + element('Product', product))
}

export const pollRequest = (wrapper: Wrapper, by: Credentials, messageId: string): string =>
  envelope(wrapper, wrapper.soapPollOperation, by, POLL, identified(messageId))

const element = (name: string, content: string) => `<req:${name}>${content}</req:${name}>`

const identified = (messageId: string) => element('ID', element('MessageID', escapeXml(messageId)))

function envelope(
  { soapNamespace }: Wrapper,
  operation: string,
  { username, password }: Credentials,
  content: string,
  body: string,
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header>',
    `<wsse:Security xmlns:wsse="${SECURITY}"><wsse:UsernameToken><wsse:Username>${escapeXml(username)}</wsse:Username>`,
    `<wsse:Password Type="${PASSWORD_TEXT}">${escapeXml(password)}</wsse:Password></wsse:UsernameToken></wsse:Security>`,
    '<i18n:international xmlns:i18n="http://www.w3.org/2005/09/ws-i18n"><i18n:locale>en</i18n:locale></i18n:international>',
    `</soapenv:Header><soapenv:Body><ws:${operation} xmlns:ws="${escapeXml(soapNamespace)}">`,
    `<arg0 xmlns:req="${content}">${body}</arg0></ws:${operation}></soapenv:Body></soapenv:Envelope>`,
  ].join('')
}

export type ExtractAnswer =
  /** It is queued. `expectedAt` is when to ask for the result. */
  | { kind: 'acknowledged'; expectedAt: Date | undefined }
  | { kind: 'rejected'; reason: string }
  /** `attachment` is the official copy itself, as base64. */
  | { kind: 'result'; copy: OfficialCopy; pricePence: number | undefined; attachment: string | undefined }
  /** A result about a title that cannot be charged to a lender. */
  | { kind: 'not supported'; pricePence: number | undefined }
  /** It was not processed, because of the message, the account, or the service itself. */
  | { kind: 'fault'; reason: string; because: 'message' | 'account' | 'service' }

const TYPES = { acknowledgement: '10', rejection: '20', result: '30' }

export function readExtract(text: string): ExtractAnswer {
  const xml = parseXml(text)
  const fault = findElement(xml, 'Fault')
  if (fault !== undefined) return faultIn(fault)
  const response = findElement(xml, 'GatewayResponse')
  switch (textOf(response, 'TypeCode')) {
    case TYPES.acknowledgement: {
      const details = child(response, 'Acknowledgement', 'AcknowledgementDetails')
      return { kind: 'acknowledged', expectedAt: momentOf(textOf(details, 'ExpectedResponseDateTime')) }
    }
    case TYPES.rejection:
      return { kind: 'rejected', reason: rejectionIn(child(response, 'Rejection', 'RejectionResponse')) }
    case TYPES.result:
      return resultIn(child(response, 'Results'))
    default:
      throw new Error('The register extract service answered something that is no response of it.')
  }
}

function faultIn(fault: unknown): ExtractAnswer {
  const code = textOf(fault, 'faultcode') ?? ''
  const details = children(child(fault, 'detail'), 'SchemaException').filter((one) => typeof one === 'string')
  const reason = [textOf(fault, 'faultstring') ?? 'SOAP fault', ...details].join(' ')
  const because = /auth|security/i.test(code) ? 'account' : /schema|client/i.test(code) ? 'message' : 'service'
  return { kind: 'fault', reason, because }
}

function rejectionIn(rejection: unknown): string {
  const errors = children(rejection, 'ValidationErrors').map((one) => textOf(one, 'Description'))
  const words = [textOf(rejection, 'Reason'), textOf(rejection, 'OtherDescription'), ...errors]
  return words.filter((one) => one !== undefined).join(' ') || 'The registry gave no reason.'
}

function resultIn(results: unknown): ExtractAnswer {
  const summary = child(results, 'OCSummaryData')
  const officialCopyAt = momentOf(textOf(summary, 'OfficialCopyDateTime'))
  if (!officialCopyAt) throw new Error('The register extract has no summary, or no time of its copy.')
  const price = Number(textOf(results, 'ActualPrice', 'GrossPriceAmount'))
  const pricePence = Number.isNaN(price) ? undefined : Math.round(price * 100)
  const register = registerFrom(summary, child(results, 'OCRegisterData'))
  if (!register) return { kind: 'not supported', pricePence }
  const attachment = textOf(results, 'Attachment', 'EmbeddedFileBinaryObject')
  return { kind: 'result', copy: { register, officialCopyAt }, pricePence, attachment }
}

/** A time without an offset is in UTC. */
export function momentOf(text: string | undefined): Date | undefined {
  if (!text) return undefined
  const at = new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
