import { createHash } from 'node:crypto'
import type { Db } from '../platform/database/db.ts'
import type { LodgedDocument, Lodgement, RequisitionReply } from '../registry/lodgement.ts'
import type { Documents, LodgeOutcome, NoticesOutcome, Registry, RegistryCall, ReplyOutcome } from '../registry/port.ts'
import { courseOf, type Received } from './course.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const FAILING_TITLE = 'SE100001'
const FAILURES = 2

/** The sandbox's registry stores lodgements in its own table, which no other part of the service reads. */
export const simulatedLodging = ({ db }: { db: Db }): Pick<Registry, 'lodge' | 'notices' | 'reply'> => ({
  async lodge(lodgement, call): Promise<LodgeOutcome> {
    const failsUntil = await findFailsUntil(db, lodgement, call)
    if (failsUntil) return { kind: 'later', askAgainAt: failsUntil, because: 'REGISTRY_UNAVAILABLE' }
    for (const { documents } of lodgement.applications) await readAll(documents, call)
    await store(db, lodgement, call)
    return { kind: 'received' }
  },

  async notices({ messageId, now }): Promise<NoticesOutcome> {
    const course = courseOf(await findReceived(db, messageId))
    const next = course.find(({ at }) => at > now)
    return { notices: course.filter(({ at }) => at <= now), ...(next && { askAgainAt: next.at }) }
  },

  async reply({ registryId, documents }: RequisitionReply, call): Promise<ReplyOutcome> {
    const { messageId, now } = call
    const received = await findReceived(db, messageId)
    if (received.replies[registryId] !== undefined) return { kind: 'received' }
    const soFar = courseOf(received).filter(({ at }) => at <= now)
    const isAsked = soFar.some((one) => one.kind === 'requisitioned' && one.registryId === registryId)
    if (!isAsked) throw new Error(`The registry has raised no requisition ${registryId} on ${messageId}.`)
    await readAll(documents, call)
    // The first of two answers counts.
    await db.query(
      `update simulated_lodgements set replies = jsonb_build_object($2::text, $3::text) || replies where message_id = $1`,
      [messageId, registryId, wholeMinute(now).toISOString()],
    )
    return { kind: 'received' }
  },
})

/** Times are whole minutes, so that a step one day later has happened when the clock is set to that day and hour. */
const wholeMinute = (at: Date) => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)

async function findFailsUntil(db: Db, lodgement: Lodgement, { now, firstAskedAt, messageId }: RegistryCall) {
  if (lodgement.titleNumber !== FAILING_TITLE) return undefined
  const others = await db.query(
    'select 1 from simulated_lodgements where customer_reference = $1 and message_id <> $2 limit 1',
    [lodgement.customerReference, messageId],
  )
  if (others.length) return undefined
  const hours = Array.from({ length: FAILURES }, (_, index) => (index + 1) * HOUR_MS)
  const ends = hours.map((ms) => new Date(wholeMinute(firstAskedAt).getTime() + ms))
  return ends.find((end) => end > now)
}

/** Fails where a document is missing or does not match its hash: it could not have been sent either. */
async function readAll(documents: readonly LodgedDocument[], { open }: Documents): Promise<void> {
  for (const { sha256, size } of documents) {
    const opened = await open(sha256)
    const hash = createHash('sha256')
    for await (const chunk of opened.stream) hash.update(chunk)
    if (opened.size !== size || hash.digest('hex') !== sha256) throw new Error(`The document ${sha256} is not whole.`)
  }
}

async function store(db: Db, lodgement: Lodgement, { messageId, now }: RegistryCall): Promise<void> {
  const content = JSON.stringify(lodgement)
  await db.query(
    `insert into simulated_lodgements (message_id, customer_reference, lodgement, received_at) values ($1, $2, $3, $4)
     on conflict (message_id) do nothing`,
    [messageId, lodgement.customerReference, content, wholeMinute(now)],
  )
  const same = await db.query('select 1 from simulated_lodgements where message_id = $1 and lodgement = $2', [
    messageId,
    content,
  ])
  if (!same.length) throw new Error(`Something else was lodged under the message id ${messageId}.`)
}

async function findReceived(db: Db, messageId: string): Promise<Received> {
  const [received] = await db.query<Received>(
    `select one.lodgement, one.seq as number, one.received_at as "receivedAt", one.replies, f.lodgement as first,
            f.received_at as "firstReceivedAt", f.message_id = one.message_id as "isFirst"
       from simulated_lodgements one
       join lateral (select message_id, lodgement, received_at from simulated_lodgements f
                      where f.customer_reference = one.customer_reference order by seq limit 1) f on true
      where one.message_id = $1`,
    [messageId],
  )
  if (!received) throw new Error(`Nothing was lodged under the message id ${messageId}.`)
  return received
}
