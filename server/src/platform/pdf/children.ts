import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Question, Reply } from './child.ts'
import { residentBytes } from './memory.ts'
import type { PdfVerdict } from './pdf.ts'
import { tooHungry, tooSlow } from './unfit.ts'

/** A process that judges files of one folder, one at a time. One that passes the limits of a check is ended. */
export type Child = {
  folder: string
  /** Undefined where the process ended for a reason that has nothing to do with the file, as far as can be told. */
  ask(question: Question): Promise<PdfVerdict | undefined>
  /** Whether it can be asked again: it lives, has not been asked often, and is not swollen by what it was asked. */
  isFit(): Promise<boolean>
  end(): Promise<void>
}

export type CheckLimits = { milliseconds: number; memoryBytes: number }

type Ended = { ended: string }

const ENTRY = join(import.meta.dirname, 'child.ts')
const HEAP_MEGABYTES_MAX = 160
const WATCH_MS = 50
const BEHIND_ALL_OTHERS = 10
const ASKED_MAX = 500
const SWOLLEN_BYTES = 32_000_000
/** How V8 ends a process whose heap is full. */
const FULL_HEAP = ['SIGABRT', 'SIGTRAP', 'SIGILL']

export function startChild(folder: string, { milliseconds, memoryBytes }: CheckLimits): Child {
  const child = fork(ENTRY, { execArgv: nodeOptions(folder), env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.on('error', () => {}) // whoever waits is told by `once`
  if (child.pid !== undefined) setPriority(child.pid, BEHIND_ALL_OTHERS)
  const gone = once(child, 'exit').then(([code, signal]): Ended => ({ ended: signal ?? `exit code ${code}` }))
  const message = () => Promise.race([once(child, 'message').then(([sent]) => sent as Reply), gone])
  const bytesAtStart = message().then((first) => {
    if ('ended' in first) throw new Error(`The process that checks PDFs did not start: ${first.ended}.`)
    return residentBytes(child.pid)
  })
  let asked = 0

  return {
    folder,
    async ask(question) {
      asked += 1
      await bytesAtStart
      let passed: string | undefined
      const stop = (reason: string) => {
        passed = reason
        child.kill('SIGKILL')
      }
      const clock = setTimeout(stop, milliseconds, tooSlow(milliseconds))
      const watch = setInterval(async () => {
        if ((await residentBytes(child.pid)) > memoryBytes) stop(tooHungry(memoryBytes))
      }, WATCH_MS)
      child.send(question, () => {}) // to one that is gone already; that shows below
      try {
        const reply = await message()
        if ('failure' in reply) throw new Error(reply.failure)
        if ('verdict' in reply) return reply.verdict
        if ('ended' in reply && FULL_HEAP.includes(reply.ended)) passed ??= tooHungry(memoryBytes)
        return passed === undefined ? undefined : { ok: false, reason: passed }
      } finally {
        clearTimeout(clock)
        clearInterval(watch)
      }
    },

    async isFit() {
      if (child.pid === undefined || child.killed || child.exitCode !== null || child.signalCode !== null) return false
      return asked < ASKED_MAX && (await residentBytes(child.pid)) < (await bytesAtStart) + SWOLLEN_BYTES
    },

    async end() {
      child.kill('SIGKILL')
      await gone.catch(() => {}) // it was never there
    },
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
