/** How a command ends when it does not do what it was asked to. */
export const EXIT = {
  /** The service refused it. */
  refused: 1,
  /** It was typed wrongly, or a setting is wrong: nothing was sent. */
  usage: 2,
  /** The service could not be reached. */
  unreachable: 3,
  /** It was accepted, and ended badly. */
  failed: 4,
} as const

/** Ends the command with this code, and this sentence on the error output. */
export class Failure extends Error {
  override name = 'Failure'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command was typed wrongly. */
export const misused = (message: string): Failure => new Failure(EXIT.usage, message)
