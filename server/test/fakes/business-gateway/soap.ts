import type { Account, Answer, Context, Inbound } from './answers.ts'
import { answerExtract, answerPoll } from './extracts.ts'
import type { Handled } from './server.ts'
import { SoapFault } from './soap-fault.ts'
import { childOf, type Element, escaped, readXml, textAt, type Xml } from './xml.ts'

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/'
const SECURITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const PASSWORD_TEXT = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText'
const INTERNATIONAL = 'http://www.w3.org/2005/09/ws-i18n'
const RESPONSE = 'http://www.oscre.org/ns/eReg-Final/2011/ResponseOCWithSummaryV2_1'

const PREFIX = '/b2b/BGSoapEngine'
const SERVICES: Readonly<Record<string, (context: Context, account: string, request: Element) => Xml>> = {
  [`${PREFIX}/OfficialCopyWithSummaryV2_1WebService`]: answerExtract,
  [`${PREFIX}/OfficialCopyWithSummaryV2_1PollRequestWebService`]: answerPoll,
}

export const isSoap = ({ path }: Inbound): boolean => path.startsWith(PREFIX)

/**
 * A request to the SOAP services. No published file has the element around a request; any is taken, with one `arg0` in
 * it, as all services of the gateway have it.
 */
export function answerSoap(context: Context, inbound: Inbound): Handled {
  const service = SERVICES[inbound.path]
  if (!service) return { status: 404 }
  if (inbound.method !== 'POST') return { status: 405 }
  if (!/^text\/xml\b/.test(inbound.headers['content-type'] ?? '')) return { status: 415 }
  let account = ''
  try {
    const envelope = readXml(inbound.body.toString('utf8'))
    expect(envelope, ENVELOPE, 'Envelope')
    const [header, body] = [childOf(envelope, 'Header'), childOf(envelope, 'Body')]
    account = authenticated(header, context.accounts).username
    const operation = body?.children[0]
    const argument = operation?.children[0]
    if (!operation || argument?.name !== 'arg0' || argument.namespace !== '') {
      throw new SoapFault('soapenv:Client', 'The operation must contain arg0.')
    }
    const seconds = context.control.secondsToWait()
    if (seconds !== undefined) return { status: 429, headers: { 'retry-after': String(seconds) }, account }
    const response = service(context, account, argument)
    return { ...answer(operation, response), account }
  } catch (error) {
    const fault = error instanceof SoapFault ? error : new SoapFault('soapenv:Client', String(error))
    return { ...faulty(fault), ...(account && { account }) }
  }
}

function expect(element: Element | undefined, namespace: string, name: string): Element {
  if (element?.name === name && element.namespace === namespace) return element
  throw new SoapFault('soapenv:Client', `${name} of ${namespace} is expected.`)
}

function authenticated(header: Element | undefined, accounts: readonly Account[]): Account {
  const token = childOf(expect(childOf(header, 'Security'), SECURITY, 'Security'), 'UsernameToken')
  const password = childOf(token, 'Password')
  const type = password?.attributes.get('Type') ?? password?.attributes.get('type')
  if (type !== PASSWORD_TEXT) throw new SoapFault('wsse:InvalidSecurity', 'The password must be PasswordText.')
  const international = expect(childOf(header, 'international'), INTERNATIONAL, 'international')
  if (!['en', 'cy'].includes(textAt(international, 'locale'))) {
    throw new SoapFault('soapenv:Client', 'The locale must be given.')
  }
  const found = accounts.find((one) => one.username === textAt(token, 'Username') && one.password === password?.text)
  if (!found) throw new SoapFault('wsse:FailedAuthentication', 'The user name or password is wrong.')
  return found
}

const answer = ({ namespace, name }: Element, { xml }: Xml): Answer =>
  enveloped(
    200,
    `<op:${name}Response xmlns:op="${escaped(namespace)}" xmlns:r="${RESPONSE}"><return>${xml}</return></op:${name}Response>`,
  )

function faulty({ code, message, details }: SoapFault): Answer {
  const listed = details.map((one) => `<SchemaException>${escaped(one)}</SchemaException>`).join('')
  const detail = listed && `<detail>${listed}</detail>`
  return enveloped(
    500,
    `<soapenv:Fault><faultcode>${code}</faultcode><faultstring>${escaped(message)}</faultstring>${detail}</soapenv:Fault>`,
  )
}

const enveloped = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${ENVELOPE}"><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`,
})
