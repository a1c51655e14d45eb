/**
 * How often and how long to retry. Every option has a default.
 *
 * @example
 * ```ts
 * import { createClient, type RetryOptions } from '@lodgeway/client'
 *
 * const retry: RetryOptions = { attempts: 3, totalMs: 10_000 }
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret', retry })
 * ```
 */
export interface RetryOptions {
  /** The number of attempts, including the first. Default: 8. With 1 nothing is retried. */
  attempts?: number | undefined
  /** The wait before the second attempt, in milliseconds. It doubles with each attempt. Default: 200. */
  firstMs?: number | undefined
  /** The longest wait between attempts, in milliseconds, unless `Retry-After` asks for more. Default: 5,000. */
  longestMs?: number | undefined
  /** No attempt starts after this time, in milliseconds. Default: 60,000. */
  totalMs?: number | undefined
}

export type RetryPolicy = { attempts: number; firstMs: number; longestMs: number; totalMs: number }

export const policyOf = (options: RetryOptions = {}): RetryPolicy => ({
  attempts: options.attempts ?? 8,
  firstMs: options.firstMs ?? 200,
  longestMs: options.longestMs ?? 5_000,
  totalMs: options.totalMs ?? 60_000,
})

/**
 * How long to wait after this attempt. Half of the wait is random, to spread callers that failed together. It is never
 * shorter than `Retry-After`.
 */
export function waitAfter(
  attempt: number,
  { firstMs, longestMs }: RetryPolicy,
  retryAfterMs = 0,
  chance = Math.random(),
): number {
  const longest = Math.min(firstMs * 2 ** (attempt - 1), longestMs)
  return Math.max(retryAfterMs, 0) + longest * (0.5 + chance / 2)
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Waits. When the signal is aborted, its reason is thrown. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
