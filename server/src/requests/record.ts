import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import type { Deps } from '../platform/deps.ts'
import type { FieldError } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { withoutSecrets } from '../platform/operations/log.ts'
import type { Metrics } from '../platform/operations/metrics.ts'
import { createRecorder } from './recorder.ts'
import {
  addNamesIn,
  bounded,
  correlationIdIn,
  errorsIn,
  isLogged,
  isUuid,
  KEPT_HOURS,
  type LoggedBody,
  type Mode,
} from './rules.ts'
import type { Detail, NewRequest } from './store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string | undefined
    /** It reads the log, and would never come to its end. */
    unlogged?: boolean
  }
  interface FastifyRequest {
    /** The kinds of the faults that the sandbox injected. */
    injectedFault: string | undefined
    /** What is known before the request has ended, if it is logged. */
    logDraft:
      | { body?: LoggedBody; answer?: LoggedBody; errors?: FieldError[]; workspaceId?: string | undefined }
      | undefined
  }
}

type Parts = Pick<Deps, 'db' | 'log'> & { metrics: Pick<Metrics, 'registry'>; mode: Mode }

/** Of errors, but in no schema. */
const OTHER_NAMES = [
  'Accept',
  'Host',
  'Idempotency-Key',
  'If-Match',
  'Range',
  'X-Acting-User',
  'reportName',
  'requestedDate',
]
const KEPT_HEADERS = [
  'accept',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'range',
  'x-acting-user',
]

/** Logs the requests of subscribers. Must be added before the guard and every route. */
export function addRequestLog(app: App, { db, log, metrics, mode }: Parts): void {
  const dropped = new Counter({
    name: 'request_log_dropped_total',
    help: 'Requests that should be in the request log and are not, because the database was too slow.',
    registers: [metrics.registry],
  })
  const recorder = createRecorder({ db, log }, { keptHours: KEPT_HOURS[mode], onDropped: (rows) => dropped.inc(rows) })
  const [names, seen] = [new Set(OTHER_NAMES), new Set<object>()]
  const isOn = (request: FastifyRequest): boolean =>
    Boolean(request.caller) &&
    !request.route.unlogged &&
    isLogged({ caller: request.caller, method: request.method, isOfSandbox: isOfSandbox(request) }, mode, Date.now())

  app.decorateRequest('logDraft')
  app.decorateRequest('injectedFault')
  app.addHook('onClose', () => recorder.stop())
  app.addHook('onRoute', (route) => {
    addNamesIn(route.schema, names, seen)
    route.config = { ...route.config, operationId: route.schema?.operationId }
  })
  if (mode === 'sandbox')
    app.addHook('preValidation', (request, _, done) => {
      if (isJson(request.headers['content-type']) && request.body)
        request.logDraft = { body: bounded(JSON.stringify(request.body), withoutSecrets) }
      done()
    })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isOn(request) && typeof payload === 'string') {
      request.logDraft ??= {}
      const draft = request.logDraft
      if (mode === 'sandbox') draft.answer = bounded(payload, withoutSecrets)
      if (reply.statusCode >= 400) draft.errors = errorsOf(payload)
      else if (request.method === 'POST') draft.workspaceId = WORKSPACE.exec(payload)?.[1]
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (isOn(request)) recorder.add(rowOf(request, reply))
    done()
  })

  function rowOf(request: FastifyRequest, reply: FastifyReply): NewRequest {
    const { caller, route, method, logDraft = {} } = request
    const now = Date.now()
    return {
      requestId: idAt(now),
      subscriberId: caller.subscriberId,
      at: now - reply.elapsedTime,
      method,
      route: templateOf(route.url),
      operation: route.operationId ?? 'undocumented',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      clientId: caller.clientId,
      correlationId: correlationIdIn(request.id, mode),
      ...placeOf(request),
      fault: request.injectedFault,
      errors: errorsIn(logDraft.errors ?? [], mode, (name) => names.has(name)),
      ...(mode === 'sandbox' && { person: personOf(request), detail: detailOf(request) }),
    }
  }
}

/** A token that was not sent over the network, and is no pass. */
const isOfSandbox = ({ raw, headers }: FastifyRequest) =>
  !(raw.socket instanceof Socket) && headers.authorization?.startsWith('Bearer ') === true

const isJson = (type: string | undefined) => type?.startsWith('application/json') === true

function errorsOf(payload: string): FieldError[] {
  try {
    return (JSON.parse(payload) as { errors?: FieldError[] }).errors ?? []
  } catch {
    return []
  }
}

/** UUID version 7: ordered by time. */
function idAt(now: number): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** As openapi.json writes it. */
const templates = new Map<string, string>()
function templateOf(url: string): string {
  const known = templates.get(url) ?? url.replaceAll(/:(\w+)/g, '{$1}')
  templates.set(url, known)
  return known
}

const WORKSPACE = /"workspaceId":"([0-9a-f-]{36})"/

/** Of the path, the query, the body or the answer: ids of the interface, and nothing else. */
function placeOf({ params, query, body, logDraft }: FastifyRequest): Pick<NewRequest, 'workspaceId' | 'parentId'> {
  const path = params as Record<string, string>
  const parentId = path['lodgement_case_id'] ?? path['financial_settlement_schedule_id']
  if (isUuid(parentId)) return { parentId }
  const named = [
    path['workspace_id'],
    (query as Record<string, unknown> | undefined)?.['workspace_id'],
    (body as Record<string, unknown> | undefined)?.['workspaceId'],
    logDraft?.workspaceId,
  ]
  return { workspaceId: named.find(isUuid) }
}

function personOf({ caller, headers }: FastifyRequest): string | undefined {
  const stated = headers['x-acting-user']
  return caller.person?.email ?? (typeof stated === 'string' && stated !== '' ? stated : undefined)
}

function detailOf({ url, headers, logDraft }: FastifyRequest): Detail {
  const kept = KEPT_HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))
  return {
    path: withoutSecrets(url),
    headers: Object.fromEntries(kept) as Record<string, string>,
    ...(logDraft?.body && { body: logDraft.body }),
    ...(logDraft?.answer && { answer: logDraft.answer }),
  }
}
