import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { type Parts, type Service, startService } from '../../src/service.ts'
import { checkContract } from './contract.ts'
import { testDatabase } from './database.ts'
import { freePort } from './ports.ts'

export const PARTNER = '/partner/api/platformconnect/v1'

export type Answer<Body = unknown> = { status: number; headers: Headers; body: Body; text: string }

type Call = {
  /** The sandbox client to call as; nobody where left out. */
  as?: string
  json?: unknown
  headers?: Record<string, string>
  body?: RequestInit['body']
}

export type TestService = Service & {
  call<Body = Record<string, unknown>>(method: string, path: string, options?: Call): Promise<Answer<Body>>
  tokenOf(clientId: string, secret?: string): Promise<string>
  env: Record<string, string>
}

// A hook that is added inside another ends with that one, so this one is added here, for the whole file.
const opened: (() => Promise<void>)[] = []
after(async () => {
  for (const close of opened) await close()
})

/** The whole sandbox on a database and in a folder of its own, spoken to over HTTP. Ends with the test file. */
export async function testService(
  options: { env?: Record<string, string> } & Partial<Parts> = {},
): Promise<TestService> {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-service-'))
  const env = {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
    ...options.env,
  }
  const { http = true, worker = true, stories = false, extra } = options
  const config = readConfig(env, { sandbox: true, secrets: 'required' })
  const service = await startService(config, { http, worker, stories, ...(extra && { extra }) })
  opened.push(async () => {
    await service.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { ...service, env, ...callerOf(service.url) }
}

/** Speaks to any service that stands at an address, and holds each answer against the contract. */
export function callerOf(url: string): Pick<TestService, 'call' | 'tokenOf'> {
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (clientId: string, secret = `${clientId}-secret`) => {
    const known = tokens.get(clientId) ?? fetchToken(url, clientId, secret)
    tokens.set(clientId, known)
    return known
  }
  const call: TestService['call'] = async (method, path, { as, json, headers = {}, body } = {}) => {
    const sent: RequestInit = {
      method,
      headers: {
        ...(as ? { authorization: `Bearer ${await tokenOf(as)}` } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? (body === undefined ? {} : { body, duplex: 'half' }) : { body: JSON.stringify(json) }),
    }
    const response = await fetch(url + path, sent)
    const text = await response.text()
    const contentType = response.headers.get('content-type') ?? ''
    const answer = { status: response.status, headers: response.headers, text, body: parse(text, contentType) }
    checkContract({ ...answer, method, path: new URL(path, url).pathname, contentType })
    return answer as never
  }
  return { call, tokenOf }
}

async function fetchToken(url: string, clientId: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (!token) throw new Error(`No token for ${clientId}: ${response.status}`)
  return token
}

const parse = (text: string, contentType: string): unknown =>
  contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : text
