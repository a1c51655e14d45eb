import { timingSafeEqual } from 'node:crypto'
import { type Account, type Answer, type Context, type Inbound, problem } from './answers.ts'
import { information, submit } from './applications.ts'
import { attachDocument, attachMessage } from './attachments.ts'
import { proprietorNames } from './names.ts'
import { acknowledge, list } from './notifications.ts'
import { publishedInformation, publishedNotifications } from './published.ts'
import type { Handled } from './server.ts'
import { redirectToDownload, requestUpload } from './uploads.ts'

type Route = {
  method: string
  path: RegExp
  answer(context: Context, account: string, inbound: Inbound, id: string): Answer
}

const PREFIX = '/bg2/api'

const ROUTES: readonly Route[] = [
  { method: 'POST', path: /^\/v1\/documents\/url$/, answer: requestUpload },
  {
    method: 'GET',
    path: /^\/v1\/documents\/([^/]+)$/,
    answer: (context, account, _, id) => redirectToDownload(context, account, id),
  },
  {
    method: 'POST',
    path: /^\/v1\/applications$/,
    answer: (context, account, inbound) => submit(context, account, inbound, 'v1'),
  },
  {
    method: 'POST',
    path: /^\/v2\/applications$/,
    answer: (context, account, inbound) => submit(context, account, inbound, 'v2'),
  },
  {
    method: 'GET',
    path: /^\/v1\/applications\/([^/]+)\/information$/,
    answer: (context, account, _, id) => publishedInformation(context, id) ?? information(context, account, id),
  },
  { method: 'POST', path: /^\/v1\/applications\/([^/]+)\/attachments$/, answer: attachDocument },
  { method: 'POST', path: /^\/v1\/applications\/([^/]+)\/messages$/, answer: attachMessage },
  {
    method: 'GET',
    path: /^\/v1\/notifications$/,
    answer: (context, account, inbound) =>
      publishedNotifications(inbound.query.get('subject') ?? '') ?? list(context, account, inbound),
  },
  { method: 'POST', path: /^\/v1\/notifications\/acknowledge$/, answer: acknowledge },
  // Two published files have two paths.
  {
    method: 'GET',
    path: /^(?:\/v1|\/bg2\/s2\/v1)\/titles\/([^/]+)\/registered-proprietor-names$/,
    answer: (context, _, __, id) => proprietorNames(context, id),
  },
]

/** A request to the REST services: hours, credentials, rate, then the service itself. */
export function answerRest(context: Context, inbound: Inbound): Handled {
  const { control, accounts } = context
  const caller = basicAccount(inbound.headers.authorization, accounts)
  if (!caller) {
    const refused = problem(context, 401, 'A valid user name and password are required.')
    return { ...refused, headers: { ...refused.headers, 'www-authenticate': 'Basic realm="Business Gateway"' } }
  }
  const account = caller.username
  const closedUntil = control.closedUntil()
  if (closedUntil) return { ...problem(context, 423, 'The service is closed.'), account }
  const seconds = control.secondsToWait()
  if (seconds !== undefined) {
    const refused = problem(context, 429, 'Too many requests.')
    return { ...refused, headers: { ...refused.headers, 'retry-after': String(seconds) }, account }
  }
  const path = inbound.path.startsWith(PREFIX) ? inbound.path.slice(PREFIX.length) : inbound.path
  const fitting = ROUTES.filter((route) => route.path.test(path))
  const route = fitting.find(({ method }) => method === inbound.method)
  if (!route) return { ...problem(context, fitting.length ? 405 : 404, 'There is no such service.'), account }
  const [, id = ''] = route.path.exec(path) ?? []
  return { ...route.answer(context, account, inbound, decodeURIComponent(id)), account }
}

function basicAccount(header: string | undefined, accounts: readonly Account[]): Account | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(header ?? '') ?? []
  if (!encoded) return undefined
  const given = Buffer.from(encoded, 'base64')
  return accounts.find(({ username, password }) => {
    const right = Buffer.from(`${username}:${password}`)
    return right.length === given.length && timingSafeEqual(right, given)
  })
}
