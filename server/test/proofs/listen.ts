import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { verifyWebhook } from '../../../client/src/webhooks.ts'
import { type Received, startReceiver } from '../fakes/receiver.ts'
import { eventually } from '../fixtures/eventually.ts'
import { BASE_ENV, endProcess } from '../fixtures/process.ts'

const CLI = resolve(import.meta.dirname, '../../../cli/src/main.ts')
const PROFILE = 'sandbox-lender'
const FAILS_EVERY = 3
const END_MS_MAX = 300_000

export type ListenFigures = {
  events: number
  kills: number
  delivered: number
  attempts: number
  failedByTheReceiver: number
  repeatedAfterSuccess: number
  outOfOrder: number
  badSignatures: number
}

type Parts = { url: string; query(text: string): Promise<object[]> }

/** A receiver that fails every third time, and a `lodgeway listen` that is killed again and again between two deliveries. */
export async function proveListen(
  { url, query }: Parts,
  { events, kills }: { events: number; kills: number },
): Promise<ListenFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-listen-'))
  const accepted: Received[] = []
  let attempts = 0
  const receiver = await startReceiver((one) => {
    attempts += 1
    if (attempts % FAILS_EVERY === 0) return { status: 500 }
    accepted.push(one)
    return {}
  })
  const start = () => startListener(url, receiver.url, folder)
  let listener = start()
  try {
    await eventually(async () => (await filesOf(folder)).some((name) => name.endsWith('.json')), 60_000)
    const written = await writeEvents(query, events)
    for (let killed = 0; killed < kills; killed += 1) {
      // Anywhere between two deliveries; so that all kills come before the last event.
      const more = 1 + Math.floor(Math.random() * (events / kills - 1))
      await receiver.until(receiver.received.length + more, END_MS_MAX)
      await delay(Math.random() * 20)
      await kill(listener)
      listener = start()
    }
    const ids = () => new Set(accepted.map(({ id }) => id))
    await eventually(() => ids().size >= events, END_MS_MAX)
    await kill(listener)
    return { events, kills, ...figuresOf(receiver.received, accepted, written, await secretIn(folder)) }
  } finally {
    await endProcess(listener)
    await receiver.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function startListener(url: string, address: string, folder: string): ChildProcess {
  const args = [CLI, 'listen', '--forward', address, '--types', 'WORKSPACE_UPDATED', '--profile', PROFILE, '--url', url]
  const env = { ...BASE_ENV, HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error('The listener ended by itself.')
  await endProcess(child)
}

const filesOf = async (folder: string) => readdir(join(folder, 'lodgeway', 'listen')).catch(() => [])

async function secretIn(folder: string): Promise<string> {
  const name = (await filesOf(folder)).find((one) => one.endsWith('.secret')) ?? assert.fail('no secret was stored')
  return (await readFile(join(folder, 'lodgeway', 'listen', name), 'utf8')).trim()
}

/** The references of each matter's events, in their order. A worker publishes them. */
async function writeEvents(query: Parts['query'], events: number): Promise<Map<string, string[]>> {
  const matters = Array.from({ length: Math.ceil(Math.sqrt(events / 2)) }, () => randomUUID())
  const written = new Map(matters.map((matter): [string, string[]] => [matter, []]))
  const rows = Array.from({ length: events }, (_, index) => {
    const matter = matters[index % matters.length] ?? ''
    written.get(matter)?.push(`event ${index}`)
    return `(${index}, '${matter}'::uuid)`
  })
  await query(
    `insert into events (event_id, type, workspace_id, told, data, actor, correlation_id, at, unpublished)
     select gen_random_uuid(), 'WORKSPACE_UPDATED', matter, array[subscriber_id],
            jsonb_build_object('reference', 'event ' || number), 'proof', 'proof', now(), true
       from (values ${rows.join(',')}) as rows (number, matter), clients where client_id = '${PROFILE}' order by number`,
  )
  return written
}

function figuresOf(
  received: readonly Received[],
  accepted: readonly Received[],
  written: ReadonlyMap<string, string[]>,
  secret: string,
) {
  const firsts = new Map(accepted.toReversed().map((one) => [one.id, one]))
  let outOfOrder = 0
  for (const [matter, references] of written) {
    const order = [...new Set(accepted.map(({ id }) => id))]
      .map((id) => firsts.get(id)?.payload.data)
      .filter((data) => data?.['workspaceId'] === matter)
      .map((data) => data?.['reference'])
    outOfOrder += order.filter((reference, place) => reference !== references[place]).length
  }
  return {
    delivered: firsts.size,
    attempts: received.length,
    failedByTheReceiver: received.length - accepted.length,
    repeatedAfterSuccess: accepted.length - firsts.size,
    outOfOrder,
    badSignatures: received.filter((one) => !isSigned(one, secret)).length,
  }
}

function isSigned({ headers, body, id }: Received, secret: string): boolean {
  const now = new Date(Number(headers['webhook-timestamp']) * 1_000)
  try {
    return verifyWebhook({ secret, headers, body, now }).id === id
  } catch {
    return false
  }
}
