import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// Every process that is started here is noted in a file, with the time of its start, so that a later `stop` finds it, and
// never signals another process that was given the same number.

export type Launch = { command: readonly string[]; env: Record<string, string>; cwd: string }

type Noted = { pid: number; startedAt: string }

export type Processes = {
  start(name: string, launch: Launch): Promise<void>
  /** One that was started elsewhere. */
  note(name: string, pid: number): Promise<void>
  runs(name: string): Promise<boolean>
  /** Those of its processes that run: its own, what it has started, and `more` of them with what they have started. */
  pids(name: string, more?: readonly number[]): Promise<number[]>
  signal(pids: readonly number[], signal: NodeJS.Signals): void
  /** Asks it to end, and kills it if it does not. */
  stop(name: string): Promise<void>
  noted(): Promise<string[]>
}

const STOP_MS_MAX = 40_000
const POLL_MS = 100

export function processesIn(folder: string): Processes {
  const fileOf = (name: string) => join(folder, 'run', name)

  async function find(name: string): Promise<number | undefined> {
    const text = await readFile(fileOf(name), 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    const { pid, startedAt } = JSON.parse(text) as Noted
    return (await statOf(pid))?.startedAt === startedAt ? pid : undefined
  }

  async function note(name: string, pid: number): Promise<void> {
    await mkdir(join(folder, 'run'), { recursive: true })
    await writeFile(fileOf(name), JSON.stringify({ pid, startedAt: (await statOf(pid))?.startedAt ?? '' }))
  }

  const processes: Processes = {
    note,

    async start(name, { command: [file = '', ...args], env, cwd }) {
      if (await find(name)) return
      await mkdir(join(folder, 'log'), { recursive: true })
      const log = await open(join(folder, 'log', `${name}.log`), 'a')
      try {
        // In a session of its own, which Ctrl-C in the terminal does not reach: they are stopped in order.
        const stdio: StdioOptions = ['ignore', log.fd, log.fd]
        const child = spawn(file, args, { env: { ...BASE, ...env }, cwd, stdio, detached: true })
        await once(child, 'spawn')
        child.unref()
        await note(name, child.pid ?? 0)
      } finally {
        await log.close()
      }
    },

    runs: async (name) => (await find(name)) !== undefined,

    async pids(name, more = []) {
      const own = await find(name)
      return withDescendants([...(own ? [own] : []), ...more])
    },

    signal(pids, signal) {
      for (const pid of pids) {
        try {
          process.kill(pid, signal)
        } catch {
          // it has ended
        }
      }
    },

    async stop(name) {
      const pid = await find(name)
      if (pid) {
        processes.signal([pid], 'SIGTERM')
        const deadline = performance.now() + STOP_MS_MAX
        while ((await find(name)) && performance.now() < deadline) await delay(POLL_MS)
        if (await find(name)) processes.signal(await withDescendants([pid]), 'SIGKILL')
      }
      await rm(fileOf(name), { force: true })
    },

    noted: () => readdir(join(folder, 'run')).catch(() => []),
  }
  return processes
}

const { PATH = '' } = process.env
const BASE = { PATH: `${PATH}:/usr/local/sbin:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8', TZ: 'UTC' }

type Stat = { pid: number; parent: number; startedAt: string }

/** Undefined where it does not run: a process that ended and was not waited for does not either. */
async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [state = '', parent = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? undefined : { pid, parent: Number(parent), startedAt: rest[17] ?? '' }
}

async function withDescendants(roots: readonly number[]): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const stats = (await Promise.all(pids.map(statOf))).filter((one) => one !== undefined)
  const found = new Set(stats.map(({ pid }) => pid).filter((pid) => roots.includes(pid)))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { pid, parent } of stats) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}
