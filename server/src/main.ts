#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import type { Options } from './operate.ts'

// The command line. Parts are loaded when their command is given, so that small ones answer at once.

const USAGE = `Lodgeway

  lodgeway dev                         the sandbox: the whole service on this machine, with a world to try
  lodgeway serve                       HTTP
  lodgeway work                        jobs
  lodgeway migrate                     bring the database up to this version

  lodgeway subscriber add --name NAME --kind lender|law-firm [--four-eyes off] [--reports off]
  lodgeway subscriber list | suspend ID | resume ID
  lodgeway client add SUBSCRIBER-ID [--scopes "A B"] [--client-id ID]
  lodgeway client list | rotate ID [--retire-old] | disable ID | enable ID
  lodgeway key generate                a new signing key for SIGNING_KEYS
  lodgeway report generate [--date D]  make what is missing of a day's reports; yesterday's where left out
  lodgeway maintenance on|off
  lodgeway job dead | retry ID …|all   jobs that failed as often as they may
  lodgeway audit verify                is the audit whole?
  lodgeway doctor                      look at the installation, and say how to mend it
  lodgeway openapi                     print the interface as OpenAPI 3.1

Settings come from the environment: docs/operations.md lists them.`

const OPERATIONS = {
  'subscriber add': 'subscriberAdd',
  'subscriber list': 'subscriberList',
  'subscriber suspend': 'subscriberSuspend',
  'subscriber resume': 'subscriberResume',
  'client add': 'clientAdd',
  'client list': 'clientList',
  'client rotate': 'clientRotate',
  'client disable': 'clientDisable',
  'client enable': 'clientEnable',
  'job dead': 'jobDead',
  'job retry': 'jobRetry',
  'audit verify': 'auditVerify',
} as const

enableCompileCache()
try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args)
  const [command = 'help', ...names] = positionals
  if (values['help'] || command === 'help') return say(USAGE)
  if (command === 'dev' || command === 'serve' || command === 'work') {
    const { run } = await import('./run.ts')
    return run(command)
  }
  if (command === 'openapi') {
    const { openApiText } = await import('./route-manifest.ts')
    process.stdout.write(await openApiText())
    return
  }
  if (command === 'doctor') {
    const { examine, presentFindings } = await import('./doctor.ts')
    const findings = await examine(process.env, isSandboxHere(process.env))
    if (findings.some(({ state }) => state === 'fault')) process.exitCode = 1
    return say(presentFindings(findings))
  }
  return say(await operation(command, names, values))
}

async function operation(command: string, names: readonly string[], options: Options): Promise<string> {
  const operations = await import('./operate.ts')
  if (command === 'key' && names[0] === 'generate') return operations.keyGenerate()
  const config = readConfig(process.env, { sandbox: isSandboxHere(process.env), secrets: 'optional' })
  if (command === 'migrate') return operations.migrateNow(config)
  if (command === 'maintenance') return operations.operate(config, operations.maintenance, names, options)
  const key = [command, names[0]].filter(Boolean).join(' ')
  if (key === 'report generate') {
    const { reportGenerate } = await import('./report-generate.ts')
    return operations.operate(config, reportGenerate, names.slice(1), options)
  }
  if (!Object.hasOwn(OPERATIONS, key)) throw new operations.UsageError(`There is no command "${key}".\n\n${USAGE}`)
  const name = OPERATIONS[key as keyof typeof OPERATIONS]
  return operations.operate(config, operations[name], names.slice(1), options)
}

// Without a database of its own and without a pepper, what lies under DATA_DIR is the sandbox's.
function isSandboxHere(env: NodeJS.ProcessEnv): boolean {
  return !env['DATABASE_URL'] && !env['SECRET_PEPPER']
}

function parse(args: readonly string[]): { values: Options; positionals: string[] } {
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
      'client-id': text,
      date: text,
      'retire-old': flag,
      help: { ...flag, short: 'h' },
    },
  })
  const asText = Object.entries(values).map(([name, value]) => [name, String(value)])
  return { values: Object.fromEntries(asText), positionals }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

// Faults of the person's own doing need a sentence, ours a stack.
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isMisspelt = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  const expected = isMisspelt || ['ConfigError', 'UsageError', 'Refusal', 'Error'].includes(error.name)
  return expected && process.env['LOG_LEVEL'] !== 'debug' ? error.message : (error.stack ?? error.message)
}
