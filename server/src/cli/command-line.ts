import { parseArgs } from 'node:util'
import { describeError } from '../platform/errors.ts'
import { type Commands, type Input, UsageError } from './input.ts'

// The command line. A command loads only what it needs, so that small commands are fast.

const USAGE = `Lodgeway

  lodgeway dev                         the sandbox: the whole service on this machine, with sample data
  lodgeway serve                       HTTP
  lodgeway work                        jobs
  lodgeway migrate [--for serve|work]  bring the database up to this version, and grant a role its rights

  lodgeway subscriber add --name NAME --kind lender|law-firm [--four-eyes off] [--reports off]
  lodgeway subscriber list | suspend ID | resume ID
  lodgeway subscriber account set ID --name NAME --sort-code CODE --account NUMBER   from which a law firm pays
  lodgeway subscriber decisions ID any|people   whether its clients may approve and authorise, or only people who sign in
  lodgeway person invite EMAIL --name NAME --roles "A B" [--subscriber ID]   a link for somebody who will use the console
  lodgeway person list | link EMAIL | roles EMAIL --roles "A B" | sign-out EMAIL | disable EMAIL
  lodgeway client add SUBSCRIBER-ID [--scopes "A B"] [--client-id ID]
  lodgeway client list | scopes ID [--scopes "A B"] | rotate ID [--retire-old] | disable ID | enable ID
  lodgeway client log ID --hours N|--off   log its requests for up to 24 hours; never bodies, never personal data
  lodgeway registry account set SUBSCRIBER-ID --username U --password-file F --certificate F --key F --telephone T
                                       --warning-understood-by EMAIL
  lodgeway registry account show SUBSCRIBER-ID | check SUBSCRIBER-ID
  lodgeway registry lender SUBSCRIBER-ID --kind uk-company|other-organisation [--number N]
  lodgeway registry reply list | release LODGEMENT LETTER PART | resend LODGEMENT LETTER PART
  lodgeway key generate                a new signing key for SIGNING_KEYS
  lodgeway report generate [--date D]  make the missing reports of a day, by default of yesterday
  lodgeway maintenance on|off
  lodgeway job dead | retry ID …|all   jobs that failed too often
  lodgeway audit verify [--anchor H]   check that the audit is whole, and contains an anchor that you stored elsewhere
  lodgeway audit verify --pack FILE [--anchor H]   check an evidence pack, without the service
  lodgeway doctor                      check the installation, and explain how to fix what is wrong
  lodgeway openapi                     print the interface as OpenAPI 3.1

Settings come from the environment: docs/operations.md lists them.`

// One file for each group of commands, loaded on demand.
const GROUPS: Readonly<Record<string, () => Promise<{ commands: Commands }>>> = {
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
  doctor: () => import('./doctor.ts'),
  openapi: () => import('./openapi.ts'),
}

const BUGS = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']

/** Does what the words after `lodgeway` say, and returns what is printed. */
export async function runCommandLine(args: readonly string[]): Promise<string> {
  const { names, options } = parse(args)
  const [group = 'help', second = ''] = names
  if (options['help'] || group === 'help') return USAGE
  if (group === 'dev' || group === 'serve' || group === 'work') {
    const { run } = await import('../run.ts')
    await run(group)
    return ''
  }
  const commands = Object.hasOwn(GROUPS, group) ? ((await GROUPS[group]?.())?.commands ?? {}) : {}
  const known = Object.hasOwn(commands, second) ? second : ''
  const command = commands[known]
  if (!command) throw new UsageError(`There is no command "${[group, second].join(' ').trim()}".\n\n${USAGE}`)
  return command({ names: names.slice(known ? 2 : 1), options })
}

function parse(args: readonly string[]): Input {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: text,
      kind: text,
      'four-eyes': text,
      reports: text,
      scopes: text,
      roles: text,
      subscriber: text,
      'client-id': text,
      username: text,
      'password-file': text,
      certificate: text,
      key: text,
      telephone: text,
      'warning-understood-by': text,
      number: text,
      'sort-code': text,
      account: text,
      date: text,
      anchor: text,
      pack: text,
      for: text,
      hours: text,
      off: flag,
      'retire-old': flag,
      help: { ...flag, short: 'h' },
    },
  })
  const asText = Object.entries(values).map(([name, value]) => [name, String(value)])
  return { names: positionals, options: Object.fromEntries(asText) }
}

// A wrong argument, a wrong setting or a machine that does not respond needs a sentence; a bug needs its stack.
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isBug = BUGS.includes(error.name) && !('code' in error) // an error with a code is about the arguments
  return isBug || process.env['LOG_LEVEL'] === 'debug' ? (error.stack ?? error.message) : describeError(error)
}
