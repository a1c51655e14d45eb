import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endProcess } from '../../fixtures/process.ts'

// The nodes, each in its own process. The first of each kind lives as long as the run; the others are killed.

/** What a node says of itself. */
export type Said = { usedBytes: number; cpuMs: number }
export type NodeUse = { usedMb: number; rssMb: number; handles: number; cpuMs: number }

export type Nodes = {
  /** The addresses of those that serve. */
  urls(): readonly string[]
  start(name: string): Promise<void>
  /** As `kill -9`. */
  kill(name: string): Promise<void>
  /** The names of those that ended although nobody had killed them. */
  ended: readonly string[]
  /** Of the nodes that run, by their names. */
  use(): Promise<Record<string, NodeUse>>
  logBytes(): Promise<number>
  stop(): Promise<void>
}

const NODE = fileURLToPath(import.meta.resolve('./node.ts'))
/** As in the start commands; a collection can be asked for. */
const FLAGS = ['--no-allocation-site-pretenuring', '--max-semi-space-size=8', '--expose-gc']
/** Nodes are started often. */
const COMPILED = resolve(import.meta.dirname, '../../../../node_modules/.cache/compiled')
const ANSWER_MS_MAX = 30_000

type Running = { child: ChildProcess; url: string }

export function nodesIn(folder: string, env: Record<string, string>): Nodes {
  const running = new Map<string, Running>()
  const logOf = (name: string) => join(folder, `${name}.log`)
  const names = new Set<string>()
  const ended: string[] = []

  return {
    ended,
    urls: () => [...running.values()].map(({ url }) => url).filter(Boolean),

    async start(name) {
      names.add(name)
      const log = await open(logOf(name), 'a')
      const part = name.startsWith('serve') ? 'serve' : 'work'
      const child = spawn(process.execPath, [...FLAGS, NODE], {
        env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: COMPILED, ...env, PART: part },
        stdio: ['ignore', log.fd, log.fd, 'ipc'],
      })
      await log.close()
      const [ready] = await Promise.race([once(child, 'message'), once(child, 'exit')])
      if (typeof ready !== 'object' || ready === null) throw new Error(`${name} did not start: see ${logOf(name)}.`)
      running.set(name, { child, url: (ready as { url: string }).url })
      child.once('exit', () => {
        if (running.get(name)?.child === child && running.delete(name)) ended.push(name)
      })
    },

    async kill(name) {
      const child = running.get(name)?.child
      running.delete(name)
      await endProcess(child)
    },

    async use() {
      const used = [...running].map(async ([name, { child }]) => [name, await useOf(child)] as const)
      return Object.fromEntries((await Promise.all(used)).flatMap(([name, use]) => (use ? [[name, use]] : [])))
    },

    async logBytes() {
      const sizes = await Promise.all([...names].map((name) => stat(logOf(name)).then(({ size }) => size)))
      return sizes.reduce((sum, size) => sum + size, 0)
    },

    async stop() {
      const all = [...running.values()]
      running.clear()
      await Promise.all(all.map(({ child }) => endProcess(child)))
    },
  }
}

/** Undefined if it is killed meanwhile. */
async function useOf(child: ChildProcess): Promise<NodeUse | undefined> {
  try {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    child.send('memory', () => {}) // it may be gone
    const [{ usedBytes, cpuMs }] = (await answered) as [Said]
    const [status, handles] = await Promise.all([
      readFile(`/proc/${child.pid}/status`, 'utf8'),
      readdir(`/proc/${child.pid}/fd`),
    ])
    const rssMb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_000
    return { usedMb: usedBytes / 1e6, rssMb, handles: handles.length, cpuMs }
  } catch {
    return undefined
  }
}
