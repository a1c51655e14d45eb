import type { IncomingHttpHeaders } from 'node:http'
import type { Switchboard } from './control.ts'
import type { State } from './state.ts'

export type Account = { username: string; password: string }

/** A request that has come in whole. Without an account it is one to the storage, which knows none. */
export type Inbound = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
}

export type Answer = { status: number; headers?: Record<string, string>; body?: unknown }

export type Context = {
  control: Switchboard
  state: State
  accounts: readonly Account[]
  /** Where files are uploaded and downloaded: another server, as at the registry. */
  storageUrl: string
  options: { repeatedKey: 'same answer' | 'conflict'; extractPricePence: number }
}

export type FieldProblem = { type: string; detail: string; pointer?: string | null }

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  423: 'Locked',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
const REGISTRY_OF_PROBLEMS = 'https://landregistry.github.io/bgtechdoc/problems/global'

/** An error of the REST services. The guide shows the status as text, the contract as a number. */
export function problem({ control }: Context, status: number, detail: string, errors?: FieldProblem[]): Answer {
  const title = TITLES[status] ?? 'Error'
  const body = {
    type: `${REGISTRY_OF_PROBLEMS}#${title.toLowerCase().replaceAll(' ', '-')}`,
    title,
    detail,
    status: control.dialect === 'guide' ? String(status) : status,
    ...(errors && { errors }),
  }
  return { status, headers: { 'content-type': 'application/problem+json' }, body }
}

export const badRequest = (context: Context, errors: FieldProblem[]): Answer =>
  problem(context, 400, 'The request is invalid or malformed.', errors)

/** The JSON of a request, or undefined. */
export function jsonOf({ body, headers }: Inbound): unknown {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
