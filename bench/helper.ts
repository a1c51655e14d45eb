import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

// A part of a measurement that runs in a process of its own and is asked one question at a time.

export type Helper = {
  ask<Answer>(name: string, given?: unknown): Promise<Answer>
  /** The processor time that it has used so far, in microseconds. */
  cpuMicros(): Promise<number>
  /** What it holds of the machine's memory now. */
  memoryBytes(): Promise<number>
  stop(): Promise<void>
}

type Reply = { answer: unknown } | { failure: string }

const STOP_MS_MAX = 20_000

export function startHelper(file: string, { env = {}, nodeOptions = [] }: HelperOptions = {}): Helper {
  const child = fork(resolve(import.meta.dirname, file), {
    execArgv: [...nodeOptions],
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const lost = gone.then(() => Promise.reject(new Error(`${file} ended before it had answered.`)))
  lost.catch(() => {})

  async function ask<Answer>(name: string, given?: unknown): Promise<Answer> {
    child.send({ name, given })
    const [reply] = (await Promise.race([once(child, 'message'), lost])) as [Reply]
    if ('failure' in reply) throw new Error(`${file}: ${reply.failure}`)
    return reply.answer as Answer
  }

  return {
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

type Answers = Record<string, (given: never) => Promise<unknown>>

/** The other end: answers until the parent lets go, or is gone. */
export function answerParent(answers: Answers, stop: () => Promise<unknown> = async () => {}): void {
  const known: Answers = { ...answers, cpu: async () => cpuMicros(), memory: async () => process.memoryUsage.rss() }
  process.on('message', async ({ name, given }: { name: string; given: never }) => {
    const answer = known[name] ?? (() => Promise.reject(new Error(`There is no question "${name}".`)))
    const reply: Reply = await answer(given).then(
      (answer) => ({ answer }),
      (error: Error) => ({ failure: error.stack ?? error.message }),
    )
    process.send?.(reply)
  })
  process.once('disconnect', async () => {
    await stop()
    process.exit()
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // the parent tidies up in order
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
