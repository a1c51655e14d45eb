import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addSubscriber } from '../../src/auth/manage.ts'
import { recordEvent } from '../../src/events/record.ts'
import { newSharedSecret } from '../../src/notifications/sign.ts'
import { insertRegistration } from '../../src/notifications/store.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { openVault } from '../../src/platform/vault.ts'
import { type Received, type Receiver, startReceiver } from '../fakes/receiver.ts'
import { BASE_ENV, endProcess } from '../fixtures/process.ts'
import { proofDatabase } from './proof-database.ts'

export type WebhookFigures = {
  events: number
  kills: number
  delivered: number
  attempts: number
  failedByTheReceiver: number
  repeatedAfterSuccess: number
  outOfOrder: number
  secondsAfterTheLastKill: number
}

const DISPATCHER = fileURLToPath(import.meta.resolve('./dispatcher.ts'))
const PEPPER = 'p'.repeat(32)
const LIFE_MS = { least: 600, most: 2_400 }
const END_MS_MAX = 300_000

/** A receiver that fails half the time, a dispatcher that is killed again and again, and events written meanwhile. */
export async function proveWebhooks({ kills, events }: { kills: number; events: number }): Promise<WebhookFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-proof-'))
  const postgres = await proofDatabase(folder)
  const accepted: Received[] = []
  const receiver = await startReceiver((one) => {
    if (Math.random() < 0.5) return { status: 500 }
    accepted.push(one)
    return {}
  })
  const db = openDb({ url: postgres.url })
  try {
    const subscriberId = await register(db, receiver.url)
    const writingMs = (kills * (LIFE_MS.least + LIFE_MS.most)) / 2
    const [written] = await Promise.all([
      writeEvents(db, subscriberId, events, writingMs),
      killAgainAndAgain(postgres.url, kills),
    ])
    const lastKillAt = performance.now()
    const survivor = startDispatcher(postgres.url)
    await untilNothingWaits(db)
    const secondsAfterTheLastKill = Math.round((performance.now() - lastKillAt) / 100) / 10
    await kill(survivor)
    return { ...figuresOf(receiver, accepted, written), events, kills, secondsAfterTheLastKill }
  } finally {
    await db.close()
    await receiver.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function register(db: Db, webhookURI: string): Promise<string> {
  const at = new Date()
  const actor = { actingUser: 'proof', correlationId: 'proof', at }
  const registrationId = randomUUID()
  return db.transaction(async (tx) => {
    const lender = { name: 'A lender', kind: 'LENDER', fourEyes: true, reports: true } as const
    const { subscriberId } = addSubscriber(tx, lender, actor)
    const eventTypes = ['WORKSPACE_CREATED' as const]
    const rest = { eventTypes, status: 'VERIFIED' as const, sharedSecretExpiry: at, createdAt: at }
    const sealed = openVault(PEPPER).seal(newSharedSecret(), registrationId)
    insertRegistration(tx, { registrationId, subscriberId, webhookURI, ...rest }, sealed)
    return subscriberId
  })
}

/** The references of each workspace's events, in the order in which they were committed. */
async function writeEvents(
  db: Db,
  subscriberId: string,
  events: number,
  forMs: number,
): Promise<Map<string, string[]>> {
  const workspaces = Array.from({ length: Math.round(Math.sqrt(events / 2)) }, () => randomUUID())
  const written = new Map(workspaces.map((workspaceId): [string, string[]] => [workspaceId, []]))
  const beganAt = performance.now()
  for (let event = 0; event < events; event++) {
    const workspaceId = workspaces[event % workspaces.length] ?? ''
    const reference = `event ${event}`
    const actor = { correlationId: reference, at: new Date() }
    const recipients = [subscriberId]
    await db.transaction(async (tx) =>
      recordEvent(tx, { type: 'WORKSPACE_CREATED', workspaceId, recipients, reference }, actor),
    )
    written.get(workspaceId)?.push(reference)
    await delay(Math.max(0, beganAt + (event / events) * forMs - performance.now()))
  }
  return written
}

async function killAgainAndAgain(url: string, kills: number): Promise<void> {
  for (let killed = 0; killed < kills; killed++) {
    const dispatcher = startDispatcher(url)
    await delay(LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least))
    await kill(dispatcher)
  }
}

function startDispatcher(url: string): ChildProcess {
  const env = { ...BASE_ENV, DATABASE_URL: url, SECRET_PEPPER: PEPPER }
  return spawn(process.execPath, [DISPATCHER], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error('The dispatcher ended by itself.')
  await endProcess(child)
}

async function untilNothingWaits(db: Db): Promise<void> {
  const deadline = performance.now() + END_MS_MAX
  for (;;) {
    const [row] = await db.query<{ waiting: number }>(
      `select (select count(*) from notifications where status <> 'DELIVERED')
            + (select count(*) from events where unpublished) as waiting`,
    )
    if (row?.waiting === 0) return
    if (performance.now() > deadline) throw new Error(`${row?.waiting} events were not delivered.`)
    await delay(100)
  }
}

function figuresOf({ received }: Receiver, accepted: readonly Received[], written: ReadonlyMap<string, string[]>) {
  const bodies = new Map<string, string>()
  for (const { id, body } of received) {
    assert.equal(bodies.get(id) ?? body, body, 'the same webhook-id is the same event')
    bodies.set(id, body)
  }
  let outOfOrder = 0
  for (const [workspaceId, references] of written) {
    const places = received
      .filter(({ payload }) => payload.data['workspaceId'] === workspaceId)
      .map(({ payload }) => references.indexOf(payload.data['reference'] ?? ''))
    outOfOrder += places.filter((place, index) => place < (places[index - 1] ?? 0)).length
  }
  const delivered = new Set(accepted.map(({ id }) => id)).size
  return {
    delivered,
    attempts: received.length,
    failedByTheReceiver: received.length - accepted.length,
    repeatedAfterSuccess: accepted.length - delivered,
    outOfOrder,
  }
}
