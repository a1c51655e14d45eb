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

export type Json = Record<string, unknown>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Send = <Body = Json>(as: string, method: Method, path: string, body?: object) => Promise<Body>

/** Requests that pass through every layer except the network. A form is sent as multipart, anything else as JSON. */
export function senderOf(app: App): Send {
  const tokens = new Map<string, string>()
  return async <Body>(as: string, method: Method, path: string, body?: object) => {
    const token = tokens.get(as) ?? (await tokenOf(app, as))
    tokens.set(as, token)
    const headers = { authorization: `Bearer ${token}`, 'x-acting-user': PEOPLE[as] ?? '' }
    const request = { method, url: PARTNER_PATH + path, headers, ...(body && { payload: body }) }
    let response = await app.inject(request)
    // A slow machine counts as overloaded for a moment after its start, and the rate limit may be low.
    for (let tries = 1; [429, 503].includes(response.statusCode) && tries < TRIES_MAX; tries++) {
      await delay(Number(response.headers['retry-after'] ?? 1) * 1_000)
      response = await app.inject(request)
    }
    if (response.statusCode >= 300)
      throw new Error(`The sandbox's data could not be created: ${method} ${path} answered ${response.body}`)
    return (response.body === '' ? {} : response.json()) as Body
  }
}

async function tokenOf(app: App, clientId: string): Promise<string> {
  const client_secret = ACCOUNTS.find((one) => one.clientId === clientId)?.secret
  const payload = { grant_type: 'client_credentials', client_id: clientId, client_secret }
  const response = await app.inject({ method: 'POST', url: '/oauth/token', payload })
  return String((response.json() as Json)['access_token'])
}
