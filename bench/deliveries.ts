import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { recordEvent } from '../server/src/events/record.ts'
import { guardedAgent, systemResolve } from '../server/src/notifications/connect.ts'
import { startPublisher } from '../server/src/notifications/feed.ts'
import { deliverJob } from '../server/src/notifications/jobs.ts'
import { post } from '../server/src/notifications/post.ts'
import { newSharedSecret, signedHeaders } from '../server/src/notifications/sign.ts'
import { insertRegistration } from '../server/src/notifications/store.ts'
import { PERSONAL_KEYS } from '../server/src/personal-data.ts'
import { type Db, openDb } from '../server/src/platform/database/db.ts'
import { realClock } from '../server/src/platform/jobs/clock.ts'
import { startTicker } from '../server/src/platform/jobs/due.ts'
import { openQueue } from '../server/src/platform/jobs/queue.ts'
import { createLogger } from '../server/src/platform/operations/log.ts'
import { openVault } from '../server/src/platform/vault.ts'
import type { Measurement, Side } from './harness.ts'
import { spreadOf } from './load.ts'
import { PEPPER, type Testbed } from './testbed.ts'

// From a backlog of events to receivers: published, claimed, signed, sent and saved, in order for each workspace. The limit
// signs and sends the same bodies to the same receiver, as many at a time, and stores nothing.

const REGISTRATIONS = 4
const AT_ONCE = 64
const PARTITIONS_EACH = 50
const PER_SECOND_GUESS = 300
const BATCH = 100
const SSRF_POLICY = 'public and loopback'

export async function deliveries(testbed: Testbed): Promise<Measurement> {
  const subscribers = testbed.callers.slice(0, REGISTRATIONS).map(({ subscriberId }) => subscriberId)
  const db = openDb({ url: testbed.databaseUrl, poolSize: 2 })
  testbed.onStop(() => db.close())
  await register(db, subscribers, testbed.raw.url)
  const prepare = () => testbed.raw.ask('respondWith', { status: 200, headers: [['content-length', '2']], body: 'ok' })
  const service = deliverSide(testbed, db, subscribers, prepare)
  return { name: 'deliveries', title: 'deliver an event', service, limits: [postSide(testbed, prepare)] }
}

/** One at a time: from the commit of an event to its arrival. */
export async function deliveryLatency(testbed: Testbed): Promise<Measurement> {
  const [subscriberId = ''] = testbed.callers.slice(REGISTRATIONS).map((one) => one.subscriberId)
  const db = openDb({ url: testbed.databaseUrl, poolSize: 2 })
  let arrived = () => {}
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => {
      response.end('ok')
      arrived()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  const uri = `http://127.0.0.1:${port}/`
  await register(db, [subscriberId], uri)
  testbed.onStop(async () => {
    receiver.closeAllConnections()
    receiver.close()
    await db.close()
  })

  const service: Side = {
    name: 'worker',
    async run(seconds) {
      const worker = await startWorker(testbed.databaseUrl)
      worker.begin()
      const times: number[] = []
      const endsAt = performance.now() + seconds * 1000
      while (performance.now() < endsAt) {
        const arrival = Promise.withResolvers<void>()
        arrived = arrival.resolve
        await fill(db, [subscriberId], 1)
        const committedAt = performance.now()
        await arrival.promise
        times.push(performance.now() - committedAt)
        await delay(20)
      }
      await worker.stop()
      const spread = spreadOf(times)
      return { perSecond: 1000 / spread.p50Ms, ...spread }
    },
  }
  return { name: 'delivery-latency', title: 'from the commit of an event to its arrival', service, limits: [] }
}

const register = (db: Db, subscribers: readonly string[], webhookURI: string) =>
  db.transaction(async (tx) => {
    const createdAt = new Date()
    for (const subscriberId of subscribers) {
      const registrationId = randomUUID()
      const rest = {
        webhookURI,
        eventTypes: ['WORKSPACE_CANCELLED' as const],
        status: 'VERIFIED' as const,
        sharedSecretExpiry: createdAt,
        createdAt,
      }
      const sealed = openVault(PEPPER).seal(newSharedSecret(), registrationId)
      insertRegistration(tx, { registrationId, subscriberId, ...rest }, sealed)
    }
  })

function deliverSide(testbed: Testbed, db: Db, subscribers: readonly string[], prepare: () => Promise<unknown>): Side {
  let perSecond = PER_SECOND_GUESS
  return {
    name: 'worker',
    async run(seconds) {
      await prepare()
      const count = Math.ceil((perSecond * seconds) / BATCH) * BATCH
      await fill(db, subscribers, count)
      const worker = await startWorker(testbed.databaseUrl)
      const before = process.cpuUsage()
      const startedAt = performance.now()
      worker.begin()
      while ((await waiting(db)) > 0) await delay(5)
      perSecond = count / ((performance.now() - startedAt) / 1000)
      const { user, system } = process.cpuUsage(before)
      await worker.stop()
      return { perSecond, cpuMicros: (user + system) / count }
    },
  }
}

async function fill(db: Db, subscribers: readonly string[], count: number): Promise<void> {
  const workspaces = Array.from({ length: PARTITIONS_EACH }, () => randomUUID())
  const actor = { correlationId: 'bench', at: new Date() }
  for (let from = 0; from < count; from += BATCH) {
    await db.transaction(async (tx) => {
      for (let event = from; event < Math.min(count, from + BATCH); event++) {
        const recipients = [subscribers[event % subscribers.length] ?? '']
        const workspaceId = workspaces[event % PARTITIONS_EACH] ?? ''
        recordEvent(tx, { type: 'WORKSPACE_CANCELLED', workspaceId, recipients, reference: 'REF-2026-000123' }, actor)
      }
    })
  }
}

const WAITING = `select (exists (select from notifications where status = 'PENDING')
  or exists (select from events where unpublished))::int as count`

async function waiting(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(WAITING)
  return row?.count ?? 0
}

/** As `lodgeway work` runs it, without the other jobs. */
async function startWorker(url: string) {
  const log = createLogger({ level: 'warn', personalKeys: PERSONAL_KEYS })
  const db = openDb({ url })
  const queue = await openQueue({ db, url, clock: realClock, log })
  const deps = { db, clock: realClock, vault: openVault(PEPPER), ssrfPolicy: SSRF_POLICY } as const
  await queue.work([deliverJob(deps) as never])
  const running: { stop(): Promise<void> }[] = []
  return {
    begin() {
      running.push(startTicker({ db, queue, clock: realClock, log }), startPublisher({ db, queue, log }))
    },
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
      await queue.stop()
      await db.close()
    },
  }
}

function postSide({ raw }: Testbed, prepare: () => Promise<unknown>): Side {
  const sender = { dispatcher: guardedAgent(SSRF_POLICY, systemResolve()), ssrfPolicy: SSRF_POLICY } as const
  const secret = newSharedSecret()
  const data = { workspaceId: randomUUID(), subscriberId: randomUUID(), reference: 'REF-2026-000123' }
  return {
    name: 'signed POSTs by undici alone',
    async run(seconds) {
      await prepare()
      const before = process.cpuUsage()
      const startedAt = performance.now()
      const endsAt = startedAt + seconds * 1000
      let sent = 0
      const send = async (): Promise<void> => {
        while (performance.now() < endsAt) {
          const id = randomUUID()
          const body = JSON.stringify({ id, type: 'WORKSPACE_CANCELLED', timestamp: new Date().toISOString(), data })
          const headers = signedHeaders([secret], { id, body, sentAt: new Date() })
          const { status, error } = await post(sender, { uri: raw.url, headers, body }, new Date())
          if (status !== 200) throw new Error(`The receiver answered ${status ?? error}.`)
          sent += 1
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, send))
      const { user, system } = process.cpuUsage(before)
      return { perSecond: sent / ((performance.now() - startedAt) / 1000), cpuMicros: (user + system) / sent }
    },
  }
}
