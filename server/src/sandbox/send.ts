import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../platform/http/http.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { ACCOUNTS } from './accounts.ts'

export const LENDER = 'sandbox-lender'
export const FIRM = 'sandbox-law-firm'

/** Four eyes: the person who approves a case is not the one who prepared it. */
export const APPROVER = 'alex.moss@harbour.example'
const PEOPLE: Record<string, string> = { [LENDER]: 'pat.lowe@northgate.example', [FIRM]: 'sam.reid@harbour.example' }

const TRIES_MAX = 10

/** A service that keeps saying 503 for longer is under maintenance. */
const WAIT_SECONDS_MAX = 5

export type Json = Record<string, unknown>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Send = <Body = Json>(as: string, method: Method, path: string, body?: object) => Promise<Body>

/** A request that was made and answered. Without `as` it controls the sandbox. */
export type Sent = { as?: string; method: Method; path: string; body?: object; status: number; answer: unknown }

const CONTROL_PATH = '/sandbox/v1'

/** Requests that pass through every layer except the network. A form is sent as multipart, anything else as JSON. */
export function senderOf(app: Pick<App, 'inject'>, onSent: (sent: Sent) => void = () => {}): Send {
  const tokens = new Map<string, string>()
  const headersOf = async (as: string) => {
    const token = tokens.get(as) ?? (await tokenOf(app, as))
    tokens.set(as, token)
    return { authorization: `Bearer ${token}`, 'x-acting-user': PEOPLE[as] ?? '' }
  }
  return async <Body>(as: string, method: Method, path: string, body?: object) => {
    const isControl = path.startsWith(CONTROL_PATH)
    const url = isControl ? path : PARTNER_PATH + path
    const request = { method, url, headers: isControl ? {} : await headersOf(as), ...(body && { payload: body }) }
    let response = await app.inject(request)
    // A slow machine counts as overloaded for a moment after its start, and the rate limit may be low.
    for (let tries = 1; isWorthWaiting(response) && tries < TRIES_MAX; tries++) {
      await delay(secondsOf(response) * 1_000)
      response = await app.inject(request)
    }
    const { statusCode: status } = response
    const answer: unknown = response.body === '' ? {} : response.json()
    onSent({ ...(!isControl && { as }), method, path: url, ...(body && { body }), status, answer })
    if (status >= 300) throw new Error(`${method} ${url} answered ${status}: ${response.body}`)
    return answer as Body
  }
}

type Response = { statusCode: number; headers: Record<string, unknown> }

const secondsOf = ({ headers }: Response) => Number(headers['retry-after'] ?? 1)

const isWorthWaiting = (response: Response) =>
  response.statusCode === 429 || (response.statusCode === 503 && secondsOf(response) <= WAIT_SECONDS_MAX)

async function tokenOf(app: Pick<App, 'inject'>, clientId: string): Promise<string> {
  const client_secret = ACCOUNTS.find((one) => one.clientId === clientId)?.secret
  const payload = { grant_type: 'client_credentials', client_id: clientId, client_secret }
  const response = await app.inject({ method: 'POST', url: '/oauth/token', payload })
  return String((response.json() as Json)['access_token'])
}
