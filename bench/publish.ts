import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Line, type Results, reached, tableOf } from './lines.ts'

// Shows the results of a run in docs/performance.md: the table between two marks, and the plot.

const DOCS = resolve(import.meta.dirname, '../docs')
export const PAGE = resolve(DOCS, 'performance.md')
export const PLOT = resolve(DOCS, 'pictures/performance.svg')
const [BEGIN, END] = ['<!-- results -->\n', '<!-- end of results -->']

export async function publish(results: Results): Promise<void> {
  await writeFile(PAGE, pageWith(await readFile(PAGE, 'utf8'), results))
  await writeFile(PLOT, plotOf(results.lines))
}

export function pageWith(page: string, { takenAt, version, machine, lines }: Results): string {
  const [before, rest = ''] = page.split(BEGIN)
  const [, after = ''] = rest.split(END)
  const { cores, processor, memoryGiB, node, postgres } = machine
  const date = new Date(takenAt).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
  const others = Math.max(0, ...lines.map((line) => line.others ?? 0))
  const about = `Version ${version}, ${date}, on ${cores} cores (${processor}), ${memoryGiB} GiB, Node ${node}, PostgreSQL
${postgres}. Others (processes, or machines of the same host) used at most ${(others * 100).toFixed(0)} % of it.`
  return `${before}${BEGIN}${about}\n\n${tableOf(lines)}${END}${after}`
}

const [ROW, LEFT, WIDTH, MAX] = [22, 430, 400, 2.5]

/** How much of its goal each line reaches; the upright line is the goal. */
export function plotOf(lines: readonly Line[]): string {
  const bars = lines.flatMap((line) => {
    const share = reached(line)
    return share === undefined ? [] : [{ line, share }]
  })
  const height = (bars.length + 2) * ROW
  const goalAt = LEFT + WIDTH / MAX
  const rows = bars.map(({ line: { what, beside }, share }, index) => {
    const y = (index + 1) * ROW
    const name = beside ? `${what}, beside ${beside.name}` : what
    const width = (Math.min(share, MAX) / MAX) * WIDTH
    return `  <text x="${LEFT - 8}" y="${y + 15}" text-anchor="end">${escaped(name)}</text>
  <rect x="${LEFT}" y="${y + 3}" width="${width.toFixed(1)}" height="${ROW - 6}" fill="${share >= 1 ? '#2f6f5e' : '#b4532a'}"/>
  <text x="${(LEFT + width + 6).toFixed(1)}" y="${y + 15}">${share.toFixed(2)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 60}" height="${height}" font-family="sans-serif" font-size="12">
  <title>How much of its goal each figure reaches</title>
  <rect width="100%" height="100%" fill="#ffffff"/>
  <text x="${goalAt}" y="16" text-anchor="middle">the goal</text>
${rows.join('\n')}
  <line x1="${goalAt}" y1="${ROW}" x2="${goalAt}" y2="${height - ROW / 2}" stroke="#333333" stroke-dasharray="4 3"/>
</svg>
`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')
