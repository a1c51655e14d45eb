import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { unavailable } from '../http/errors.ts'
import { type CheckLimits, type Child, startChild } from './children.ts'
import { reasonAtTheGate } from './gate.ts'
import { REASONS } from './unfit.ts'

/** Judges whether a file is a PDF that may be kept. Whatever the file does, it does to a process of its own. */
export type PdfChecker = {
  check(path: string): Promise<PdfVerdict>
  close(): Promise<void>
}

/** `reason` is a sentence for the caller who sent the file. */
export type PdfVerdict = { ok: true; pages: number } | { ok: false; reason: string }

export type PdfLimits = {
  pagesMax: number
  /** What one stream of the file may unpack to. */
  unpackedBytesMax: number
}

const CHECK: CheckLimits = { milliseconds: 10_000, memoryBytes: 256_000_000 }
const CHILDREN_MAX = Math.min(4, Math.max(2, availableParallelism()))
const WAITING_MAX = 100
const IDLE_MS_MAX = 60_000
const TRIES_MAX = 2

/** Starts no process before the first check, and keeps none that has had nothing to do for a minute. */
export function openPdfChecker(limits: PdfLimits, checkLimits: Partial<CheckLimits> = {}): PdfChecker {
  const children = new Set<Child>()
  const idle: { child: Child; timer: NodeJS.Timeout }[] = []
  const waiting: PromiseWithResolvers<void>[] = []
  let running = 0
  let isClosed = false

  return {
    async check(path) {
      const reason = await reasonAtTheGate(path)
      if (reason !== undefined) return { ok: false, reason }
      await turn()
      try {
        return await judged(path)
      } finally {
        passOn()
      }
    },

    async close() {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(closed())
      await Promise.all([...children].map(end))
    },
  }

  async function turn(): Promise<void> {
    if (isClosed) throw closed()
    if (running < CHILDREN_MAX) {
      running += 1
      return
    }
    if (waiting.length >= WAITING_MAX) throw unavailable('Too many files are being checked. Try again in a moment.')
    const place = Promise.withResolvers<void>()
    waiting.push(place)
    await place.promise
  }

  function passOn(): void {
    const next = waiting.shift()
    if (next) next.resolve()
    else running -= 1
  }

  async function judged(path: string): Promise<PdfVerdict> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const child = await fitChild(dirname(path))
      const verdict = await child.ask({ path, limits }).finally(() => putBack(child))
      if (verdict) return verdict
      if (isClosed) throw closed()
    }
    return { ok: false, reason: REASONS.abandoned }
  }

  async function fitChild(folder: string): Promise<Child> {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      clearTimeout(kept.timer)
      if (kept.child.folder === folder && (await kept.child.isFit())) return kept.child
      await end(kept.child)
    }
    const child = startChild(folder, { ...CHECK, ...checkLimits })
    children.add(child)
    return child
  }

  async function putBack(child: Child): Promise<void> {
    if (isClosed || !(await child.isFit())) return end(child)
    const timer = setTimeout(() => end(child), IDLE_MS_MAX).unref()
    idle.push({ child, timer })
  }

  async function end(child: Child): Promise<void> {
    children.delete(child)
    await child.end()
  }
}

const closed = () => new Error('The PDF checker is closed.')
