import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, JOB_LIMITS, openDb } from '../../../src/platform/database/db.ts'
import { type Receiver, startReceiver } from '../../fakes/receiver.ts'
import { S3_CREDENTIALS, type S3Server, startS3 } from '../../fakes/s3.ts'
import { type ProofDatabase, proofDatabase } from '../proof-database.ts'
import { type Nodes, nodesIn } from './nodes.ts'

// Nodes that serve and nodes that work, PostgreSQL, a store of files, a receiver of webhooks, and a clock that is fast, all on
// this machine.

export type Stage = {
  folder: string
  dataDir: string
  owner: Db
  blobs: S3Server
  receiver: Receiver
  /** How the receiver fails. */
  faulty: { hangs: boolean; share: number }
  nodes: Nodes
  clock: FastClock
  stop(): Promise<void>
}

export type FastClock = ReturnType<typeof fastClock>

type Options = {
  names: readonly string[]
  settings?: Record<string, string>
  /** Where the nodes find PostgreSQL, if not at its own address. */
  via?: (postgres: ProofDatabase) => Promise<string>
}

const TICK_MS = 200
const HANG_MS = 30_000

export async function startStage({ names, settings = {}, via }: Options): Promise<Stage> {
  const undo: (() => unknown)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'lodgeway-soak-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    const postgres = await proofDatabase(folder, { max_connections: '400', ...settings })
    undo.push(() => postgres.stop())
    const owner = openDb({ url: postgres.ownerUrl, poolSize: 4, limits: JOB_LIMITS })
    undo.push(() => owner.close())
    const blobs = await startS3(join(folder, 'blobs'))
    undo.push(() => blobs.close())
    const faulty = { hangs: false, share: 0 }
    const receiver = await startReceiver(() => {
      receiver.received.length = 0 // they are counted in the database
      return { status: Math.random() < faulty.share ? 500 : 204, afterMs: faulty.hangs ? HANG_MS : 0 }
    })
    undo.push(() => receiver.stop())
    const nodes = nodesIn(folder, {
      DATABASE_URL: (await via?.(postgres)) ?? postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      DATA_DIR: dataDir,
      BLOB_URL: blobs.url,
      ...S3_CREDENTIALS,
      PORT: '0',
      ADMIN_PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '0',
    })
    undo.push(() => nodes.stop())
    const [first = '', ...others] = names
    await nodes.start(first) // it creates the sandbox's accounts
    await Promise.all(others.map((name) => nodes.start(name)))
    const clock = fastClock(owner)
    undo.push(() => clock.stop())
    return { folder, dataDir, owner, blobs, receiver, faulty, nodes, clock, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The clock of the business runs faster than that of the machine. Only the database knows it; the nodes follow. */
function fastClock(owner: Db) {
  let offsetMs = 0
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)
  return {
    now: () => new Date(Date.now() + offsetMs),
    /** From now on, a day takes so long, and longer while it is held up. */
    run(dayMs: number, isHeldUp = () => false) {
      stop()
      timer = setInterval(() => {
        if (isHeldUp()) return
        offsetMs += TICK_MS * (86_400_000 / dayMs - 1)
        owner.query('update service_state set clock_offset_ms = $1', [offsetMs]).catch(() => {}) // the next one has it
      }, TICK_MS)
    },
    stop,
  }
}
