import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { freePort } from './ports.ts'

const MAIN = resolve(import.meta.dirname, '../../src/main.ts')
const READY_MS_MAX = 60_000

/** The service as an operator runs it: a process of its own, with its own PostgreSQL in its own folder. */
export type ServiceProcess = {
  url: string
  dataDir: string
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
  /** Asks its database as the owner, whether the service runs or not. */
  query<Row extends object>(text: string): Promise<Row[]>
  remove(): Promise<void>
}

export async function serviceProcess(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-process-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined

  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  return {
    url,
    dataDir,
    kill,
    async start() {
      const settings = { PORT: String(port), ADMIN_PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0', ...env }
      const { DATABASE_URL: _, ...inherited } = process.env
      child = spawn(process.execPath, [MAIN, 'dev'], {
        env: { ...inherited, ...settings },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let complaint = ''
      child.stderr?.on('data', (chunk) => {
        complaint += chunk
      })
      const patience = performance.now() + READY_MS_MAX
      while (!(await isReady(url))) {
        if (child.exitCode !== null || performance.now() > patience) throw new Error(`It did not start: ${complaint}`)
        await delay(25)
      }
    },
    async query(text) {
      const postgres = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), mode: 'share' })
      const { default: pg } = await import('pg')
      const client = new pg.Client({ connectionString: postgres.ownerUrl })
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
        await postgres.stop()
      }
    },
    async remove() {
      await kill('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Whether a service at this address wants requests. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status === 200
    },
    () => false,
  )
