import { isApiError } from '../../../client/src/index.ts'
import { EXIT, Failure } from '../failure.ts'
import { isLoopback } from '../loopback.ts'
import { claimsOf } from '../own-side.ts'
import { withExamples } from '../program.ts'
import type { Connection } from '../session.ts'
import type { Define } from '../table.ts'
import { aheadOf, clockSentence } from './whoami.ts'

// Checks the way from this machine to the service, and says how to fix what is wrong.

type Finding = { part: string; state: 'ok' | 'warning' | 'error'; message: string; fix?: string }

const AHEAD_SECONDS_MAX = 60
const SECRET_DAYS_MIN = 30
const DAY_MS = 86_400_000
const MARKS = { ok: 'green', warning: 'yellow', error: 'red' } as const

export const define: Define = (command, run) => {
  command.description(
    'Checks the address, TLS, the credentials, the clocks, scopes, limits and webhooks, and says how to fix what is wrong. ' +
      'It changes nothing.',
  )
  withExamples(command, [
    ['lodgeway doctor --profile sandbox-lender'],
    ['lodgeway doctor --url https://api.example'],
  ]).action(
    run(async ({ connect, print, json, terminal }) => {
      const findings = await examine(connect(), terminal.now())
      if (json) print.json({ findings })
      else {
        for (const { part, state, message, fix } of findings) {
          print.line(`${print.paint(MARKS[state], state.padEnd(7))}  ${part.padEnd(11)}  ${message}`)
          if (fix) print.line(`${' '.repeat(22)}${fix}`)
        }
      }
      const wrong = findings.filter(({ state }) => state === 'error').length
      if (wrong) throw new Failure(EXIT.refused, `${wrong} of ${findings.length} checks found something wrong.`)
    }),
  )
}

async function examine(connection: Connection, now: Date): Promise<Finding[]> {
  const client = await connection.client()
  const alive = await client.call('getLiveness') // or it cannot be reached, which ends with 3
  const findings = [address(connection, alive.headers), clock(aheadOf(alive.headers.get('date'), now))]
  const ready = await client.getReadiness().then(
    () => ok('service', 'it is ready'),
    () => warning('service', 'It is not ready.', 'Try again in a minute; the operator sees why.'),
  )
  const token = await connection.token().catch((error: unknown) => {
    if (isApiError(error, 400, 401)) return error
    throw error
  })
  if (typeof token !== 'string') {
    const fix = 'Check the client id and the secret: `lodgeway login` keeps new ones. Was the secret rotated?'
    return [...findings, ready, failure('credentials', token.errors[0]?.message ?? 'They are refused.', fix)]
  }
  const scopes = (claimsOf(token).scope ?? '').split(' ').filter(Boolean)
  return [
    ...findings,
    ready,
    ok('credentials', `accepted, as ${connection.profile.clientId}`),
    scopes.length ? ok('scopes', scopes.join(' ')) : failure('scopes', 'There are none.', 'Ask the operator for some.'),
    await limits(connection),
    ...(scopes.includes('view:notifications') ? await webhooks(connection, now) : []),
  ]
}

function address({ url, profile }: Connection, headers: Headers): Finding {
  const from = `${url} (${profile.name}), ${headers.get('x-api-version') ?? ''}`
  if (url.startsWith('https:')) return ok('address', `${from}, over TLS`)
  if (isLoopback(url)) return ok('address', from)
  return failure('address', `${from}, without TLS`, 'Use https: the secret and all data can be read on the way.')
}

function clock(aheadSeconds: number): Finding {
  if (Math.abs(aheadSeconds) <= AHEAD_SECONDS_MAX) return ok('clock', clockSentence(aheadSeconds))
  const fix = 'Let this machine follow a time server: beyond 300 s signatures of webhooks are refused.'
  return warning('clock', clockSentence(aheadSeconds), fix)
}

async function limits(connection: Connection): Promise<Finding> {
  const path = '/partner/api/platformconnect/v1/business-days?limit=1'
  const response = await connection.request('GET', path, { accepts: [403, 429, 503] })
  if (response.status === 429) return warning('limits', 'Too many calls in this minute.', 'Wait as Retry-After says.')
  if (response.status === 503) return warning('limits', 'It is in maintenance.', 'Try again later.')
  const numberIn = (header: string, name: string) =>
    new RegExp(`;${name}=(\\d+)`).exec(response.headers.get(header) ?? '')?.[1]
  const limit = numberIn('ratelimit-policy', 'q')
  return ok('limits', limit ? `${limit} calls a minute, ${numberIn('ratelimit', 'r')} left` : 'none')
}

async function webhooks(connection: Connection, now: Date): Promise<Finding[]> {
  const client = await connection.client()
  const { records } = await client.listNotificationRegistrations({ query: { limit: 100 } })
  if (records.length === 0) return [ok('webhooks', 'none is registered')]
  const dead = await client.listNotifications({ query: { status: 'DEAD', limit: 1 } }).catch((error: unknown) => {
    if (isApiError(error)) return { records: [] }
    throw error
  })
  const advice = 'Answer the challenge with its value, and send it again: `lodgeway webhooks test ID`.'
  const ending = (expiry: string) => (Date.parse(expiry) - now.getTime()) / DAY_MS < SECRET_DAYS_MIN
  return [
    ...records.map((one) => {
      if (one.status !== 'VERIFIED') return warning('webhooks', `${one.webhookURI} has not verified itself.`, advice)
      if (!ending(one.sharedSecretExpiry)) return ok('webhooks', one.webhookURI)
      return warning(
        'webhooks',
        `The secret of ${one.webhookURI} ends soon.`,
        `lodgeway webhooks rotate ${one.registrationId}`,
      )
    }),
    ...(dead.records.length
      ? [warning('webhooks', 'Some deliveries failed for good.', '`lodgeway replay --failed` sends them again.')]
      : []),
  ]
}

const ok = (part: string, message: string): Finding => ({ part, state: 'ok', message })
const warning = (part: string, message: string, fix: string): Finding => ({ part, state: 'warning', message, fix })
const failure = (part: string, message: string, fix: string): Finding => ({ part, state: 'error', message, fix })
