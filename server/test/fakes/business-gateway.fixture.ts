import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Agent, request } from 'undici'
import { pdfOf } from './business-gateway/files.ts'
import type { Gateway } from './business-gateway/gateway.ts'

// A client that knows only what is published, and the smallest application that passes every rule.

export type Reply = { status: number; headers: Record<string, unknown>; text: string; json: Json }
// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
export type Json = any

type Sent = { method?: string; body?: unknown; headers?: Record<string, string>; account?: number }

export type Client = {
  rest(path: string, sent?: Sent): Promise<Reply>
  soap(service: string, xml: string): Promise<Reply>
  /** Uploads a file and returns its id. */
  upload(type: string, bytes?: Buffer): Promise<string>
  storage(url: string, sent?: { method?: string; body?: Buffer; headers?: Record<string, string> }): Promise<Reply>
  close(): Promise<void>
}

export function clientOf(gateway: Gateway): Client {
  const { ca, clientCert: cert, clientKey: key, accounts } = gateway
  const trusted = new Agent({ connect: { ca, cert, key } })
  const anonymous = new Agent({ connect: { ca } })
  const basic = (account: number) => {
    const { username = '', password = '' } = accounts[account] ?? {}
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }
  const send = async (dispatcher: Agent, url: string, method: string, headers: object, body?: string | Buffer) => {
    const got = await request(url, { dispatcher, method, headers: { ...headers }, ...(body !== undefined && { body }) })
    const text = await got.body.text()
    return {
      status: got.statusCode,
      headers: got.headers,
      text,
      json: /^[[{]/.test(text) ? JSON.parse(text) : undefined,
    }
  }
  const client: Client = {
    rest: (path, { method = 'GET', body, headers = {}, account = 0 } = {}) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const text = body === undefined ? undefined : JSON.stringify(body)
      const all = { authorization: basic(account), ...type, ...headers }
      return send(trusted, gateway.restUrl + path, method, all, text)
    },
    soap: (service, xml) =>
      send(trusted, `${gateway.soapUrl}/${service}`, 'POST', { 'content-type': 'text/xml; charset=utf-8' }, xml),
    async upload(type, bytes = pdfOf([type])) {
      const sha256 = createHash('sha256').update(bytes).digest('base64')
      const data = { document_type: type, file_length: bytes.length, file_sha256: sha256 }
      const { json } = await client.rest('/v1/documents/url', { method: 'POST', body: { data } })
      const url = json.data.upload_url.replace(/^(https:\/\/)?/, 'https://')
      const put = await client.storage(url, {
        method: 'PUT',
        body: bytes,
        headers: { 'x-amz-checksum-sha256': sha256 },
      })
      if (put.status !== 200) throw new Error(`The upload failed with ${put.status}.`)
      return json.data.document_id
    },
    storage: (url, { method = 'GET', body, headers = {} } = {}) => send(anonymous, url, method, headers, body),
    close: async () => void (await Promise.all([trusted.close(), anonymous.close()])),
  }
  return client
}

/** Lodges applications and asks about them. */
export type Lodger = {
  submit(body: Json, version?: string, key?: string): Promise<Reply>
  /** Its id. */
  lodged(body: Json): Promise<string>
  informationOf(id: string): Promise<Json>
  /** The types of its new notifications. */
  typesOf(id: string): Promise<string[]>
}

export function lodgerOf(client: Client): Lodger {
  let number = 0
  const data = async (reply: Promise<Reply>, expected: number) => {
    const { status, json, text } = await reply
    assert.equal(status, expected, text)
    return json.data
  }
  const lodger: Lodger = {
    submit: (body, version = 'v1', key = `key-${++number}`) =>
      client.rest(`/${version}/applications`, { method: 'POST', body, headers: { 'idempotency-key': key } }),
    lodged: async (body) => (await data(lodger.submit(body), 202)).application_request_id,
    informationOf: (id) => data(client.rest(`/v1/applications/${id}/information`), 200),
    async typesOf(id) {
      const all = await data(client.rest(`/v1/notifications?subject=${id}`), 200)
      return all.map((one: Json) => one.notification_type.replace('application.', ''))
    },
  }
  return lodger
}

export const PRYNNES: [string, string][] = [
  ['William', 'Prynne'],
  ['Tracey', 'Prynne'],
]

const address = { details: { type: 'UK', building_description: '12', post_town: 'Taunton', postcode: 'TA1 9QH' } }

const individual = (forenames: string, surname: string) => ({
  representation_type: 'LODGING_CONVEYANCER',
  address_for_service_option: 'PROVIDED_ADDRESS',
  addresses: ['home'],
  details: { type: 'PRIVATE_INDIVIDUAL', forenames, surname },
})

/** A remortgage: the old charge is discharged by its lender, a new one registered. */
export function remortgage(deed: string, titleNumber: string, reference: string, owners: [string, string][]): Json {
  const borrowers = Object.fromEntries(owners.map(([first, last], index) => [`b${index + 1}`, individual(first, last)]))
  const lender = {
    representation_type: 'LODGING_CONVEYANCER',
    address_for_service_option: 'NOT_REQUIRED',
    details: { type: 'OTHER_ORGANISATION', organisation_name: 'Northgate Building Society' },
  }
  const owned = Object.keys(borrowers).map((party_reference) => ({ party_reference, role: 'BORROWER' }))
  const metadata = { certification_statement_type: 'CERTIFIED', document_filename: 'deed.pdf' }
  return {
    data: {
      type: 'REGISTER_UPDATE',
      submission_warning_understood: true,
      customer_reference: reference,
      application_lodger: { email: 'clerk@firm.example', telephone: '01632 960001', type: 'CONVEYANCER' },
      applicants: Object.keys(borrowers),
      addresses: { home: address },
      parties: { ...borrowers, lender },
      documents: { deed: { document_id: deed, type: 'MRTG_DEED', document_metadata: metadata } },
      titles: {
        t1: {
          title_number: titleNumber,
          title_type: 'REGISTER_TITLE',
          disclosable_overriding_interests: false,
          scope_details: { scope: 'WHOLE' },
        },
      },
      transactions: {
        discharge: {
          type: 'DIS',
          priority: 1,
          fee_in_pence: 0,
          details: { type: 'DISCHARGE', discharge_submission_type: 'LENDER' },
          title_references: ['t1'],
        },
        charge: {
          type: 'C',
          priority: 2,
          fee_in_pence: 2000,
          details: { type: 'CHARGE', date: '2026-05-01', mdref: 'MD431C', value: 250_000 },
          documents: ['deed'],
          party_roles: [...owned, { party_reference: 'lender', role: 'LENDER' }],
          title_references: ['t1'],
        },
      },
    },
  }
}

/** The same, with a transfer: the first borrower stays, the second leaves, somebody else comes. */
export function transferOfEquity(body: Json, deed: string): Json {
  const { parties, documents, transactions, applicants } = body.data
  const role = (party_reference: string, name: string) => ({
    party_reference,
    role: name,
    ...(name === 'TRANSFEROR' && { capacity: 'REGISTERED_PROPRIETOR' }),
  })
  parties.new = individual('Ann', 'Vane')
  applicants.push('new')
  documents.tr1 = { ...documents.deed, document_id: deed, type: 'TR1' }
  transactions.transfer = {
    type: 'TOSV',
    priority: 2,
    fee_in_pence: 4000,
    details: {
      type: 'TRANSFER',
      date: '2026-05-01',
      value: 60_000,
      consideration_type: 'MONETARY_VALUE',
      additional_provisions_code: 'MANUAL_TR1_FORM',
      title_guarantee_code: 'FULL',
      trust_declaration_type: 'JOINT_TENANTS',
    },
    documents: ['tr1'],
    party_roles: [
      role('b1', 'TRANSFEROR'),
      role('b2', 'TRANSFEROR'),
      role('b1', 'TRANSFEREE'),
      role('new', 'TRANSFEREE'),
    ],
    title_references: ['t1'],
  }
  Object.assign(transactions.charge, {
    priority: 3,
    fee_in_pence: 0,
    party_roles: [role('b1', 'BORROWER'), role('new', 'BORROWER'), role('lender', 'LENDER')],
  })
  return body
}

const SECEXT = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const PASSWORD_TEXT = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText'

export const envelope = ({ username, password }: { username: string; password: string }, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">
  <soapenv:Header>
    <wsse:Security xmlns:wsse="${SECEXT}"><wsse:UsernameToken><wsse:Username>${username}</wsse:Username><wsse:Password Type="${PASSWORD_TEXT}">${password}</wsse:Password></wsse:UsernameToken></wsse:Security>
    <i18n:international xmlns:i18n="http://www.w3.org/2005/09/ws-i18n"><i18n:locale>en</i18n:locale></i18n:international>
  </soapenv:Header>
  <soapenv:Body>${body}</soapenv:Body>
</soapenv:Envelope>`

export const extractOf = (
  messageId: string,
  titleNumber: string,
  { plan = false, price = '8.00', reference = 'LW-1' }: { plan?: boolean; price?: string; reference?: string } = {},
) => `<ns3:performOCWithSummary xmlns:ns3="http://ocwithsummaryv2_1.ws.bg.lr.gov/" xmlns="http://www.oscre.org/ns/eReg-Final/2011/RequestOCWithSummaryV2_0"><arg0 xmlns=""
 xmlns:q="http://www.oscre.org/ns/eReg-Final/2011/RequestOCWithSummaryV2_0"><q:ID><q:MessageID>${messageId}</q:MessageID></q:ID><q:Product>
<q:SubjectProperty><q:TitleNumber>${titleNumber}</q:TitleNumber></q:SubjectProperty>
<q:ExpectedPrice><q:GrossPriceAmount>${price}</q:GrossPriceAmount></q:ExpectedPrice>
<q:ExternalReference><q:Reference>${reference}</q:Reference></q:ExternalReference>
<q:CustomerReference><q:Reference>${reference}</q:Reference></q:CustomerReference>
<q:TitleKnownOfficialCopy>
<q:ContinueIfTitleIsClosedAndContinuedIndicator>false</q:ContinueIfTitleIsClosedAndContinuedIndicator>
<q:NotifyIfPendingFirstRegistrationIndicator>false</q:NotifyIfPendingFirstRegistrationIndicator>
<q:NotifyIfPendingApplicationIndicator>false</q:NotifyIfPendingApplicationIndicator>
<q:SendBackDatedIndicator>false</q:SendBackDatedIndicator>
<q:ContinueIfActualFeeExceedsExpectedFeeIndicator>false</q:ContinueIfActualFeeExceedsExpectedFeeIndicator>
<q:IncludeTitlePlanIndicator>${plan}</q:IncludeTitlePlanIndicator>
</q:TitleKnownOfficialCopy></q:Product></arg0></ns3:performOCWithSummary>`

export const pollOf = (messageId: string) =>
  `<p:getResponse xmlns:p="http://poll.ocwithsummaryv2_1.ws.bg.lr.gov/"><arg0><q:ID xmlns:q="http://www.oscre.org/ns/eReg/MR01-20090605/PollRequest"><q:MessageID>${messageId}</q:MessageID></q:ID></arg0></p:getResponse>`
