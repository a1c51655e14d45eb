import { loadFactor } from './load.ts'
import type { Page } from './playwright.ts'

const LIMITS = {
  scriptBytes: 20_000,
  styleBytes: 15_000,
  requests: 6,
  calls: 7,
  layoutShift: 0.02,
  lcpMs: 600,
  slowLcpMs: 1_200,
}
const SLOWDOWN = 4
const TRIES = 3
const MARGIN = 0.8 // the load of the machine can change until all is compared

type Figure = keyof typeof LIMITS
export type Figures = Record<Figure, number>
type Measured = Omit<Figures, 'slowLcpMs'>
const NAMES = Object.keys(LIMITS) as Figure[]

/** What a page costs when nothing of it is kept from before. It stays open. */
export async function costOf(page: Page, path: string): Promise<Figures> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const load = async (slowdown: number) => {
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(path)
    await page.evaluate(PAINTED)
    // A page that is slowed down keeps the machine busy, also when it does nothing.
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    return page.evaluate<Measured>(MEASURE)
  }
  const again = (name: keyof Measured, slowdown: number) => async () => (await load(slowdown))[name]
  const first = await load(1)
  const lcpMs = await least('lcpMs', first.lcpMs, again('lcpMs', 1))
  // A change that arrives meanwhile moves a page, too.
  const layoutShift = await least('layoutShift', first.layoutShift, again('layoutShift', 1))
  // Slowed down four times, it takes at most four times as long: it is tried where that would be too long.
  const slowLcpMs = await least('slowLcpMs', lcpMs * SLOWDOWN, again('lcpMs', SLOWDOWN))
  await session.detach()
  return { ...first, lcpMs, layoutShift, slowLcpMs }
}

/** Each figure beyond its limit. */
export const overBudget = (figures: Figures): string[] =>
  NAMES.filter((name) => figures[name] > limitOf(name)).map(
    (name) => `${name} is ${figures[name]}, at most ${LIMITS[name]} on a quiet machine`,
  )

/** Those of time grow with what other processes ask of the machine. */
const limitOf = (name: Figure): number => LIMITS[name] * (name.endsWith('Ms') ? loadFactor() : 1)

export const worstOf = (all: readonly Figures[]): string =>
  NAMES.map((name) => `${name} ${Math.round(Math.max(...all.map((one) => one[name])) * 1_000) / 1_000}`).join(', ')

/** If it is too much, the best of three more. */
async function least(name: Figure, first: number, measure: () => Promise<number>): Promise<number> {
  let best = first
  for (let tried = 0; tried < TRIES && best > limitOf(name) * MARGIN; tried++) best = Math.min(best, await measure())
  return best
}

const PAINTED = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))'

const MEASURE = `(async () => {
  const observed = (type) => new Promise((resolve) => {
    const found = []
    const observer = new PerformanceObserver((list) => found.push(...list.getEntries()))
    observer.observe({ type, buffered: true })
    setTimeout(() => resolve([...found, ...observer.takeRecords()]), 50)
  })
  const [paints, shifts] = await Promise.all([observed('largest-contentful-paint'), observed('layout-shift')])
  const resources = performance.getEntriesByType('resource')
    // Without what a change since then brought.
    .filter(({ name }) => name.startsWith('http') && name !== location.href && !name.includes('/idiomorph.'))
  const bytes = (pattern) => resources.filter(({ name }) => pattern.test(name)).reduce((sum, one) => sum + one.encodedBodySize, 0)
  return {
    scriptBytes: bytes(/\\.js$/),
    styleBytes: bytes(/\\.css$/),
    requests: resources.length + 1,
    calls: document.querySelectorAll('#calls tbody tr').length,
    layoutShift: shifts.reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0),
    lcpMs: paints.length ? paints.at(-1).startTime : Number.POSITIVE_INFINITY,
  }
})()`
