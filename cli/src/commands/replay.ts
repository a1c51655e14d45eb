import { isApiError, type Lodgeway } from '../../../client/src/index.ts'
import { EXIT, Failure, misused } from '../failure.ts'
import { lock } from '../listen/lock.ts'
import { type FeedEvent, listenerOf, placeOf } from '../listen/place.ts'
import { createScreen } from '../listen/screen.ts'
import { createSender } from '../listen/sender.ts'
import { readState, sharedSecretOf, stateFile, writeState } from '../listen/state.ts'
import { withExamples } from '../program.ts'
import type { Session } from '../session.ts'
import { sinceOf } from '../since.ts'
import type { Define } from '../table.ts'
import { addressOf } from './listen.ts'

type Options = { failed?: true; since?: string; to?: string; secret?: string }

const PAGE_RECORDS = 100

export const define: Define = (command, run) => {
  command
    .description(
      'Sends events again. With --to, to a receiver on this machine: by the `listen` that runs for it, or from here. ' +
        'Without, to your registered webhooks, as far as a delivery failed, and to every `listen` that is connected.',
    )
    .argument('[event-id...]', 'the ids of events, as `lodgeway events` prints them')
    .option('--failed', 'those that were not delivered')
    .option('--since <when>', 'those from then on: 10m, 2h, 1d')
    .option('--to <address>', 'where your receiver listens, such as http://localhost:3000/hooks')
    .option('--secret <secret>', 'with --to: sign with this secret instead of the one of the profile')
  withExamples(command, [
    ['lodgeway replay 0b6d3c0e-4f0a-4c1e-9f0e-2b8f3a4d5c6b', ''],
    ['lodgeway replay --failed --to http://localhost:3000/hooks', 'what your receiver did not take'],
    ['lodgeway replay --since 2h', ''],
  ]).action(
    run(async (session, ids: string[], options: Options) => {
      if ([ids.length > 0, options.failed, options.since !== undefined].filter(Boolean).length !== 1) {
        throw misused('Give the ids of events, or --failed, or --since 2h.')
      }
      const client = await session.connect().client()
      if (options.to) return toAddress(session, client, ids, { ...options, to: addressOf(options.to) })
      await session.confirm('send events to your webhooks again')
      await toService(session, client, ids, options)
    }),
  )
}

/** To a receiver on this machine. If a `listen` runs for it, that one sends, so that the order is kept. */
async function toAddress(session: Session, client: Lodgeway, ids: string[], options: Options & { to: string }) {
  const { terminal } = session
  const place = placeOf(session.connect(), options.to)
  const file = stateFile(terminal.env, place)
  const stored = await readState(file)
  const wanted = options.failed ? (stored?.failed ?? []).map(({ id }) => id) : ids
  const events = await eventsOf(session, client, wanted, options.since)
  if (events.length === 0) throw new Failure(EXIT.refused, 'There is nothing to send again.')
  const held = await lock(file)
  if (!held) {
    await repeatFor(client, events, listenerOf(place))
    return report(session, { repeated: events.length, listeners: [listenerOf(place)] })
  }
  try {
    const secret = options.secret ?? (await sharedSecretOf(terminal.env, place))
    const failed = stored?.failed ?? []
    const sender = createSender({
      address: options.to,
      secret,
      screen: createScreen(session, false),
      signal: terminal.interrupted(),
      failed,
    })
    const outcomes = []
    for (const event of events) outcomes.push(await sender.send(event))
    if (stored) await writeState(file, place, { ...stored, failed: sender.failed() })
    if (outcomes.some((outcome) => outcome !== 'delivered')) throw new Failure(EXIT.failed, 'Not all were taken.')
  } finally {
    await held.release()
  }
}

/** To the registered webhooks where a delivery failed, and to every listener that is connected. */
async function toService(session: Session, client: Lodgeway, ids: string[], options: Options) {
  const listeners = (await client.listListeners()).records.filter(({ isConnected }) => isConnected)
  const names = listeners.map(({ name }) => name)
  const since =
    options.since === undefined ? undefined : await sinceOf(options.since, session.connect(), session.terminal)
  if (options.since !== undefined && !since?.from) throw misused('--since expects an age such as 2h.')
  const events = options.failed ? [] : await eventsOf(session, client, ids, options.since)
  const retried = options.failed
    ? await retryAll(client, {})
    : since?.from
      ? await retryAll(client, { createdSince: since.from.toISOString() })
      : await retryThese(client, events)
  for (const name of names) await repeatFor(client, events, name)
  const repeated = names.length > 0 ? events.length : 0
  if (retried + repeated === 0) {
    throw new Failure(EXIT.refused, 'There is no failed delivery of these, and no `lodgeway listen` is connected.')
  }
  report(session, { retried, repeated, listeners: names })
}

async function retryAll(client: Lodgeway, body: { createdSince?: string }): Promise<number> {
  let retried = 0
  for (let isMore = true; isMore; ) {
    const { count, hasMore } = await client.retryNotifications({ body })
    retried += count
    isMore = hasMore && count > 0
  }
  return retried
}

async function retryThese(client: Lodgeway, events: readonly FeedEvent[]): Promise<number> {
  let retried = 0
  for (const { id, data } of events) {
    const query = { limit: PAGE_RECORDS, ...(data.workspaceId && { workspace_id: data.workspaceId }) }
    for await (const { eventId, notificationId, status } of client.records('listNotifications', { query })) {
      if (eventId !== id || status === 'DELIVERED') continue
      const path = { notification_id: notificationId }
      retried += await client.retryNotification({ path }).then(
        () => 1,
        (error: unknown) => {
          if (isApiError(error, 409)) return 0 // delivered meanwhile
          throw error
        },
      )
    }
  }
  return retried
}

async function repeatFor(client: Lodgeway, events: readonly FeedEvent[], listener: string): Promise<void> {
  for (const { id } of events) await client.repeatEvent({ path: { event_id: id }, body: { listener } })
}

/** In the order in which they happened. */
async function eventsOf(session: Session, client: Lodgeway, ids: readonly string[], since: string | undefined) {
  const events: FeedEvent[] = []
  for (const id of ids) events.push(await client.getEvent({ path: { event_id: id } }))
  if (since === undefined) return events.sort((one, other) => one.timestamp.localeCompare(other.timestamp))
  const { after, from } = await sinceOf(since, session.connect(), session.terminal)
  const first = from?.toISOString() ?? ''
  for await (const event of client.records('readEvents', { query: { limit: PAGE_RECORDS, ...(after && { after }) } })) {
    if (event.timestamp >= first) events.push(event)
  }
  return events
}

type Done = { retried?: number; repeated: number; listeners: readonly string[] }

function report({ print, json }: Session, done: Done) {
  if (json) return print.json(done)
  const { retried = 0, repeated, listeners } = done
  if (retried > 0)
    print.line(`${retried === 1 ? '1 delivery is' : `${retried} deliveries are`} sent to your webhooks again.`)
  if (repeated > 0)
    print.line(`${repeated === 1 ? '1 event goes' : `${repeated} events go`} again to ${listeners.join(', ')}.`)
}
