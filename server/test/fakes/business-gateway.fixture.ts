import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach } from 'node:test'
import { Agent, request } from 'undici'
import { atEnd } from '../fixtures/at-end.ts'
import { pdfOf } from './business-gateway/files.ts'
import { type Gateway, startGateway } from './business-gateway/gateway.ts'
import { type Json, PRYNNES, remortgage } from './business-gateway-messages.fixture.ts'

// A client that knows only what is published.

export const START = new Date('2026-06-01T09:00:00Z')
export const DAY_MS = 86_400_000

/** A stand-in and a client of it, for the tests of a file. Before each of them it behaves, and the time is the same. */
export async function theStandIn() {
  const gateway = await startGateway({ now: () => START })
  const client = clientOf(gateway)
  atEnd(async () => {
    await client.close()
    await gateway.close()
  })
  afterEach(() => {
    gateway.control.behave()
    gateway.control.useClock(() => START)
    gateway.control.dialect = 'openapi'
  })
  const deed = await client.upload('MRTG_DEED')
  let references = 0
  return {
    gateway,
    client,
    lodger: lodgerOf(client),
    deed,
    days: (count: number) => gateway.control.advance(count * DAY_MS),
    /** A remortgage of a matter of its own. */
    prynne: (title = 'ST500678', reference = `LW-${++references}`, owners = PRYNNES) =>
      remortgage(deed, title, reference, owners),
  }
}

type Reply = { status: number; headers: Record<string, unknown>; text: string; json: Json }

type Sent = { method?: string; body?: unknown; headers?: Record<string, string>; account?: number }

type Client = {
  rest(path: string, sent?: Sent): Promise<Reply>
  soap(service: string, xml: string): Promise<Reply>
  /** Uploads a file and returns its id. */
  upload(type: string, bytes?: Buffer): Promise<string>
  storage(url: string, sent?: { method?: string; body?: Buffer; headers?: Record<string, string> }): Promise<Reply>
  close(): Promise<void>
}

function clientOf(gateway: Gateway): Client {
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
type Lodger = {
  submit(body: Json, version?: string, key?: string): Promise<Reply>
  /** Its id. */
  lodged(body: Json): Promise<string>
  informationOf(id: string): Promise<Json>
  /** The types of its new notifications. */
  typesOf(id: string): Promise<string[]>
}

function lodgerOf(client: Client): Lodger {
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
