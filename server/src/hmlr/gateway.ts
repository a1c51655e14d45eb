import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { Agent, type Dispatcher, request } from 'undici'
import type { WaitReason } from '../registry/port.ts'
import type { Settings } from './settings.ts'
import type { Account } from './shapes.ts'

type Circumstances = { afterMs?: number; effect?: 'none' | 'unknown'; because?: WaitReason; cause?: unknown }

/** Something that passes by itself, or when an operator has corrected an account: the call is made again later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly afterMs: number
  /** Whether the gateway may have done what it was asked for. */
  readonly effect: 'none' | 'unknown'
  /** What keeps the gateway from being asked; undefined where it only takes its time. */
  readonly because: WaitReason | undefined

  constructor(message: string, { afterMs = 0, effect = 'none', because, cause }: Circumstances = {}) {
    super(message, { cause })
    this.afterMs = afterMs
    this.effect = effect
    this.because = because
  }
}

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

export type Gateway = ReturnType<typeof openGateway>

type Sending = { method: 'GET' | 'POST' | 'PUT'; headers?: Record<string, string>; body?: string | Readable }

const CONNECT_MS_MAX = 10_000
const ANSWER_MS_MAX = 60_000
const FILE_MS_MAX = 600_000
const DAY_MS = 86_400_000
const ANSWER_BYTES_MAX = 60_000_000 // an extract with its PDF, in base64
/** Until an operator has had time to correct an account. */
export const ACCOUNT_PAUSE_MS = 3_600_000
/** For as long as nobody has corrected an account. */
export const REFUSED = { because: 'ACCOUNT_REFUSED', afterMs: ACCOUNT_PAUSE_MS } as const

const UNAVAILABLE = 'REGISTRY_UNAVAILABLE'
const CLOSED = 'The gateway is closed at this hour (423).'

/** What the code of an error means; the first that fits. Without an effect nothing was sent before it. */
const FAILURES: readonly { code: RegExp; words?: string; circumstances?: Circumstances }[] = [
  {
    code: /^ERR_SSL_\w*ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/,
    words: 'it refuses the certificate of the account',
    circumstances: REFUSED,
  },
  {
    code: /CERT|^UNABLE_TO_VERIFY|^ERR_TLS/,
    words: 'its own certificate is not trusted, so check HMLR_CA_FILE',
  },
  { code: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/ },
  {
    code: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    words: 'it closed the connection, as it may where it does not accept the certificate of the account',
    circumstances: { effect: 'unknown' },
  },
  { code: /./, circumstances: { effect: 'unknown' } },
]

/**
 * HTTP to the gateway, with the certificate and the credentials of a law firm. Neither goes to the addresses of files,
 * which the gateway names. An answer that says to come back, or that never comes, is `Unavailable`.
 */
export function openGateway(settings: Settings, { answerMsMax = ANSWER_MS_MAX } = {}) {
  const ca = settings.caFile ? [...rootCertificates, readFileSync(settings.caFile, 'utf8')] : undefined
  const connect = { timeout: CONNECT_MS_MAX, ...(ca && { ca }) }
  const plain = new Agent({ connect })
  const agents = new Map<string, { changedAt: number; agent: Agent }>()

  function agentOf({ lawFirmId, username, certificate, key, certificateEndsAt, changedAt }: Account): Agent {
    // By the clock of this machine, as TLS itself.
    if (certificateEndsAt.getTime() <= Date.now()) {
      const ended = certificateEndsAt.toISOString().slice(0, 10)
      throw new Unavailable(`The certificate of the account ${username} ended on ${ended}.`, REFUSED)
    }
    const known = agents.get(lawFirmId)
    if (known?.changedAt === changedAt.getTime()) return known.agent
    void known?.agent.close()
    const agent = new Agent({ connect: { ...connect, cert: certificate, key } })
    agents.set(lawFirmId, { changedAt: changedAt.getTime(), agent })
    return agent
  }

  async function answered<T>(answer: () => Promise<T>): Promise<T> {
    try {
      return await answer()
    } catch (cause) {
      throw failureOf(cause)
    }
  }

  const open = (url: string, dispatcher: Dispatcher, sending: Sending, msMax = answerMsMax) =>
    answered(async () => {
      const signal = AbortSignal.timeout(msMax)
      const { statusCode: status, headers, body } = await request(url, { ...sending, dispatcher, signal })
      body.on('error', () => {}) // a reader gets it; without one it would end the process
      return { status, headers, body }
    })

  async function send(...sent: Parameters<typeof open>): Promise<Answer> {
    const { body, ...head } = await open(...sent)
    return { ...head, body: await answered(() => whole(body)) }
  }

  /** Status codes that mean the same of every service. Any other is the caller's to understand. */
  function checked({ username }: Account, answer: Answer): Answer {
    const { status, headers } = answer
    if (status === 401 || status === 403) {
      throw new Unavailable(`The gateway refused the account ${username} (${status}).`, REFUSED)
    }
    if (status === 408 || status === 423 || status === 429 || (status >= 500 && !isFault(answer))) {
      const effect = status >= 500 || status === 408 ? 'unknown' : 'none'
      const afterMs = retryAfterMs(headers['retry-after'])
      if (status === 423) throw new Unavailable(CLOSED, { afterMs, because: 'REGISTRY_CLOSED' })
      throw new Unavailable(`The gateway answered ${status}.`, { afterMs, effect, because: UNAVAILABLE })
    }
    return answer
  }

  return {
    /** A path of the REST services, or a whole address. */
    async rest(account: Account, method: 'GET' | 'POST', path: string, { body, headers = {} }: RestOptions = {}) {
      const url = path.startsWith('https:') ? path : settings.restUrl + path
      const sent = { accept: 'application/json', authorization: basicOf(account), ...headers }
      const answer = await send(url, agentOf(account), {
        method,
        headers: body === undefined ? sent : { ...sent, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return checked(account, answer)
    },

    async soap(account: Account, service: string, body: string): Promise<string> {
      const url = `${settings.soapUrl}/${service}`
      const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' }
      const answer = checked(account, await send(url, agentOf(account), { method: 'POST', headers, body }))
      if (answer.status === 200 || answer.status === 500) return answer.body.toString('utf8')
      throw new Error(`The SOAP service ${service} answered ${answer.status}.`)
    },

    /** Uploads a file to the address that the gateway named for it, which may lack its scheme. */
    put: (address: string, headers: Record<string, string>, body: Readable): Promise<Answer> =>
      send(
        /^https?:/.test(address) ? address : `https://${address}`,
        plain,
        { method: 'PUT', headers, body },
        FILE_MS_MAX,
      ),

    /** The bytes of a document of the registry. The gateway names their address, which soon expires, for each download. */
    async download(account: Account, id: string): Promise<Readable> {
      const url = `${settings.restUrl}/v1/documents/${encodeURIComponent(id)}`
      const headers = { authorization: basicOf(account) }
      const named = await open(url, agentOf(account), { method: 'GET', headers }, FILE_MS_MAX)
      if (named.status === 200) return named.body
      const answer = checked(account, { ...named, body: await answered(() => whole(named.body)) })
      if (answer.status === 404) throw new Unavailable(`The gateway lacks the document ${id}.`, { afterMs: DAY_MS })
      const address = new URL(String(answer.headers['location'] ?? ''), url)
      if (answer.status !== 302 || address.protocol !== 'https:') {
        throw new Error(`The gateway answered ${answer.status} to a download, and named no address.`)
      }
      const file = await open(address.href, plain, { method: 'GET' }, FILE_MS_MAX)
      if (file.status === 200) return file.body
      file.body.destroy()
      throw new Unavailable(`A document could not be downloaded: ${file.status}.`)
    },

    async close(): Promise<void> {
      await Promise.all([plain, ...[...agents.values()].map(({ agent }) => agent)].map((one) => one.close()))
    },
  }
}

const basicOf = ({ username, password }: Account) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

type RestOptions = { body?: unknown; headers?: Record<string, string> }

const isFault = ({ headers, body }: Answer) => String(headers['content-type']).includes('xml') && body.includes('Fault')

async function whole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`its answer is longer than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Seconds, or a date. */
function retryAfterMs(header: string | string[] | undefined): number {
  const text = String(header ?? '')
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now())
}

export function failureOf(cause: unknown): Unavailable {
  const { name, code, message } = (cause ?? {}) as { name?: string; code?: string; message?: string }
  const reason = name === 'TimeoutError' ? 'it took too long' : (code ?? message ?? 'unknown')
  const { words, circumstances } = FAILURES.find((one) => one.code.test(reason)) ?? {}
  const text = words ? `${words} (${reason})` : reason
  return new Unavailable(`The gateway did not answer: ${text}.`, { because: UNAVAILABLE, ...circumstances, cause })
}

/** An answer that is not from the service itself, such as the page of a proxy. What it did is not known. */
export const notUnderstood = (what: string, cause?: unknown) =>
  new Unavailable(`The gateway answered something that is not ${what}.`, {
    effect: 'unknown',
    because: UNAVAILABLE,
    cause,
  })

/** The JSON of an answer, or of what it wraps in `data`. */
export function jsonOf<T>({ body }: Answer): T {
  const text = body.toString('utf8')
  try {
    const json = JSON.parse(text)
    return json?.data ?? json
  } catch (cause) {
    throw notUnderstood('JSON', cause)
  }
}

/** What is wrong with an account; undefined where the gateway accepts it. It reads nothing that matters. */
export async function checkAccount(settings: Settings, account: Account): Promise<Unavailable | undefined> {
  const gateway = openGateway(settings)
  try {
    const { status } = await gateway.rest(account, 'GET', '/v1/notifications?limit=1')
    return status === 200 ? undefined : new Unavailable(`The gateway answered ${status}.`)
  } catch (error) {
    if (error instanceof Unavailable) return error
    throw error
  } finally {
    await gateway.close()
  }
}
