import { type FollowOptions, isApiError, type Lodgeway } from '../../../client/src/index.ts'
import { signWebhook } from '../../../client/src/webhooks.ts'
import { misused } from '../failure.ts'
import { openQuestions } from '../questions.ts'
import type { Session } from '../session.ts'
import { sinceOf } from '../since.ts'
import { createForwarder } from './forward.ts'
import { onKeys } from './keys.ts'
import { lock } from './lock.ts'
import { type FeedEvent, listenerOf, type Place, placeOf } from './place.ts'
import { createScreen } from './screen.ts'
import { createSender } from './sender.ts'
import { createSaver, type ListenState, readState, sharedSecretOf, stateFile, writeState } from './state.ts'
import { createWindow, type Window } from './window.ts'

export type ListenOptions = {
  /** Undefined: events are only printed. */
  address: string | undefined
  types: readonly string[] | undefined
  since: string | undefined
  isPrinted: boolean
  secret: string | undefined
  forMs: number | undefined
  /** The type of event that ends it. */
  expect: string | undefined
}

type Begun = { place: Place; file: string; stored: ListenState | undefined }

const ENDED = Symbol('ended')
const PAGE_RECORDS = 100

/** Forwards events until it is ended. Returns whether the expected one was delivered. */
export async function listen(session: Session, options: ListenOptions): Promise<boolean> {
  const place = placeOf(session.connect(), options.address)
  const file = stateFile(session.terminal.env, place)
  const held = await lock(file)
  if (!held) throw misused(`${place.profile} already listens for ${place.address}. End that one, or forward elsewhere.`)
  try {
    return await forward(session, options, { place, file, stored: await readState(file) })
  } finally {
    await held.release()
  }
}

async function forward(session: Session, options: ListenOptions, { place, file, stored }: Begun): Promise<boolean> {
  const { terminal, json } = session
  const { address, types, expect, forMs } = options
  const secret = options.secret ?? (await sharedSecretOf(terminal.env, place))
  signWebhook({ secret, id: '', body: '' }) // a wrong secret is refused before anything is sent
  const since = options.since === undefined ? undefined : await sinceOf(options.since, session.connect(), terminal)
  const progress = since ? { cursor: since.after, settled: [] } : (stored ?? { settled: [] })
  const from = since?.from?.toISOString() ?? ''
  const isWanted = ({ type, timestamp }: FeedEvent) => (!types || types.includes(type)) && timestamp >= from
  const window = createWindow<FeedEvent>(progress, isWanted)

  const stopping = new AbortController()
  const { signal } = stopping
  const end = () => stopping.abort(ENDED)
  const screen = createScreen(session, options.isPrinted)
  const sender = createSender({ address, secret, screen, signal, failed: stored?.failed ?? [] })
  const client = await session.connect().client()
  const begin = since || stored ? progress.cursor : 'now'
  await greet(session, place, address && secret)
  const isAsked = stored !== undefined && !since && terminal.stdin.isTTY === true && !json
  const listener = listenerOf(place)
  const after = isAsked ? await askAboutMissed(session, client, window, { begin, listener }) : begin
  const save = createSaver(() => writeState(file, place, { ...window.progress(), failed: sender.failed() }))
  if (isAsked) await save()
  let isExpected = false
  const forwarder = createForwarder(window, {
    pages: pagesOf(session, client, { after, listener, signal, onConnection: screen.connection }),
    async send(event) {
      const outcome = await sender.send(event)
      if (outcome === 'delivered' && event.type === expect) {
        isExpected = true
        end()
      }
      return outcome !== 'unknown'
    },
    save,
    stopping,
  })
  const again = () => {
    const last = sender.last()
    if (last) forwarder.repeat(last)
  }
  const stopKeys = onKeys(session, sender.last, { again, end, toggle: screen.toggle })
  const interrupted = terminal.interrupted()
  interrupted.addEventListener('abort', end)
  if (interrupted.aborted) end()
  const timer = forMs === undefined ? undefined : setTimeout(end, forMs)
  try {
    await forwarder.run()
  } catch (error) {
    if (error !== ENDED) throw error
  } finally {
    clearTimeout(timer)
    interrupted.removeEventListener('abort', end)
    stopKeys()
  }
  return isExpected
}

async function greet({ print, connect, terminal }: Session, { profile, address }: Place, secret: string | undefined) {
  const { url, isLive } = connect()
  const where = (await isLive()) ? print.paintNote('red', `${profile} (live)`) : profile
  print.note(`Listening at ${url} as ${where}${secret ? `, forwarding to ${address}` : ''}`)
  if (secret) print.note(`The secret of your receiver: ${print.paintNote('bold', secret)}`)
  if (terminal.stdin.isTTY) print.note('Keys: r again, e only errors, o open the matter, c copy the event, q quit')
}

/** What was published since the last time is read, and the person decides. Returns where to go on. */
async function askAboutMissed(
  { terminal }: Session,
  client: Lodgeway,
  window: Window<FeedEvent>,
  { begin, listener }: { begin: string | undefined; listener: string },
): Promise<string | undefined> {
  let after = begin
  for (let isMore = true; isMore; ) {
    const query = { listener, limit: PAGE_RECORDS, ...(after && { after }) }
    const page = await client.readEvents({ query }).catch((error: unknown) => {
      if (isUnknownCursor(error)) return undefined // following it finds the same, and says so
      throw error
    })
    if (!page) return begin
    window.add(page)
    after = page.nextCursor
    isMore = page.records.length > 0
  }
  const missed = window.waiting()
  if (missed === 0) return after
  const questions = openQuestions(terminal)
  const many = missed === 1 ? '1 event' : `${missed} events`
  const answer = await questions
    .ask(`${many} since you last listened: [s]end, [k]eep for later, [d]rop? `)
    .finally(questions.close)
  if (/^k/i.test(answer)) window.setAside('kept')
  if (/^d/i.test(answer)) window.setAside('settled')
  return after
}

const isUnknownCursor = (error: unknown) => isApiError(error, 400) && error.messageAt('after') !== undefined

/** The feed, and all of it again if the service does not know the place any more: it was reset, or that was too long ago. */
async function* pagesOf({ print }: Session, client: Lodgeway, options: FollowOptions) {
  try {
    yield* client.follow(options)
  } catch (error) {
    if (!isUnknownCursor(error)) throw error
    print.note('The feed begins anew: the service was reset, or this was too long ago. Listening from its beginning.')
    yield* client.follow({ ...options, after: undefined })
  }
}
