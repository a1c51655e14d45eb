import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { type Child, startChild } from './children.ts'
import type { Given } from './keepers.ts'
import type { PdfVerdict } from './pdf.ts'
import { REASONS } from './unfit.ts'

const CHILDREN_MAX = Math.min(4, Math.max(2, availableParallelism()))
const TRIES_MAX = 2

/** Has files judged, a few at a time, by processes that are used again while they are fit. The others wait. */
export function openPool({ limits, checkLimits }: Given) {
  const children = new Set<Child>()
  const idle: Child[] = []
  const waiting: (() => void)[] = []
  let running = 0

  return {
    async check(path: string): Promise<PdfVerdict> {
      await turn()
      try {
        return await judged(path)
      } finally {
        passOn()
      }
    },

    kill(): void {
      for (const child of children) child.end()
    },
  }

  async function turn(): Promise<void> {
    if (running >= CHILDREN_MAX) return new Promise((resolve) => waiting.push(resolve))
    running += 1
  }

  function passOn(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  /** A child that is lost, for a reason other than the file, is replaced. */
  async function judged(path: string): Promise<PdfVerdict> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const child = await fitChild(dirname(path))
      const verdict = await child.ask({ path, limits }).finally(() => putBack(child))
      if (verdict) return verdict
    }
    return { ok: false, reason: REASONS.abandoned }
  }

  async function fitChild(folder: string): Promise<Child> {
    for (let child = idle.pop(); child; child = idle.pop()) {
      if (child.folder === folder && (await child.isFit())) return child
      await end(child)
    }
    const child = startChild(folder, checkLimits)
    children.add(child)
    return child
  }

  async function putBack(child: Child): Promise<void> {
    if (await child.isFit()) idle.push(child)
    else await end(child)
  }

  async function end(child: Child): Promise<void> {
    children.delete(child)
    await child.end()
  }
}
