import { unavailable } from '../errors.ts'

/** Lets only `atOnceMax` callers run under the same key; the others wait in order, each for a limited time. */
export function createTurns({ atOnceMax, waitMsMax }: { atOnceMax: number; waitMsMax: number }) {
  const running = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()

  function leave(key: string): void {
    const [next] = waiting.get(key) ?? []
    if (next) {
      next()
      return
    }
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }

  /** Resolves with the function that ends the turn. */
  return async function enter(key: string): Promise<() => void> {
    const count = running.get(key) ?? 0
    if (count < atOnceMax) running.set(key, count + 1)
    else await wait(key)
    return () => leave(key)
  }

  function wait(key: string): Promise<void> {
    const queue = waiting.get(key) ?? new Set()
    waiting.set(key, queue)
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        queue.delete(go)
        if (queue.size === 0) waiting.delete(key)
      }
      const go = () => {
        end()
        resolve()
      }
      const timer = setTimeout(() => {
        end()
        reject(unavailable('Other changes of the same record are still under way. Nothing was done. Please try again.'))
      }, waitMsMax)
      queue.add(go)
    })
  }
}
