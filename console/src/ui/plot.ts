import { max } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { area, line, stack } from 'd3-shape'
import { html, type Markup } from './html.ts'

// Plots, drawn on the server: SVG whose colours are classes of the style, with the numbers as a table beside each.

export type Series = { label: string; values: readonly number[] }

type Cell = string | number | Markup

type Plot = {
  id: string
  title: string
  /** The plot in a sentence, for those who do not see it and those in a hurry. */
  says: string
  drawing: Markup
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
  high?: number
  /** Where the numbers can be downloaded. */
  csv?: string
}

export const plot = ({ id, title, says, drawing, columns, rows, high = HIGH, csv }: Plot): Markup =>
  html`<figure class="plot" id="${id}"><figcaption><h2>${title}</h2><p>${says}</p></figcaption>
<svg viewBox="0 0 ${WIDE} ${high}" role="img" aria-label="${title}: ${says}">${drawing}</svg>
<details><summary>${title} as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${columns.map(
    (column, index) => html`<th scope="col"${index > 0 && html` class="number"`}>${column}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, index) => html`<td${index > 0 && html` class="number"`}>${cell}</td>`)}</tr>`,
  )}</tbody></table></div></details>
${csv && html`<p><a href="${csv}" download>${title} as CSV</a></p>`}</figure>`

const [WIDE, HIGH] = [720, 260] as const
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 690, 26, 232] as const
const LABELS_MAX = 6
const TICKS = 4

/** Layers on each other, over neighbouring days. */
export function areas(labels: readonly string[], series: readonly Series[]): Markup {
  const rows = labels.map((_, index) => Object.fromEntries(series.map(({ values }, key) => [key, values[index] ?? 0])))
  const layers = stack<Record<string, number>>().keys(series.map((_, key) => String(key)))(rows)
  const y = verticalOf(max(layers.at(-1) ?? [], ([, top]) => top))
  const x = scaleLinear([0, Math.max(labels.length - 1, 1)], [LEFT, RIGHT])
  const shape = area<[number, number]>()
    .x((_, index) => x(index))
    .y0(([bottom]) => y(bottom))
    .y1(([, top]) => y(top))
  return html`${grid(y)}${layers.map((layer, key) => html`<path class="area s${key}" d="${shape(layer as never) ?? ''}"/>`)}
${under(labels, (index) => x(index))}${legend(series)}`
}

/** Lines over neighbouring days. */
export function lines(labels: readonly string[], series: readonly Series[]): Markup {
  const y = verticalOf(max(series.flatMap(({ values }) => values)))
  const x = scaleLinear([0, Math.max(labels.length - 1, 1)], [LEFT, RIGHT])
  const shape = line<number>()
    .x((_, index) => x(index))
    .y((value) => y(value))
  return html`${grid(y)}${series.map(({ values }, key) => html`<path class="line s${key}" d="${shape(values) ?? ''}"/>${values.map((value, index) => html`<circle class="dot s${key}" cx="${fixed(x(index))}" cy="${fixed(y(value))}" r="2.5"/>`)}`)}
${under(labels, (index) => x(index))}${legend(series)}`
}

type Mark = { label: string; at: number }

/** Columns side by side; `marks` are places between them, counted in columns from the left. */
export function columns(labels: readonly string[], values: readonly number[], marks: readonly Mark[] = []): Markup {
  const y = verticalOf(max(values))
  const x = scaleBand(
    labels.map((_, index) => String(index)),
    [LEFT, RIGHT],
  ).padding(0.15)
  const at = (index: number) => x(String(index)) ?? LEFT
  const place = ({ at: columns }: Mark) => LEFT + Math.min(columns / Math.max(labels.length, 1), 1) * (RIGHT - LEFT)
  return html`${grid(y)}${values.map((value, index) => html`<rect class="s0" x="${fixed(at(index))}" y="${fixed(y(value))}" width="${fixed(x.bandwidth())}" height="${fixed(BOTTOM - y(value))}"/>`)}
${marks.map((mark, index) => html`<line class="mark" x1="${fixed(place(mark))}" x2="${fixed(place(mark))}" y1="${TOP}" y2="${BOTTOM}"/><text x="${fixed(place(mark) + (isRight(place(mark)) ? -4 : 4))}" y="${TOP + 10 + index * 14}"${isRight(place(mark)) && html` text-anchor="end"`}>${mark.label}</text>`)}
${under(labels, (index) => at(index) + x.bandwidth() / 2)}`
}

/** No room for words to its right. */
const isRight = (x: number) => x > (LEFT + RIGHT) / 2

/** Bars below each other, each with its words and its number. */
export function bars(rows: readonly { label: string; value: number; says: string }[]): Markup {
  const x = scaleLinear([0, max(rows, ({ value }) => value) || 1], [0, RIGHT - BAR_LEFT - 70])
  const y = scaleBand(
    rows.map((_, index) => String(index)),
    [0, barsHigh(rows.length)],
  ).padding(0.25)
  return html`${rows.map(({ label, value, says }, index) => {
    const [top, middle] = [y(String(index)) ?? 0, (y(String(index)) ?? 0) + y.bandwidth() / 2 + 4]
    return html`<text x="${BAR_LEFT - 8}" y="${fixed(middle)}" text-anchor="end">${shortened(label)}</text><rect class="s0" x="${BAR_LEFT}" y="${fixed(top)}" width="${fixed(x(value))}" height="${fixed(y.bandwidth())}"/><text x="${fixed(BAR_LEFT + x(value) + 6)}" y="${fixed(middle)}">${says}</text>`
  })}`
}

/** How high the drawing of so many bars is. */
export const barsHigh = (count: number): number => Math.min(HIGH, count * BAR_HIGH)

const BAR_LEFT = 260
const BAR_HIGH = 44
const CHARACTERS_MAX = 38
const shortened = (text: string) => (text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX - 1)}…` : text)

const fixed = (value: number) => value.toFixed(1)

type Vertical = ReturnType<typeof verticalOf>

const verticalOf = (top = 0) => scaleLinear([0, top || 1], [BOTTOM, TOP]).nice(TICKS)

const grid = (y: Vertical) =>
  y
    .ticks(TICKS)
    .filter(Number.isInteger)
    .map(
      (tick) =>
        html`<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${fixed(y(tick))}" y2="${fixed(y(tick))}"/><text x="${LEFT - 6}" y="${fixed(y(tick) + 4)}" text-anchor="end">${tick.toLocaleString('en-GB')}</text>`,
    )

/** As many labels as fit. */
function under(labels: readonly string[], x: (index: number) => number): Markup[] {
  const step = Math.max(Math.ceil(labels.length / LABELS_MAX), 1)
  return labels.flatMap((label, index) =>
    index % step === 0
      ? [html`<text x="${fixed(x(index))}" y="${BOTTOM + 18}" text-anchor="middle">${label}</text>`]
      : [],
  )
}

const CHARACTER_WIDE = 6.4

function legend(series: readonly Series[]): Markup[] {
  if (series.length < 2) return []
  let x: number = LEFT
  return series.map(({ label }, key) => {
    const at = x
    x += 28 + label.length * CHARACTER_WIDE
    return html`<rect class="s${key}" x="${fixed(at)}" y="4" width="10" height="10"/><text x="${fixed(at + 14)}" y="13">${label}</text>`
  })
}
