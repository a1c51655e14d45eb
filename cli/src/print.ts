import { stripVTControlCharacters, styleText } from 'node:util'
import type { Output, Terminal } from './terminal.ts'

/** What a command writes: answers to the output, everything else to the error output. */
export type Print = {
  /** A line of the answer. */
  line(text?: string): void
  /** A line beside the answer: progress, a warning, a question. */
  note(text: string): void
  /** The body of an answer. */
  json(body: unknown): void
  /** The same in one line, for those that come one after the other. */
  jsonLine(body: unknown): void
  table(head: readonly string[], rows: readonly (readonly unknown[])[]): void
  /** Text for `line` and `table` in this style, where colours are wanted. */
  paint(style: Style, text: string): string
  /** The same for `note`. */
  paintNote(style: Style, text: string): string
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export function printTo({ env, stdout, stderr }: Pick<Terminal, 'env' | 'stdout' | 'stderr'>): Print {
  const painterFor = (output: Output) => {
    const isColoured = wantsColour(env, output)
    return (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
  }
  const paint = painterFor(stdout)
  const line = (text = '') => void stdout.write(`${text}\n`)
  return {
    line,
    note: (text) => void stderr.write(`${text}\n`),
    json: (body) => line(JSON.stringify(body, null, 2)),
    jsonLine: (body) => line(JSON.stringify(body)),
    table: (head, rows) => {
      for (const row of aligned([head.map((name) => paint('dim', name)), ...rows])) line(row)
    },
    paint,
    paintNote: painterFor(stderr),
  }
}

/** NO_COLOR (no-color.org) and FORCE_COLOR win over what the terminal can do. */
export function wantsColour({ NO_COLOR, FORCE_COLOR, TERM }: Terminal['env'], output: Output): boolean {
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0'
  return output.isTTY === true && TERM !== 'dumb'
}

/** Rows as lines, each column as wide as its widest cell. */
export function aligned(rows: readonly (readonly unknown[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => String(cell ?? '')))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))))
  const padded = (cell: string, column: number) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)))
  return cells.map((row) => row.map(padded).join('  ').trimEnd())
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length
