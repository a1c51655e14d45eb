import { unavailable } from '../errors.ts'
import type { CheckLimits } from './children.ts'
import { reasonAtTheGate } from './gate.ts'
import { type Keeper, startKeeper } from './keepers.ts'
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
const CHECKS_MAX = 100
const TRIES_MAX = 2

/** Starts no process before the first check. */
export function openPdfChecker(limits: PdfLimits, checkLimits: Partial<CheckLimits> = {}): PdfChecker {
  const given = { limits, checkLimits: { ...CHECK, ...checkLimits } }
  let keeper: Keeper | undefined
  let checks = 0
  let isClosed = false

  return {
    async check(path) {
      const reason = await reasonAtTheGate(path)
      if (reason !== undefined) return { ok: false, reason }
      if (checks >= CHECKS_MAX) throw unavailable('Too many files are being checked. Try again in a moment.')
      checks += 1
      try {
        return await judged(path)
      } finally {
        checks -= 1
      }
    },

    async close() {
      isClosed = true
      await keeper?.end()
    },
  }

  /** A keeper that is lost, for whatever reason, is replaced. */
  async function judged(path: string): Promise<PdfVerdict> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if (isClosed) break
      if (!keeper?.isAlive()) keeper = startKeeper(given)
      const verdict = await keeper.ask(path)
      if (verdict) return verdict
    }
    if (isClosed) throw new Error('The PDF checker is closed.')
    return { ok: false, reason: REASONS.abandoned }
  }
}
