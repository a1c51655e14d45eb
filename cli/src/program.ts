import { Command, CommanderError } from 'commander'
import { EXIT, Failure } from './failure.ts'
import { printTo } from './print.ts'
import type { CommonOptions } from './session.ts'
import { COMMANDS, type Entry, type Run } from './table.ts'
import type { Terminal } from './terminal.ts'
import { VERSION } from './version.ts'

const LINE_WIDTH = 100

/** Every command by name and summary. `defineCommand` adds the rest of one that is used. */
export type Program = { root: Command; entries: readonly Entry[]; terminal: Terminal }

export function createProgram(terminal: Terminal, entries: readonly Entry[] = COMMANDS): Program {
  const { stdout, stderr } = terminal
  const root = new Command('lodgeway')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => Math.min(stdout.columns || LINE_WIDTH, LINE_WIDTH),
      getErrHelpWidth: () => Math.min(stderr.columns || LINE_WIDTH, LINE_WIDTH),
    })
    .description('Lodgeway from a terminal. `lodgeway COMMAND --help` shows more of each, with examples.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError('(add --help to see how it is used)')
    .enablePositionalOptions()
    .commandsGroup('For integrators:')
    .helpCommand('help [command]', 'show the help of a command')
  for (const { name, summary } of entries) root.command(name).helpCommand(false).summary(summary)
  return { root, entries, terminal }
}

/** Does what the words after `lodgeway` say, and returns the exit code. */
export async function runProgram(program: Program, args: readonly string[]): Promise<number> {
  const asked: Asked = {}
  try {
    await defineCommand(program, nameIn(args), asked)
    await program.root.parseAsync(args.length ? args : ['--help'], { from: 'user' })
    return 0
  } catch (error) {
    return report(error, program.terminal, asked)
  }
}

/** What was asked for, as far as it is known when something fails. */
type Asked = { url?: string; json?: boolean }

/** Loads what a command takes and does. */
export async function defineCommand(program: Program, name: string, asked: Asked = {}): Promise<void> {
  const { root, entries, terminal } = program
  const entry = entries.find((one) => one.name === name)
  const command = root.commands.find((one) => one.name() === name)
  if (!entry || !command || command.description()) return // it is defined by now
  const { define } = await entry.load()
  const run: Run =
    (work) =>
    async (...args) => {
      const { openSession } = await import('./session.ts')
      const options = (args.at(-1) as Command).opts<CommonOptions>()
      const { connect, ...session } = openSession(terminal, options)
      asked.json = session.json
      const noted = () => {
        const connection = connect()
        asked.url = connection.url
        return connection
      }
      await work({ ...session, connect: noted }, ...(args.slice(0, -1) as never))
    }
  define(command, run, program)
  for (const leaf of leavesOf(command)) addCommonOptions(leaf, entry)
}

export const leavesOf = (command: Command): Command[] =>
  command.commands.length ? command.commands.flatMap(leavesOf) : [command]

function addCommonOptions(command: Command, { isLocal }: Entry): void {
  command.optionsGroup('Options of every command:')
  if (!isLocal) {
    command
      .option('--profile <name>', 'who calls: `lodgeway profiles` lists them')
      .option('--url <address>', 'the address of the service')
  }
  command.option('--json', 'the answer of the interface, for programs')
}

/** Examples at the end of a command's help. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [typed: string, about?: string])[],
): Command {
  const width = Math.max(...examples.filter(([, about]) => about).map(([typed]) => typed.length), 0)
  const lines = examples.map(([typed, about = '']) => `  ${typed.padEnd(width)}  ${about}`.trimEnd())
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

function nameIn(args: readonly string[]): string {
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'))
  return first === 'help' ? second : first
}

async function report(error: unknown, terminal: Terminal, { url, json }: Asked): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage // it is printed by now
  if (error instanceof Error && error.name === 'AbortError' && terminal.interrupted().aborted) return 0
  const print = printTo(terminal)
  const lines =
    error instanceof Failure ? { exitCode: error.exitCode, lines: [error.message] } : await explained(error, url)
  if (json && error instanceof Error && 'errors' in error) print.json({ errors: error.errors })
  const [first = '', ...rest] = lines.lines
  for (const line of [print.paintNote('red', first), ...rest]) print.note(line)
  return lines.exitCode
}

// The client is loaded for its errors, so only when there is one.
async function explained(error: unknown, url: string | undefined) {
  const { explain } = await import('./explain.ts')
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return explain(error, url) ?? { exitCode: EXIT.refused, lines: [stack] }
}
