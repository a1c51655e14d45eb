import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { FAULT_KINDS } from '../../src/faults/rules.ts'
import { ACCOUNTS } from '../../src/sandbox/accounts.ts'
import { SCENARIOS } from '../../src/scenarios/scenarios.ts'
import { REFUSED_ACCOUNT, SLOW_ACCOUNT } from '../../src/settlement/simulator.ts'
import { WORLD } from '../../src/simulated-registry/world.ts'
import { findPython } from '../fixtures/python.ts'
import { type Clone, cloneRepository, type Ran } from './clone.ts'
import { anchorsOf, linksOf } from './links.ts'
import { examplesOf, outputsOf, type Page, pasted, programOf, readPage } from './page.ts'
import { checkShown } from './shown.ts'

// A new user with a terminal, a fresh clone and its README: types what README and guide say, block by block, and checks
// the output. Only the address differs, and the packages are those that are already installed here.

const ROOT = resolve(import.meta.dirname, '../../..')
const GUIDE = 'docs/guide'
const FIRST = `${GUIDE}/getting-started.md`
const OTHERS = globSync(`${GUIDE}/*.md`, { cwd: ROOT })
  .filter((name) => name !== FIRST && name !== `${GUIDE}/README.md`)
  .sort()

const pagesWith = (language: 'sh' | 'ts') =>
  OTHERS.filter((name) => readFileSync(join(ROOT, name), 'utf8').includes(`\n\`\`\`${language}\n`))

const python = await findPython()

/** Of a first start, as it prints them. */
const STEPS = ['creating a PostgreSQL', 'starting PostgreSQL', 'creating the tables', 'playing sample matters']

let clone: Clone
before(async () => {
  clone = await cloneRepository()
})
after(() => clone.remove())

describe('a new user with the README', () => {
  it('starts the sandbox', async () => {
    const [commands] = (await open('README.md')).blocks
    assert.match(commands?.text ?? '', /^npm ci && npm start\b/)
    // Ctrl-C at any moment of the first start leaves nothing behind, and the next one goes on.
    for (const step of STEPS) assert.deepEqual(await clone.interrupt(step), [], step)
    await clone.start()
    assert.match(clone.printed(), /^ +\d+\.\d s {2}starting jobs\n +\d+\.\d s {2}adding sample accounts\n/m)
  })

  it('makes the first call and moves the clock', async () => {
    const readme = await open('README.md')
    await type({ ...readme, blocks: readme.blocks.slice(1) })
    assert.match(clone.printed(), /^\d\d:\d\d:\d\d {2}GET {4}200 +\d+ ms {2}sandbox-lender {2}\/partner\/api\//m)
  })

  it(`reaches a registered title and a report with ${FIRST}`, async () => {
    const page = await open(FIRST)
    await clone.write('try/main.ts', pasted(page, 'ts'))
    assert.match(await clone.read('.gitignore'), /^\/try\/$/m, 'or `npm run check` finds fault with it')
    await type(page)
  })

  it(`does the same in Python`, { skip: python.skip }, async () => {
    const page = await open(FIRST)
    await clone.write('try.py', programOf(page, 'python'))
    check(page, 'python', { code: 0, output: await python.run(['try.py'], clone.folder) })
  })
})

describe('the guide', () => {
  for (const name of pagesWith('sh')) it(`${name} does in the shell what it says`, async () => type(await open(name)))

  for (const name of pagesWith('ts'))
    it(`${name} does in TypeScript what it says`, async () => {
      const page = await open(name)
      await clone.write(programName(name), programOf(page, 'ts'))
      check(page, 'ts', await clone.run(process.execPath, programName(name)))
    })

  it('has TypeScript that compiles, strictly', async () => {
    const flags =
      '--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --allowImportingTsExtensions --module nodenext --types node'
    const programs = ['try/main.ts', ...pagesWith('ts').map(programName)]
    const { output } = await clone.run('node_modules/.bin/tsc', ...flags.split(' '), '--target', 'es2024', ...programs)
    assert.equal(output, '')
  })

  it('waits for a minute at most, and says what it got instead', async () => {
    const waiting = 'url=$0; . docs/guide/matter.sh; sleep() { :; }; curl() { echo nothing; }; wait_for ACTIVE "$api"'
    const { code, output } = await clone.run('bash', '-c', waiting, clone.url)
    assert.deepEqual([code, output], [1, 'There was no ACTIVE within a minute. The last answer: nothing\n'])
    const shown = await clone.read(FIRST)
    const [written = ''] = /^wait_for\(\) \{.*?^\}$/ms.exec(await clone.read(`${GUIDE}/matter.sh`)) ?? []
    assert.ok(written && shown.includes(written))
  })

  it('lists every client, title, account and scenario of the sandbox', async () => {
    const firstCells = (await clone.read(`${GUIDE}/sandbox.md`)).matchAll(/^\| `([\w-]+)` \|/gm)
    const faults = new Set<string>(FAULT_KINDS) // their table has several in a cell
    const listed = [...firstCells].map(([, cell = '']) => cell).filter((cell) => !faults.has(cell))
    const clients = ACCOUNTS.map(({ clientId }) => clientId)
    const scenarios = SCENARIOS.map(({ name }) => name)
    const known = [...clients, ...WORLD.keys(), REFUSED_ACCOUNT, SLOW_ACCOUNT, ...scenarios]
    assert.deepEqual(listed.toSorted(), known.toSorted())
  })

  it('says what to do about every error status of an operation', async () => {
    const { paths } = JSON.parse(await clone.read('openapi.json')) as { paths: Record<string, object> }
    const answers = JSON.stringify(paths).matchAll(/"([45]\d\d)":\{/g)
    const page = await clone.read(`${GUIDE}/errors.md`)
    const covered = [...page.matchAll(/^\| \[?([\d, ]+)/gm)].flatMap(([, statuses = '']) => statuses.trim().split(', '))
    const missing = new Set([...answers].map(([, status = '']) => status)).difference(new Set(covered))
    assert.deepEqual([...missing], [])
  })
})

describe('a sandbox whose folder is deleted', () => {
  it('says so in a sentence and ends', async () => {
    assert.match(await clone.lose('.data'), /^\S+\/\.data was deleted or moved\..*\n(npm error .*\n)*$/)
  })
})

describe('README and docs', () => {
  it('client/README.md says how to install it', async () => {
    const [install] = (await open('client/README.md')).blocks
    const [pack = '', add = ''] = install?.text.split('\n') ?? []
    assert.match(pack, /^npm pack -w client /)
    const { code, output } = await clone.run('bash', '-c', pack)
    assert.equal(code, 0, output)
    const [, name = ''] = /^npm install \S*\/(\S+\.tgz) /.exec(add) ?? []
    const packed = await clone.run('tar', 'tf', name)
    for (const file of ['dist/index.js', 'dist/index.d.ts', 'dist/webhooks.js', 'README.md', 'LICENSE'])
      assert.ok(packed.output.includes(`package/${file}\n`), file)
  })

  it('have links that lead somewhere', async () => {
    const broken: string[] = []
    for (const name of globSync(['*.md', 'docs/**/*.md', 'client*/*.md', 'collections/*.md', 'workflows/*.md'], {
      cwd: ROOT,
    })) {
      for (const { path, anchor } of linksOf(name, await clone.read(name))) {
        const target = await clone.read(path).catch((error) => (error.code === 'EISDIR' ? '' : undefined))
        const isThere = target !== undefined && (!anchor || anchorsOf(target).includes(anchor))
        if (!isThere) broken.push(`${name}: ${path}#${anchor}`)
      }
    }
    assert.deepEqual(broken, [])
  })

  it('docs/security.md names tests that exist', async () => {
    const named = [...(await clone.read('docs/security.md')).matchAll(/`((?:server|client)\/[\w./-]+\.ts)`/g)]
    assert.ok(named.length > 40)
    for (const [, path = ''] of named) await clone.read(path)
  })

  it('docs/architecture.md names files that exist', async () => {
    const named = [...(await clone.read('docs/architecture.md')).matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g)]
    assert.ok(named.length > 40)
    const folders: Readonly<Record<string, string>> = {
      test: 'server/',
      console: '',
      pages: 'console/src/',
      ui: 'console/src/',
    }
    for (const [, path = ''] of named) {
      const [first = ''] = path.split('/')
      await clone.read(`${folders[first] ?? 'server/src/'}${path}`)
    }
  })
})

const open = async (name: string): Promise<Page> => readPage(name, await clone.read(name))

const programName = (page: string) => `try/${page.replaceAll(/\W/g, '-')}.ts`

/** All of a page's shell blocks, in one session. */
async function type(page: Page): Promise<void> {
  await clone.write('typed.sh', programOf(page, 'sh'))
  check(page, 'sh', await clone.run('bash', '-e', '-u', '-o', 'pipefail', 'typed.sh'))
}

function check(page: Page, language: 'sh' | 'ts' | 'python', { code, output }: Ran): void {
  const printed = outputsOf(output)
  for (const { block, shown } of examplesOf(page, language)) {
    const said = printed.get(block.line)
    const where = `${page.name}:${block.line}`
    if (said === undefined) assert.fail(`${where} ended with ${code} and said:\n${printed.get(0)}`)
    if (!shown) continue
    try {
      checkShown(shown, said)
    } catch (error) {
      assert.fail(`${where} did not print what line ${shown.line} shows. ${(error as Error).message}\n\n${said}`)
    }
  }
  assert.equal(code, 0, printed.get(0))
}
