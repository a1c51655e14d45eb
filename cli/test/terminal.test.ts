import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { promisify, stripVTControlCharacters } from 'node:util'
import { atEnd } from '../../server/test/fixtures/at-end.ts'
import { testService } from '../../server/test/fixtures/service.ts'
import { aBorrower, aWorkspace, drain } from '../../server/test/fixtures/workspaces.ts'
import { examplesOf, outputsOf, programOf, readPage } from '../../server/test/guide/page.ts'
import { checkShown } from '../../server/test/guide/shown.ts'

// Somebody at a terminal types what cli/README.md says. script(1) is the terminal.

const ROOT = resolve(import.meta.dirname, '../..')
const README = await readFile(join(ROOT, 'cli/README.md'), 'utf8')
const MS_MAX = 180_000 // for a busy machine
const SECRET = 'sandbox-lender-secret'
const isMissing = spawnSync('script', ['--version']).error !== undefined
const skip = isMissing && 'script(1) is missing: install util-linux'

const service = await testService()
const parties = [aBorrower('William'), aBorrower('Tracey', 'Prinne')]
await aWorkspace(service, { reference: 'NBS-1021', titleNumber: 'ST500678', parties })
await drain(service)

const home = await mkdtemp(join(tmpdir(), 'lodgeway-terminal-'))
atEnd(() => rm(home, { recursive: true, force: true }))
await symlink(join(ROOT, 'cli/bin/lodgeway.js'), join(home, 'lodgeway'))
await symlink(process.execPath, join(home, 'node'))

const env = {
  PATH: [home, process.env['PATH']].join(delimiter),
  HOME: home,
  TERM: 'xterm',
  PS1: 'type> ',
  LODGEWAY_URL: service.url,
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
}

/** Runs a command in a terminal; each of `answers` is typed when its question is shown. Returns what the terminal shows. */
async function atTerminal(command: string, answers: readonly (readonly [question: string, answer: string])[]) {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: home, env, timeout: MS_MAX })
  let shown = ''
  const waiting = [...answers]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [next] = waiting
    if (!next || !stripVTControlCharacters(shown).includes(next[0])) return
    waiting.shift()
    child.stdin.write(next[1])
  })
  await once(child, 'close')
  return stripVTControlCharacters(shown).replaceAll('\r\n', '\n')
}

describe('cli/README.md', { skip }, () => {
  it('says what to type, and what is shown then', async () => {
    const page = readPage('cli/README.md', README.replaceAll('http://127.0.0.1:8080', service.url))
    await writeFile(join(home, 'typed.sh'), programOf(page, 'sh'))
    const shown = await atTerminal('bash typed.sh', [['Secret (not shown):', `${SECRET}\n`]])
    assert.ok(!shown.includes(SECRET), 'the secret is not shown')
    const outputs = outputsOf(shown)
    const examples = examplesOf(page, 'sh')
    assert.ok(examples.length >= 8)
    for (const { block, shown: expected } of examples) {
      const printed = outputs.get(block.line) ?? assert.fail(`${block.text} did not end:\n${shown}`)
      if (expected) assert.doesNotThrow(() => checkShown(expected, printed), `${block.text}\n${printed}`)
    }
  })
})

describe('completion in bash', () => {
  const CASES: [typed: string, offers: RegExp][] = [
    ['work', /^workspace work$/],
    ['workspace ', /^list show$/],
    ['workspace list --tu', /^--turn$/],
    ['whoami --profile sandbox-le', /^sandbox-lender$/],
    ['call getWorksp', /^getWorkspace getWorkspaceReadiness$/],
    ['call getWorkspace path.', /^path\.workspace_id=$/],
    ['call addTitle body.', /^body\.titleNumber=$/],
    ['completion ', /^bash zsh fish$/],
    ['client rotate --ret', /^--retire-old$/],
  ]
  it('offers commands, options, profiles, operations and their parameters', async () => {
    const lines = CASES.map(([typed]) => {
      const words = typed.split(' ').map((word) => `'${word}'`)
      return `COMP_WORDS=(lodgeway ${words.join(' ')}); COMP_CWORD=${words.length}; _lodgeway 2> /dev/null; echo "\${COMPREPLY[*]}"`
    })
    const script = ['lodgeway call > /dev/null', 'eval "$(lodgeway completion bash)"', 'complete -p lodgeway', ...lines]
    const options = { cwd: home, env, timeout: MS_MAX }
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script.join('\n')], options)
    const [registered = '', ...offered] = stdout.trim().split('\n')
    assert.equal(registered, 'complete -o default -F _lodgeway lodgeway', stderr)
    for (const [at, [typed, offers]] of CASES.entries()) assert.match(offered[at] ?? '', offers, typed)
  })

  it('completes at a Tab', { skip }, async () => {
    const typing = ['eval "$(lodgeway completion bash)"; echo re""ady\n', 'lodgeway profil\t\n', 'exit\n'] as const
    const shown = await atTerminal('bash --norc -i', [
      ['type> ', typing[0]],
      ['ready', typing[1]],
      ['sandbox-law-firm', typing[2]],
    ])
    assert.match(shown, /lodgeway profiles/)
  })
})
