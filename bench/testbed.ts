import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSigningKey, readSigningKeys, type SigningKeys } from '../server/src/auth/keys.ts'
import { addClient, addSubscriber } from '../server/src/auth/manage.ts'
import { ALL_SCOPES } from '../server/src/auth/scopes.ts'
import { readConfig } from '../server/src/config.ts'
import { migrateIfNeeded, openDatabase } from '../server/src/database.ts'
import { type Db, openDb } from '../server/src/platform/database/db.ts'
import { type Helper, startHelper } from './helper.ts'
import { exchange, requestBytes } from './load.ts'
import type { Start } from './service.ts'

/** The basis of a measurement: a fresh PostgreSQL that syncs to disk, the service, and the raw limit to compare with. */
export type Testbed = {
  service: Helper & { url: string }
  raw: Helper & { url: string }
  /** The superuser of the database, for seeding and for checkpoints. */
  owner: Db
  /** The URL with which the service connects. */
  databaseUrl: string
  ownerUrl: string
  /** Another service on a database of the same server, until it is stopped. */
  start(how: Start, databases?: { url: string; ownerUrl: string }): Promise<Helper & { url: string }>
  /** Where the service stores its files. */
  dataDir: string
  keys: SigningKeys
  /** One client of each of many subscribers, because an audit chain allows one writer at a time. */
  callers: readonly Caller[]
  /** Undoes what a measurement created, when the testbed stops. */
  onStop(step: () => Promise<unknown>): void
  stop(): Promise<void>
}

export type Caller = { subscriberId: string; clientId: string; secret: string; token: string }

export const CALLERS = 20
const SUBSCRIBER_IDS = '30000000-0000-4000-8000-'
/** As in the start command of the service. */
export const START_FLAGS = ['--no-allocation-site-pretenuring', '--max-semi-space-size=8']
/** The cache that the start command uses: without it, what translates TypeScript stays in memory. */
const COMPILED = join(tmpdir(), 'node-compile-cache')
export const PEPPER = 'p'.repeat(32)

export async function startTestbed({ profileFolder }: { profileFolder?: string | undefined } = {}): Promise<Testbed> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-bench-'))
    undo.push(() => rm(dataDir, { recursive: true, force: true }))
    const signingKeys = JSON.stringify(await generateSigningKey())
    const settings = {
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      SECRET_PEPPER: PEPPER,
      REGISTRY: 'simulator',
      PAYMENTS: 'simulator',
      CONSOLE: 'on',
      CONSOLE_LINKS: 'on',
      SIGNING_KEYS: signingKeys,
    }
    const database = await openDatabase(readConfig(settings, { sandbox: false, part: 'serve' }), 'own')
    undo.push(() => database.stop())
    await migrateIfNeeded(database)
    const owner = openDb({ url: database.ownerUrl, poolSize: 2 })
    undo.push(() => owner.close())
    const known = await seedCallers(owner)

    const start: Testbed['start'] = async (how, { url, ownerUrl } = database) => {
      const helper = startHelper('service.ts', {
        env: { ...settings, NODE_COMPILE_CACHE: COMPILED, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl },
        nodeOptions: [...START_FLAGS, ...(profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [])],
      })
      undo.push(() => helper.stop())
      return { ...helper, url: await helper.ask<string>('start', how) }
    }
    const service = await start({ as: 'serve' })
    const bare = startHelper('raw-http.ts')
    undo.push(() => bare.stop())
    const raw = { ...bare, url: await bare.ask<string>('start') }
    const callers = await Promise.all(
      known.map(async (caller) => ({ ...caller, token: await fetchToken(service.url, caller) })),
    )
    const onStop = (step: () => Promise<unknown>) => void undo.push(step)
    const keys = await readSigningKeys(signingKeys)
    return {
      service,
      raw,
      start,
      owner,
      databaseUrl: database.url,
      ownerUrl: database.ownerUrl,
      dataDir,
      keys,
      callers,
      onStop,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const seedCallers = (db: Db): Promise<Omit<Caller, 'token'>[]> =>
  db.transaction(async (tx) => {
    const longAgo = new Date(Date.now() - 60 * 86_400_000) // so that they have reports of yesterday
    const actor = { actingUser: 'bench', correlationId: 'bench', at: longAgo }
    return Array.from({ length: CALLERS }, (_, index) => {
      const subscriberId = `${SUBSCRIBER_IDS}${String(index + 1).padStart(12, '0')}`
      addSubscriber(tx, { subscriberId, name: 'A lender', kind: 'LENDER', fourEyes: true, reports: true }, actor)
      return { subscriberId, ...addClient(tx, PEPPER, { subscriberId, scopes: ALL_SCOPES }, actor) }
    })
  })

/** The bytes of a token request, as most client libraries send it. */
export function tokenRequest({ clientId, secret }: Pick<Caller, 'clientId' | 'secret'>): Buffer {
  const headers = {
    Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  }
  return requestBytes('POST', '/oauth/token', headers, 'grant_type=client_credentials')
}

export async function fetchToken(url: string, caller: Pick<Caller, 'clientId' | 'secret'>): Promise<string> {
  const { status, body } = await exchange(url, tokenRequest(caller))
  if (status !== 200) throw new Error(`No token: ${status} ${body}`)
  return JSON.parse(body).access_token
}
