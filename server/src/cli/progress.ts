import type { WriteStream } from 'node:tty'

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

const fit = (text: string, columns = COLUMNS_DEFAULT) => [...text].slice(0, columns - 1).join('')
