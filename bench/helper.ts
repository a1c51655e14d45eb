import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

// A part of a measurement that runs in its own process and handles one request at a time.

export type Helper = {
  pid: number
  ask<Result>(name: string, input?: unknown): Promise<Result>
  /** The processor time that it has used so far, in microseconds. */
  cpuMicros(): Promise<number>
  /** The memory that it uses now. */
  memoryBytes(): Promise<number>
  stop(): Promise<void>
}

type Reply = { result: unknown } | { failure: string }

const STOP_MS_MAX = 20_000

export function startHelper(file: string, { env = {}, nodeOptions = [] }: HelperOptions = {}): Helper {
  const child = fork(resolve(import.meta.dirname, file), {
    execArgv: [...nodeOptions],
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const lost = gone.then(() => Promise.reject(new Error(`${file} ended before it responded.`)))
  lost.catch(() => {})

  async function ask<Result>(name: string, input?: unknown): Promise<Result> {
    child.send({ name, input })
    const [reply] = (await Promise.race([once(child, 'message'), lost])) as [Reply]
    if ('failure' in reply) throw new Error(`${file}: ${reply.failure}`)
    return reply.result as Result
  }

  return {
    pid: child.pid ?? 0,
    ask,
    cpuMicros: () => ask('cpu'),
    memoryBytes: () => ask('memory'),
    async stop() {
      const patience = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
      if (child.connected) child.disconnect()
      await gone
      clearTimeout(patience)
    },
  }
}

type HelperOptions = { env?: Record<string, string>; nodeOptions?: readonly string[] }

// Settings of the person who runs the bench must not change what is measured.
function inherited(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR }
}

type Handlers = Record<string, (input: never) => Promise<unknown>>

/** The other end: handles requests until the parent disconnects or ends. */
export function serveParent(handlers: Handlers, stop: () => Promise<unknown> = async () => {}): void {
  const all: Handlers = { ...handlers, cpu: async () => cpuMicros(), memory: async () => process.memoryUsage.rss() }
  process.on('message', async ({ name, input }: { name: string; input: never }) => {
    const handler = all[name] ?? (() => Promise.reject(new Error(`There is no handler "${name}".`)))
    const reply: Reply = await handler(input).then(
      (result) => ({ result }),
      (error: Error) => ({ failure: error.stack ?? error.message }),
    )
    process.send?.(reply)
  })
  process.once('disconnect', async () => {
    await stop()
    process.exit()
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // the parent stops its helpers in order
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
