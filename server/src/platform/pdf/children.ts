import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Question, Reply } from './child.ts'
import { residentBytes } from './memory.ts'
import type { PdfVerdict } from './pdf.ts'
import { REASONS, tooHungry, tooSlow } from './unfit.ts'

/** A process that judges files of one folder, one at a time. One that passes the limits of a check is ended. */
export type Child = {
  folder: string
  ask(question: Question): Promise<PdfVerdict>
  /** Whether it can be asked again: it lives, has not been asked often, and is not swollen by what it was asked. */
  isFit(): Promise<boolean>
  end(): Promise<void>
}

export type CheckLimits = { milliseconds: number; memoryBytes: number }

type Ended = { ended: string }

const ENTRY = join(import.meta.dirname, 'child.ts')
const HEAP_MEGABYTES_MAX = 160
const WATCH_MS = 50
const ASKED_MAX = 500
const FIT_BYTES_MAX = 112_000_000
const BEHIND_ALL_OTHERS = 10

export async function startChild(folder: string, { milliseconds, memoryBytes }: CheckLimits): Promise<Child> {
  const child = fork(ENTRY, { execArgv: nodeOptions(folder), env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.on('error', () => {}) // whoever waits is told by `once`
  const gone = once(child, 'exit').then(([code, signal]): Ended => ({ ended: signal ?? `exit code ${code}` }))
  const message = () => Promise.race([once(child, 'message').then(([sent]) => sent as Reply), gone])

  const first = await message()
  if ('ended' in first) throw new Error(`The process that checks PDFs did not start: ${first.ended}.`)
  if (child.pid !== undefined) setPriority(child.pid, BEHIND_ALL_OTHERS)
  letGo()
  let asked = 0

  return {
    folder,
    async ask(question) {
      asked += 1
      let passed: string | undefined
      const stop = (reason: string) => {
        passed = reason
        child.kill('SIGKILL')
      }
      const clock = setTimeout(stop, milliseconds, tooSlow(milliseconds))
      const watch = setInterval(async () => {
        if ((await residentBytes(child.pid)) > memoryBytes) stop(tooHungry(memoryBytes))
      }, WATCH_MS)
      child.ref()
      child.channel?.ref()
      child.send(question, () => {}) // one that is gone already is found out below
      try {
        const reply = await message()
        if ('failure' in reply) throw new Error(reply.failure)
        if ('verdict' in reply) return reply.verdict
        // V8 gives up with a signal when its heap is full, and the kernel takes memory back with one.
        const isHungry = 'ended' in reply && reply.ended.startsWith('SIG')
        return { ok: false, reason: passed ?? (isHungry ? tooHungry(memoryBytes) : REASONS.abandoned) }
      } finally {
        clearTimeout(clock)
        clearInterval(watch)
        letGo()
      }
    },

    async isFit() {
      if (child.killed || child.exitCode !== null || child.signalCode !== null) return false
      return asked < ASKED_MAX && (await residentBytes(child.pid)) < FIT_BYTES_MAX
    },

    async end() {
      child.ref()
      child.kill('SIGKILL')
      await gone
    },
  }

  /** A child that waits keeps nobody from ending. */
  function letGo(): void {
    child.unref()
    child.channel?.unref()
  }
}

/** It may read its own code and the files that it judges, and write, start and load nothing. */
const nodeOptions = (folder: string) => [
  '--permission',
  `--allow-fs-read=${join(import.meta.dirname, '/')}`,
  `--allow-fs-read=${join(folder, '/')}`,
  '--disallow-code-generation-from-strings',
  `--max-old-space-size=${HEAP_MEGABYTES_MAX}`,
  '--expose-gc',
]
