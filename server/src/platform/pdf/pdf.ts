import { unavailable } from '../errors.ts'
import { findReason } from './preflight.ts'
import { REASONS } from './reasons.ts'
import { type Supervisor, startSupervisor } from './supervisor.ts'
import type { CheckLimits } from './worker.ts'

/** Checks whether a file is a PDF that may be stored. A hostile file can harm only the process that checks it. */
export type PdfChecker = {
  check(path: string): Promise<PdfResult>
  close(): Promise<void>
}

/** `reason` is a sentence for the client that sent the file. */
export type PdfResult = { ok: true; pages: number } | { ok: false; reason: string }

export type PdfLimits = {
  pagesMax: number
  /** How many bytes one stream of the file may unpack to. */
  unpackedBytesMax: number
}

const CHECK: CheckLimits = { milliseconds: 10_000, memoryBytes: 256_000_000 }
const CHECKS_MAX = 100
const TRIES_MAX = 2

/** No process is started before the first check. */
export function openPdfChecker(limits: PdfLimits, checkLimits: Partial<CheckLimits> = {}): PdfChecker {
  const options = { limits, checkLimits: { ...CHECK, ...checkLimits } }
  let supervisor: Supervisor | undefined
  let checks = 0
  let isClosed = false

  return {
    async check(path) {
      const reason = await findReason(path)
      if (reason !== undefined) return { ok: false, reason }
      if (checks >= CHECKS_MAX) throw unavailable('Too many files are being checked. Try again in a moment.')
      checks += 1
      try {
        return await validate(path)
      } finally {
        checks -= 1
      }
    },

    async close() {
      isClosed = true
      await supervisor?.end()
    },
  }

  /** A supervisor that ended, for whatever reason, is replaced. */
  async function validate(path: string): Promise<PdfResult> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if (isClosed) break
      if (!supervisor?.isAlive()) supervisor = startSupervisor(options)
      const result = await supervisor.check(path)
      if (result) return result
    }
    if (isClosed) throw new Error('The PDF checker is closed.')
    return { ok: false, reason: REASONS.aborted }
  }
}
