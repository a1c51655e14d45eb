import { execFile, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PdfResult } from './pdf.ts'
import { tooMuchMemory, tooSlow } from './reasons.ts'
import type { WorkerReply, WorkerRequest } from './worker-process.ts'

/** A process that validates files of one folder, one at a time. It is ended when a check passes a limit. */
export type Worker = {
  folder: string
  /** Undefined where the process ended for a reason that, as far as we know, is not the file. */
  validate(request: WorkerRequest): Promise<PdfResult | undefined>
  /** Whether it can take another file: it is alive, has not had too many, and does not hold too much memory. */
  canContinue(): Promise<boolean>
  end(): Promise<void>
}

export type CheckLimits = { milliseconds: number; memoryBytes: number }

type Ended = { ended: string }

const ENTRY = join(import.meta.dirname, 'worker-process.ts')
// With the rights to this folder a worker starts in a third of the time. It gives them up before the first file, which an older
// Node cannot.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const CACHE = major > 24 || (major === 24 && minor >= 21) ? process.env['NODE_COMPILE_CACHE'] : undefined
const HEAP_MEGABYTES_MAX = 160
const WATCH_MS = 50
const LOW_PRIORITY = 10
const FILES_MAX = 500
const GROWTH_BYTES_MAX = 32_000_000
/** How V8 ends a process whose heap is full. */
const FULL_HEAP = ['SIGABRT', 'SIGTRAP', 'SIGILL']

export function startWorker(folder: string, { milliseconds, memoryBytes }: CheckLimits): Worker {
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc']
  const worker = fork(ENTRY, { execArgv: nodeOptions(folder), env: CACHE ? { NODE_COMPILE_CACHE: CACHE } : {}, stdio })
  worker.on('error', () => {}) // reported by `once` below
  if (worker.pid !== undefined) setPriority(worker.pid, LOW_PRIORITY)
  const gone = once(worker, 'exit').then(([code, signal]): Ended => ({ ended: signal ?? `exit code ${code}` }))
  const message = () => Promise.race([once(worker, 'message').then(([sent]) => sent as WorkerReply), gone])
  const bytesAtStart = message().then((first) => {
    if ('ended' in first) throw new Error(`The process that checks PDFs did not start: ${first.ended}.`)
    return residentBytes(worker.pid)
  })
  let files = 0

  return {
    folder,
    async validate(request) {
      files += 1
      await bytesAtStart
      let passed: string | undefined
      const stop = (reason: string) => {
        passed = reason
        worker.kill('SIGKILL')
      }
      const clock = setTimeout(stop, milliseconds, tooSlow(milliseconds))
      const watch = setInterval(async () => {
        if ((await residentBytes(worker.pid)) > memoryBytes) stop(tooMuchMemory(memoryBytes))
      }, WATCH_MS)
      worker.send(request, () => {}) // a worker that is gone shows below
      try {
        const reply = await message()
        if ('failure' in reply) throw new Error(reply.failure)
        if ('result' in reply) return reply.result
        if ('ended' in reply && FULL_HEAP.includes(reply.ended)) passed ??= tooMuchMemory(memoryBytes)
        return passed === undefined ? undefined : { ok: false, reason: passed }
      } finally {
        clearTimeout(clock)
        clearInterval(watch)
      }
    },

    async canContinue() {
      if (worker.pid === undefined || worker.killed || worker.exitCode !== null || worker.signalCode !== null)
        return false
      return files < FILES_MAX && (await residentBytes(worker.pid)) < (await bytesAtStart) + GROWTH_BYTES_MAX
    },

    async end() {
      worker.kill('SIGKILL')
      await gone.catch(() => {}) // it never started
    },
  }
}

/** A worker may read its own code and the files that it checks. It may not write, start processes or load native code. */
const nodeOptions = (folder: string) => [
  '--permission',
  `--allow-fs-read=${join(import.meta.dirname, '/')}`,
  `--allow-fs-read=${join(folder, '/')}`,
  ...(CACHE ? [`--allow-fs-read=${CACHE}`, `--allow-fs-write=${CACHE}`] : []),
  '--disallow-code-generation-from-strings',
  `--max-old-space-size=${HEAP_MEGABYTES_MAX}`,
  '--expose-gc',
]

/** How much of the machine's memory a process holds now; zero when it is gone. */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    return 1024 * Number(process.platform === 'linux' ? await kilobytesFromProc(pid) : await kilobytesFromPs(pid))
  } catch {
    return 0
  }
}

const kilobytesFromProc = async (pid: number | undefined) =>
  /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'

const kilobytesFromPs = async (pid: number | undefined) =>
  (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout
