import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installed } from '../../../server/test/on-demand/on-demand.ts'
import type { Page } from './playwright.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const NARROW = { width: 320, height: 640 }

let axe: string | undefined

type Violation = { id: string; help: string; nodes: { target: unknown; failureSummary?: string }[] }

/**
 * What is wrong with a page: every rule in light, in the dark the contrast alone, and at 320 px contrast, size of targets and
 * whether one must scroll sideways. The page is left as it was.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  axe ??= await readFile(join(await installed(), 'node_modules/axe-core/axe.min.js'), 'utf8')
  await page.evaluate(axe)
  const found = [...(await run(page, 'light', { type: 'tag', values: TAGS }))]
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await run(page, 'dark', { type: 'rule', values: ['color-contrast'] })))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(NARROW)
  found.push(...(await run(page, '320 px', { type: 'rule', values: ['color-contrast', 'target-size'] })))
  const wide = await page.evaluate<string[]>(TOO_WIDE)
  found.push(...wide.map((element) => `320 px: one must scroll sideways because of ${element}`))
  await page.setViewportSize(size)
  return found
}

const TOO_WIDE = `document.documentElement.scrollWidth <= ${NARROW.width} ? [] : [...document.body.querySelectorAll('*')]
  .filter((one) => one.getBoundingClientRect().right > ${NARROW.width} && !one.closest('.scroll, .hidden'))
  .slice(0, 3).map((one) => one.cloneNode().outerHTML + one.textContent.trim().slice(0, 60))`

async function run(page: Page, mode: string, runOnly: { type: string; values: string[] }): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${options}).then(({ violations }) => ({ violations }))`,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${mode}: ${id} (${help}) at ${target}: ${failureSummary.trim()}`),
  )
}
