import { ApiError, type Fault, type Schemas } from '../../client/src/index.ts'
import type { Doors, Role, Session } from './doors.ts'

// What operators see and do. It is no part of the partner interface: only the console calls it, and it has no matters.

type Records<T> = { records: readonly T[] }

export type RunningNode = {
  nodeId: string
  name: string
  version: string
  roles: readonly string[]
  ready: boolean
  /** By name `ok`, or what is wrong. */
  checks: Readonly<Record<string, string>>
  startedAt: string
  lastSeenAt: string
  isSilent: boolean
}

export type UnfinishedJobs = { job: string; count: number; oldest: string }

export type DeadJob = {
  id: string
  job: string
  correlationId: string | null
  attempts: number
  error: string | null
  diedAt: string
}

export type FailingWebhooks = {
  subscriberId: string
  name: string
  registrations: number
  retried: number
  dead: number
  oldest: string
}

export type Maintenance = { enabled: boolean; by: string | null; since: string | null }

export type Subscriber = {
  subscriberId: string
  name: string
  kind: 'LENDER' | 'LAW_FIRM'
  status: 'ACTIVE' | 'SUSPENDED'
  decisions: 'any' | 'people'
  fourEyes: boolean
  reports: boolean
}

export type Client = {
  clientId: string
  subscriberId: string
  enabled: boolean
  scopes: readonly string[]
  secrets: number
  createdAt: string
  lastUsedAt: string | null
  logUntil: string | null
}

export type OnePerson = {
  personId: string
  name: string
  email: string
  roles: readonly Role[]
  subscriberId: string | null
  subscriber: string | null
  state: 'invited' | 'active' | 'disabled'
  sessions: number
}

export type OneSession = {
  id: string
  way: 'PROVIDER' | 'LINK' | 'SANDBOX'
  browser: string
  createdAt: string
  lastSeenAt: string
}

export type AuditHeader = {
  entryId: number
  chain: string
  at: string
  action: string
  ids: Readonly<Record<string, string>>
  clientId?: string
  actingUser?: string
  correlationId: string
}

export type AuditCheck = {
  askedBy: string
  askedAt: string
  endedAt: string | null
  report: {
    chains: number
    entries: number
    anchors: number
    findings: readonly string[]
    notices: readonly string[]
    found: number
  } | null
}

type Query = Readonly<Record<string, string | undefined>>

export type Operator = ReturnType<typeof operatorOf>

export function operatorOf(
  { fetchAs, publicUrl }: Pick<Doors, 'fetchAs' | 'publicUrl'>,
  session: Session,
  correlationId: string,
) {
  const fetch = fetchAs(session)

  async function call<T>(method: string, path: string, init: { body?: object | undefined; key?: string } = {}) {
    const response = await fetch(`${publicUrl}/operator/v1${path}`, {
      method,
      headers: {
        'x-request-correlation-id': correlationId,
        ...(init.body && { 'content-type': 'application/json' }),
        ...(init.key && { 'idempotency-key': init.key }),
      },
      ...(init.body && { body: JSON.stringify(init.body) }),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as T
    const { errors = [] } = JSON.parse(text || '{}') as { errors?: Fault[] }
    const wait = response.headers.get('retry-after')
    const about = { operation: `${method} ${path}`, correlationId, idempotencyKey: init.key }
    throw new ApiError(response.status, errors, about, wait === null ? undefined : Number(wait))
  }

  const get = <T>(path: string, query: Query = {}) => {
    const given = Object.entries(query).filter((one): one is [string, string] => Boolean(one[1]))
    return call<T>('GET', given.length ? `${path}?${new URLSearchParams(given)}` : path)
  }

  return {
    nodes: () => get<Records<RunningNode>>('/nodes'),
    webhooks: () => get<Records<FailingWebhooks>>('/webhooks'),
    figures: () => get<Schemas['Figures']>('/figures'),
    figureFile: (name: string) => get<{ csv: string }>(`/figures/${part(name)}`),
    maintenance: () => get<Maintenance>('/maintenance'),
    jobs: () => get<Records<UnfinishedJobs> & { dead: number }>('/jobs'),
    deadJobs: (filter: Query) => get<Records<DeadJob> & { count: number }>('/jobs/dead', filter),
    subscribers: () => get<Records<Subscriber & { clients: number }>>('/subscribers'),
    subscriber: (id: string) => get<Subscriber & { clients: readonly Client[] }>(`/subscribers/${part(id)}`),
    client: (id: string) =>
      get<Client & { subscriber: string; allScopes: Readonly<Record<string, string>> }>(`/clients/${part(id)}`),
    people: (query: Query = {}) => get<Records<OnePerson>>('/people', query),
    person: (id: string) => get<OnePerson & { sessions: readonly OneSession[] }>(`/people/${part(id)}`),
    audit: (query: Query) => get<Records<AuditHeader> & { before?: number }>('/audit', query),
    auditCheck: () =>
      get<{ check?: AuditCheck; anchor?: { hash: string; sealedAt: string; chains: number } }>('/audit/check'),
    /** Changes something, once for each key. */
    change: <T = object>(path: string, key: string, body?: object) => call<T>('POST', path, { body, key }),
  }
}

/** As a part of an address. */
export const part = encodeURIComponent
