import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

// `npm run check`: every check of the repository but its tests. All of them run, whatever one finds, and print nothing
// more when they pass.

type Finding = { ok: boolean; output: string }
type Check = { name: string; about: string; find(): Promise<Finding> }

const ROOT = resolve(import.meta.dirname, '../../..')
const BIN = join(ROOT, 'node_modules/.bin')
const SCORE_MIN = 90

// The slowest first, so that none runs on alone at the end.
const CHECKS: Check[] = [
  { name: 'types', about: 'the compiler reports no error', find: () => run('tsc', '-p', '.') },
  { name: 'scripts', about: 'the same for browser scripts', find: () => run('tsc', '-p', 'console/src/browser') },
  { name: 'contract', about: 'openapi.json is current and passes the strict lint', find: checkContract },
  { name: 'score', about: `openapi.json scores ${SCORE_MIN} of 100 or more`, find: checkScore },
  { name: 'workflows', about: 'workflows/ passes the strict lint', find: checkWorkflows },
  { name: 'unused', about: 'no file, export or dependency is unused', find: () => run('knip', '--no-progress') },
  { name: 'style', about: 'format and lint', find: () => run('biome', 'check', '.') },
  { name: 'compose', about: 'compose.yaml, of one machine and of a cluster', find: checkCompose },
  { name: 'image', about: 'Dockerfile', find: () => run('dockerfilelint', 'Dockerfile') },
]

const failed: Check[] = []
const waiting = CHECKS.values()
await Promise.all(Array.from({ length: availableParallelism() }, work))
say(failed.length ? `\nTo fix: ${failed.map(({ name }) => name).join(', ')}.` : `\nAll ${CHECKS.length} checks pass.`)
process.exitCode = failed.length ? 1 : 0

async function work(): Promise<void> {
  for (const check of waiting) {
    const began = performance.now()
    const { ok, output } = await check.find()
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    say(`${ok ? '✔' : '✖'} ${check.name.padEnd(10)}${check.about} (${seconds} s)`)
    if (ok) continue
    failed.push(check)
    say(output.trimEnd().replaceAll(/^/gm, '    '))
  }
}

async function checkContract(): Promise<Finding> {
  const [printed, lint, committed] = await Promise.all([
    run('node', 'server/src/main.ts', 'openapi'),
    run('redocly', 'lint', 'openapi.json', '--format=stylish'),
    readFile(join(ROOT, 'openapi.json'), 'utf8'),
  ])
  if (!printed.ok) return printed
  if (printed.output !== committed) return { ok: false, output: 'openapi.json is stale: run `npm run openapi`.' }
  return withoutWarnings(lint)
}

// How well the document serves a reader who knows nothing else.
async function checkScore(): Promise<Finding> {
  const scored = await run('redocly', 'score', 'openapi.json', '--format=json')
  if (!scored.ok) return scored
  const { agentReadiness } = JSON.parse(scored.output) as { agentReadiness: number }
  const output = `openapi.json scores ${agentReadiness} of 100: \`npx redocly score openapi.json\` shows why.`
  return { ok: agentReadiness >= SCORE_MIN, output }
}

function checkCompose(): Promise<Finding> {
  return run(
    'dclint',
    'compose.yaml',
    'deploy/cluster/compose.yaml',
    'deploy/monitoring/compose.yaml',
    '--max-warnings',
    '0',
  )
}

async function checkWorkflows(): Promise<Finding> {
  return withoutWarnings(await run('redocly', 'lint', 'workflows/*.arazzo.yaml'))
}

function withoutWarnings({ ok, output }: Finding): Finding {
  return { ok: ok && !/\d+ warning/.test(output), output }
}

async function run(tool: string, ...args: string[]): Promise<Finding> {
  const env = {
    ...process.env,
    PATH: `${BIN}${delimiter}${process.env['PATH']}`,
    NO_COLOR: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  const child = spawn(tool, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject).once('close', ended.resolve)
  const [code, output, errors] = await Promise.all([ended.promise, text(child.stdout), text(child.stderr)])
  return code === 0 ? { ok: true, output } : { ok: false, output: `${output}\n${errors}`.trim() }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
