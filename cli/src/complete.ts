import type { Command } from 'commander'
import { readStoredInterface } from './document.ts'
import { listProfiles } from './profiles.ts'
import { defineCommand, type Program } from './program.ts'
import { openSession } from './session.ts'

/** A word that may come next, and what it is. */
export type Candidate = { word: string; about: string }

/** What may come at the last of these words, which may be empty or begun. */
export async function candidatesFor(program: Program, words: readonly string[]): Promise<Candidate[]> {
  const begun = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const command = await commandFor(program, before)
  const all = await allFor(program, command, before, begun)
  return all.filter(({ word }) => word.startsWith(begun))
}

/** The command that these words lead to. */
async function commandFor(program: Program, words: readonly string[]): Promise<Command> {
  let command = program.root
  for (const word of words.filter((one) => !one.startsWith('-'))) {
    if (command === program.root) await defineCommand(program, word)
    const next = command.commands.find((one) => one.name() === word)
    if (!next) break
    command = next
  }
  return command
}

async function allFor(
  program: Program,
  command: Command,
  before: readonly string[],
  begun: string,
): Promise<Candidate[]> {
  const option = command.options.find(({ long, short }) => before.at(-1) === long || before.at(-1) === short)
  if (option && (option.required || option.optional)) return valuesOf(program, option.long ?? '', option.argChoices)
  if (begun.startsWith('-')) {
    const shown = command.createHelp().visibleOptions(command)
    return shown.map(({ long, description }) => ({ word: long ?? '', about: description }))
  }
  if (command.name() === 'call') return operationWords(program, before)
  if (command.name() === 'completion') return ['bash', 'zsh', 'fish'].map((word) => ({ word, about: '' }))
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ word: one.name(), about: one.summary() }))
}

function valuesOf({ terminal }: Program, option: string, choices: readonly string[] = []): Candidate[] {
  if (option !== '--profile' && option !== '--use') return choices.map((word) => ({ word, about: '' }))
  return listProfiles(terminal.env).map(({ name, url }) => ({ word: name, about: url }))
}

/** The ids of operations, then the parameters of the one that was chosen. */
async function operationWords({ terminal }: Program, before: readonly string[]): Promise<Candidate[]> {
  const known = await readStoredInterface(terminal, openSession(terminal, {}).connect())
  const { operations = [] } = known ?? {}
  const chosen = operations.find(({ operationId }) => before.includes(operationId))
  if (!chosen) return operations.map(({ operationId, summary }) => ({ word: operationId, about: summary }))
  const { properties = {} } = known?.schemaAt(Object.values(chosen.body)[0]?.schema, []) ?? {}
  return [
    ...chosen.parameters.map(({ in: place, name, description = '' }) => ({
      word: `${place}.${name}=`,
      about: description,
    })),
    ...Object.entries(properties).map(([name, { description = '' }]) => ({
      word: `body.${name}=`,
      about: description,
    })),
  ]
}
