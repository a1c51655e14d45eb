import type { Command } from 'commander'
import { Failure } from '../../../cli/src/failure.ts'
import { createProgram, runProgram, withExamples } from '../../../cli/src/program.ts'
import { COMMANDS } from '../../../cli/src/table.ts'
import type { Terminal } from '../../../cli/src/terminal.ts'
import { describeError } from '../platform/errors.ts'
import { type Definition, GROUPS } from './definitions.ts'
import { type Commands, UsageError } from './input.ts'

// The command line of a clone: the operator's commands, and those for integrators, which the package `cli` has. A command
// loads only what it needs, so that small commands are fast.

// One file for each group of commands, loaded on demand.
const FILES: Readonly<Record<string, () => Promise<{ commands: Commands }>>> = {
  dev: () => starting('dev'),
  serve: () => starting('serve'),
  work: () => starting('work'),
  migrate: () => import('./migrate.ts'),
  subscriber: () => import('./subscriber.ts'),
  client: () => import('./client.ts'),
  person: () => import('./person.ts'),
  registry: () => import('./registry.ts'),
  key: () => import('./key.ts'),
  report: () => import('./report.ts'),
  maintenance: () => import('./maintenance.ts'),
  job: () => import('./job.ts'),
  audit: () => import('./audit.ts'),
  restore: () => import('./restore.ts'),
  retention: () => import('./retention.ts'),
  subject: () => import('./subject.ts'),
  doctor: () => import('./doctor.ts'),
  openapi: () => import('./openapi.ts'),
}

const BUGS = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']
const USAGE_EXIT = 2

/** Does what the words after `lodgeway` say, and returns the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  // Both halves have a doctor: an integrator's checks a connection, so it is given one.
  const isIntegrators = args.some((word) => /^--(profile|url)(=|$)/.test(word))
  const entries = COMMANDS.filter(({ name }) => name !== 'doctor' || isIntegrators)
  const program = createProgram(terminal, entries)
  program.root.commandsGroup('For operators:')
  for (const group of GROUPS) {
    if (group.name === 'doctor' && isIntegrators) continue
    const command = described(program.root.command(group.name), group.about)
    for (const definition of group.commands) define(command, group.name, definition, terminal)
  }
  return runProgram(program, args)
}

function define(
  group: Command,
  name: string,
  { use, about, options = {}, examples }: Definition,
  terminal: Terminal,
): void {
  const [words = [], parameters = []] = splitUse(use)
  let command = group
  for (const word of words)
    command = command.commands.find((one) => one.name() === word) ?? command.command(word).helpCommand(false)
  if (about) described(command, about)
  for (const parameter of parameters) command.argument(parameter)
  for (const [flags, meaning] of Object.entries(options)) command.option(flags, meaning)
  if (examples)
    withExamples(
      command,
      examples.map((typed) => [typed]),
    )
  command.action(async () => {
    const [verb = '', ...more] = words
    const { commands } = (await FILES[name]?.()) ?? { commands: {} }
    const names = [...more, ...command.processedArgs.flat().map(String)]
    const text = (await commands[verb]?.({ names, options: optionsOf(command) }).catch(fail)) ?? ''
    terminal.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`)
  })
}

const described = (command: Command, about: string): Command =>
  command
    .helpCommand(false)
    .summary(about)
    .description(`${about.charAt(0).toUpperCase()}${about.slice(1)}.`)

/** Goes on after the command has ended, until it is stopped. */
const starting = async (part: 'dev' | 'serve' | 'work') => ({
  commands: {
    async ''() {
      const { run } = await import('../run.ts')
      await run(part)
      return ''
    },
  },
})

/** The words of a command, then its arguments. */
function splitUse(use: string): [words: string[], parameters: string[]] {
  const all = use.split(' ').filter(Boolean)
  const isParameter = (word: string) => /^[<[]/.test(word)
  return [all.filter((word) => !isParameter(word)), all.filter(isParameter)]
}

const optionsOf = (command: Command): Record<string, string> =>
  Object.fromEntries(
    command.options.flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName())
      return value === undefined ? [] : [[option.name(), String(value)]]
    }),
  )

// A wrong argument, a wrong setting or a machine that does not respond needs a sentence; a bug needs its stack.
function fail(error: unknown): never {
  if (!(error instanceof Error)) throw new Failure(1, String(error))
  const isBug = BUGS.includes(error.name) && !('code' in error) // an error with a code is about the arguments
  const message = isBug || process.env['LOG_LEVEL'] === 'debug' ? (error.stack ?? error.message) : describeError(error)
  throw new Failure(error instanceof UsageError ? USAGE_EXIT : 1, message)
}
