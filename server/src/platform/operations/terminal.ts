import type { DestinationStream } from 'pino'

type Output = Pick<NodeJS.WritableStream, 'write'>

type Entry = { time: string; level: string; msg?: string; err?: LoggedError; service: unknown; pid: unknown }
type LoggedError = { message: string; stack?: string; cause?: LoggedError }

/** The log for a person at a terminal: one line for each entry, and a stack only where nobody expected the error. */
export const linesFor = (output: Output): DestinationStream => ({
  write: (entry) => void output.write(`${lineOf(JSON.parse(entry))}\n`),
})

function lineOf({ time, level, msg = '', err, service: _, pid: __, ...facts }: Entry): string {
  const isUnexpected = level === 'error' || level === 'fatal'
  const cause = err && (isUnexpected ? stacksOf(err).join('\ncaused by ') : err.message)
  const known = Object.keys(facts).length ? ` ${JSON.stringify(facts)}` : ''
  return `${timeOf(new Date(time))}  ${level}: ${msg}${known}${cause ? `${isUnexpected ? '\n' : ' '}${cause}` : ''}`
}

const stacksOf = ({ message, stack = message, cause }: LoggedError): string[] => [
  stack,
  ...(cause ? stacksOf(cause) : []),
]

/** As the clock on the wall shows it. */
export const timeOf = (at: Date): string => at.toTimeString().slice(0, 8)
