import { randomUUID } from 'node:crypto'
import { ApiError, ConnectionError, createClient, type Lodgeway } from '../../client/src/index.ts'
import { misused } from './failure.ts'
import { type Print, printTo } from './print.ts'
import { type Chosen, chooseProfile, type Profile, secretOf } from './profiles.ts'
import { openQuestions } from './questions.ts'
import type { Terminal } from './terminal.ts'

/** The options that every command has, or that commands share. */
export type CommonOptions = Chosen & { json?: boolean | undefined; yes?: boolean | undefined }

/** What a command works with. */
export type Session = {
  terminal: Terminal
  print: Print
  /** Whether the answer is to be JSON. */
  json: boolean
  /** Chooses the profile. Nothing is sent yet. The same each time. */
  connect(): Connection
  /** Before a change: asks once where the service is live, unless `--yes` was given. */
  confirm(what: string): Promise<void>
}

/** A service, as one of its clients. */
export type Connection = {
  profile: Profile
  url: string
  /** The client of the profile; it asks for its token when it is first used. */
  client(): Promise<Lodgeway>
  /** An access token, for what the client cannot do. */
  token(): Promise<string>
  /** One request with a token, without retries. Throws as the client does, but for `accepts`. */
  request(method: string, path: string, init?: RequestOptions): Promise<Response>
  /** Whether it is no sandbox. */
  isLive(): Promise<boolean>
}

export type RequestOptions = {
  headers?: Record<string, string>
  body?: RequestInit['body']
  signal?: AbortSignal
  /** Statuses that are answers, not errors. */
  accepts?: readonly number[]
}

const TOKEN_MARGIN_MS = 60_000
/** Somebody waits at a terminal. */
const RETRY = { attempts: 3 }

export function openSession(terminal: Terminal, options: CommonOptions): Session {
  const print = printTo(terminal)
  let connection: Connection | undefined
  const session: Session = {
    terminal,
    print,
    json: options.json === true,
    connect: () => {
      connection ??= connectionTo(terminal, chooseProfile(terminal.env, options))
      return connection
    },
    async confirm(what) {
      const { profile, isLive } = session.connect()
      if (options.yes || !(await isLive())) return
      const name = print.paintNote('red', `${profile.name} (live)`)
      if (!terminal.stdin.isTTY) throw misused(`${profile.name} is live: give --yes to ${what}.`)
      const questions = openQuestions(terminal)
      const answer = await questions.ask(`${name} ${profile.url}: ${what}? [y/N] `).finally(questions.close)
      if (!/^y(es)?$/i.test(answer.trim())) throw misused('Nothing was done.')
    },
  }
  return session
}

/** With a `scope`, its tokens have these scopes alone. */
export function connectionTo({ fetch, now }: Terminal, profile: Profile, scope?: string): Connection {
  const { url, clientId } = profile
  const client = once(async () =>
    createClient({ baseUrl: url, clientId, clientSecret: await secretOf(profile), scope, fetch, retry: RETRY }),
  )
  let token: { value: string; renewAt: number } | undefined

  const connection: Connection = {
    profile,
    url,
    client,
    async token() {
      if (token && now().getTime() < token.renewAt) return token.value
      const body = {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: await secretOf(profile),
        ...(scope !== undefined && { scope }),
      } as const
      const issued = await (await client()).issueToken({ body })
      token = { value: issued.access_token, renewAt: now().getTime() + issued.expires_in * 1_000 - TOKEN_MARGIN_MS }
      return token.value
    },
    async request(method, path, { headers = {}, body, signal, accepts = [] } = {}) {
      const correlationId = randomUUID()
      const about = { operation: `${method} ${path.split('?')[0]}`, correlationId }
      const sent: RequestInit = {
        method,
        headers: {
          authorization: `Bearer ${await connection.token()}`,
          'x-request-correlation-id': correlationId,
          ...headers,
        },
        ...(body && { body, duplex: 'half' }),
        ...(signal && { signal }),
      }
      const response = await fetch(url + path, sent).catch((error: unknown) => {
        signal?.throwIfAborted()
        throw new ConnectionError(1, { ...about, idempotencyKey: headers['Idempotency-Key'] }, error)
      })
      if (response.ok || accepts.includes(response.status)) return response
      const { errors = [] } = (await response.json().catch(() => ({}))) as { errors?: ApiError['errors'] }
      const answeredId = response.headers.get('x-request-correlation-id') ?? correlationId
      throw new ApiError(response.status, errors, { ...about, correlationId: answeredId })
    },
    isLive: once(async () => {
      const { status } = await fetch(`${url}/sandbox/v1/clock`).catch((error: unknown) => {
        throw new ConnectionError(1, { operation: 'GET /sandbox/v1/clock', correlationId: '' }, error)
      })
      return status !== 200
    }),
  }
  return connection
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
