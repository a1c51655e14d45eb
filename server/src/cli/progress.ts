import type { WriteStream } from 'node:tty'
import type { OnStep } from '../platform/operations/steps.ts'

/** The progress of a command. */
export type Progress = {
  /** One more is done. */
  step(what: string): void
  end(): void
}

type Output = Pick<NodeJS.WritableStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

const BAR_WIDTH = 24
const COLUMNS_DEFAULT = 80
const CLEAR_LINE = '\r\u001b[2K'

/** A bar on a terminal; elsewhere, such as in a log, a line for each step. */
export function showProgress(output: Output, total: number): Progress {
  let done = 0
  return {
    step(what) {
      done += 1
      const text = `${done} of ${total}  ${what}`
      output.write(output.isTTY ? CLEAR_LINE + fit(`${barOf(done / total)}  ${text}`, output.columns) : `${text}\n`)
    },
    end() {
      if (output.isTTY && done > 0) output.write(CLEAR_LINE)
    },
  }
}

function barOf(share: number): string {
  const full = Math.round(share * BAR_WIDTH)
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
}

/** A terminal without a size says that it has no columns. */
const fit = (text: string, columns = 0) => [...text].slice(0, (columns || COLUMNS_DEFAULT) - 1).join('')

/** What a start is doing, each step with the time at which it began. On a terminal its line also counts what is done. */
export function showSteps(output: Output, secondsSoFar: () => number): { onStep: OnStep; end(): void } {
  let shown = ''
  const end = () => {
    if (output.isTTY && shown) output.write('\n')
    shown = ''
  }
  return {
    onStep(what, of) {
      if (what !== shown) end()
      else if (!output.isTTY) return
      shown = what
      const line = `${secondsSoFar().toFixed(1).padStart(6)} s  ${what}${of && output.isTTY ? `: ${of.done} of ${of.total}` : ''}`
      output.write(output.isTTY ? CLEAR_LINE + fit(line, output.columns) : `${line}\n`)
    },
    end,
  }
}
