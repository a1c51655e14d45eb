import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../server/test/fixtures/ports.ts'
import { median } from './harness.ts'
import type { Line } from './lines.ts'
import { exchange } from './load.ts'
import { START_FLAGS, tokenRequest } from './testbed.ts'

// The sandbox as `npm start` runs it: from the start of the process to the first answered call, in a new folder and again in
// the same one, and the memory of an idle one. With another checkout beside it, both in turns.

const ROOT = resolve(import.meta.dirname, '..')
const GROUP = 'Start and memory of the sandbox'
const ROUNDS = 3
const POLL_MS = 20
const READY_MS_MAX = 120_000
const IDLE_MS = 15_000
const FIRST_SHARE_MAX = 0.7
const MEMORY_MB_MAX = 250
const CALLER = tokenRequest({ clientId: 'sandbox-lender', secret: 'sandbox-lender-secret' })

type Started = { seconds: number; pid: number; stop(): Promise<void> }
type Times = { first: number[]; later: number[] }

export async function startTimes(against: string | undefined): Promise<Line[]> {
  const roots = [ROOT, ...(against ? [resolve(against)] : [])]
  const times = roots.map((): Times => ({ first: [], later: [] }))
  let memoryMb = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, root] of roots.entries()) {
      const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-start-'))
      try {
        times[index]?.first.push(await startAndStop(root, dataDir))
        times[index]?.later.push(await startAndStop(root, dataDir))
        if (index === 0 && round === ROUNDS - 1) memoryMb = await idleMemory(dataDir)
      } finally {
        await rm(dataDir, { recursive: true, force: true })
      }
    }
  }
  const [own, other] = times
  return [
    lineOf('first start, to the first answered call', 'first', own, other, FIRST_SHARE_MAX),
    lineOf('later start, to the first answered call', 'later', own, other, 1),
    { group: GROUP, what: 'memory, idle', value: memoryMb, unit: 'MB', goal: { atMost: MEMORY_MB_MAX } },
  ]
}

function lineOf(
  what: string,
  name: keyof Times,
  own: Times | undefined,
  other: Times | undefined,
  shareMax: number,
): Line {
  const value = median(own?.[name] ?? [])
  const line: Line = { group: GROUP, what, value, unit: 's' }
  if (!other) return line
  const shares = (own?.[name] ?? []).map((seconds, round) => seconds / (other[name][round] ?? Number.NaN))
  const theirs = median(other[name])
  const spread = { share: value / theirs, lowest: Math.min(...shares), highest: Math.max(...shares) }
  return { ...line, beside: { name: 'the other version', value: theirs, ...spread }, goal: { atMost: shareMax } }
}

async function startAndStop(root: string, dataDir: string): Promise<number> {
  const { seconds, stop } = await startSandbox(root, dataDir)
  await stop()
  return seconds
}

/** Of service and worker, which are one process here; PostgreSQL and the checks of PDFs have others. */
async function idleMemory(dataDir: string): Promise<number> {
  const { pid, stop } = await startSandbox(ROOT, dataDir)
  try {
    await delay(IDLE_MS)
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6
  } finally {
    await stop()
  }
}

async function startSandbox(root: string, dataDir: string): Promise<Started> {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...START_FLAGS, join(root, 'server/src/main.ts'), 'dev'], {
    cwd: root,
    env: { PATH, HOME, PORT: String(port), ADMIN_PORT: '0', DATA_DIR: dataDir },
    stdio: 'ignore',
  })
  const gone = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
  }
  while (performance.now() - startedAt < READY_MS_MAX && child.exitCode === null) {
    const answer = await exchange(`http://127.0.0.1:${port}`, CALLER).catch(() => undefined)
    if (answer?.status === 200) return { seconds: (performance.now() - startedAt) / 1000, pid: child.pid ?? 0, stop }
    await delay(POLL_MS)
  }
  if (child.exitCode === null) await stop()
  throw new Error(`The sandbox of ${root} did not start.`)
}
