import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

/** How many times longer things may take now, because other processes use the machine: 1 on a quiet one. */
export const loadFactor = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

const EVERY_MS = 25

/** Waits until it holds, for as long as the promise says and the machine's load adds. */
export async function within(ms: number, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await holds())) {
    const waited = performance.now() - began
    if (waited > ms * loadFactor()) throw new Error(`This did not hold within ${Math.round(waited)} ms: ${holds}`)
    await delay(EVERY_MS)
  }
}
