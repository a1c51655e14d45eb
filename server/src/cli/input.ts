// The arguments of a command. A wrong one is answered with a sentence.

export type Options = Readonly<Record<string, string | undefined>>

/** `names` are the words after the command. */
export type Input = { names: readonly string[]; options: Options }

/** Does one thing and returns what is printed. */
export type Command = (input: Input) => Promise<string>

/** The commands of one group by their second word; `''` where there is none. */
export type Commands = Readonly<Record<string, Command>>

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function first(names: readonly string[], what: string): string {
  if (names[0] === undefined) throw new UsageError(`Missing: ${what}.`)
  return names[0]
}

export function required(options: Options, name: string): string {
  const value = options[name]
  if (!value) throw new UsageError(`Missing: --${name}.`)
  return value
}

/** `law-firm` and `LAW_FIRM` are the same choice. */
export function choice<const Choice extends string>(
  options: Options,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = required(options, name)
  const spelled = (one: string) => one.toLowerCase().replaceAll('_', '-')
  const chosen = choices.find((one) => spelled(one) === spelled(value))
  if (!chosen) throw new UsageError(`--${name} must be one of ${choices.map(spelled).join(', ')}.`)
  return chosen
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const subscriberIdIn = (names: readonly string[]): string =>
  uuid(first(names, 'subscriberId'), 'a subscriberId', 'lodgeway subscriber list')

export function uuid(text: string, what: string, listedBy: string): string {
  if (!UUID.test(text)) throw new UsageError(`"${text}" is not ${what}: ${listedBy} shows them.`)
  return text.toLowerCase()
}
