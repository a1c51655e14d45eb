import { setTimeout as delay } from 'node:timers/promises'

const EVERY_MS = 10

/** Waits until something holds. What never came to hold is named. */
export async function eventually(holds: () => boolean | Promise<boolean>, forMs = 10_000): Promise<void> {
  const giveUpAt = performance.now() + forMs
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`This did not come to hold in ${forMs} ms: ${holds}`)
    await delay(EVERY_MS)
  }
}
