// Long because every rule about the code is in one place.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { EVENT_TYPES } from '../src/events/types.ts'
import { readMigrations } from '../src/platform/database/migrations.ts'
import { readRoutes } from '../src/route-manifest.ts'
import { jobNames } from '../src/worker.ts'

// The rules of the code base, executable. A failure names the file and says what to do.

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = resolve(ROOT, 'server/src')

/** Who may import whom: a feature uses the platform, itself, and what is listed before it. */
const ORDER = [
  'platform',
  'jurisdiction',
  'audit',
  'events',
  'auth',
  'people',
  'requests',
  'operator',
  'notifications',
  'workspaces',
  'subscribers',
  'registry',
  'simulated-registry',
  'hmlr',
  'lodgement',
  'titles',
  'title-reconciliation',
  'representation',
  'documents',
  'settlement',
  'manual-payments',
  'approvals',
  'worklist',
  'matter',
  'evidence',
  'figures',
  'reports',
  'retention',
  'sandbox',
  'scenarios',
  'faults',
]

const PRIVATE = /(^|-)(routes|jobs|schema)\.ts$/
const DOOR = /(^|-)(routes|jobs)\.ts$/
const LINES_MAX = 250

type Source = { path: string; feature: string; file: string; text: string; imports: string[] }

const isTest = (path: string) => /\.(test|fixture)\.ts$/.test(path)

const sources: Source[] = globSync('**/*.ts', { cwd: SOURCES })
  .filter((path) => !isTest(path))
  .map((path) => {
    const text = readFileSync(join(SOURCES, path), 'utf8')
    return { path, feature: featureOf(path), file: basename(path), text, imports: importsOf(path, text) }
  })

function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, target = '']) =>
    target.startsWith('.') ? relative(SOURCES, join(SOURCES, dirname(path), target)) : target,
  )
}

/** The command line is above the features, like the files next to its folder. */
function featureOf(path: string): string {
  const [folder = '', ...rest] = path.split('/')
  return rest.length > 0 && !['cli', 'start'].includes(folder) ? folder : ''
}

const pathsOf = (found: readonly { path: string }[]): string[] => found.map(({ path }) => path)

/** Fails with what was found, and what to do about it. */
function assertNone(found: readonly string[], advice: string): void {
  assert.ok(found.length === 0, `${[...new Set(found)].join(', ')}: ${advice}`)
}

describe('who may import whom', () => {
  it('knows every folder', () => {
    const unknown = sources.filter(({ feature }) => feature !== '' && !ORDER.includes(feature))
    const names = unknown.map(({ feature }) => `'${feature}'`)
    assertNone(names, 'add it to ORDER in server/test/architecture.test.ts, after every feature that it imports')
  })

  for (const { path, feature, file, imports } of sources) {
    if (feature === '') continue
    it(`${path} keeps the rule`, () => {
      for (const target of imports.filter((one) => one.endsWith('.ts'))) {
        const other = featureOf(target)
        assert.notEqual(
          other,
          '..',
          `${path} imports ${target}: only console.ts may. Pass it what it needs as an argument`,
        )
        assert.notEqual(
          other,
          '',
          `${path} imports ${target}, which is above all features. Move what both need into a feature or the platform`,
        )
        if (other === feature) continue
        assert.ok(
          other === 'platform' || !PRIVATE.test(basename(target)),
          `${path} imports ${target}, which only its own feature may. Move what both need to its rules, its store or a file of its own`,
        )
        const isDoor = DOOR.test(file)
        const comesEarlier = ORDER.indexOf(other) < ORDER.indexOf(feature)
        const advice = `move '${feature}' behind '${other}' in ORDER, or what needs it to ${feature}/routes.ts or jobs.ts`
        assert.ok(
          comesEarlier || (isDoor && feature !== 'platform'),
          `${path} imports ${target}, and '${other}' comes later in ORDER (server/test/architecture.test.ts): ${advice}`,
        )
      }
    })
  }

  it('keeps the platform technical: it has no business term', () => {
    const nouns =
      /workspace|lodgement|lender|mortgage|settlement|conveyanc|borrower|proprietor|law.?firm|bank.?account/i
    for (const { path, text } of sources.filter(({ feature }) => feature === 'platform')) {
      assert.doesNotMatch(
        text,
        nouns,
        `${path} has a business term: move that part into a feature, or use a technical word`,
      )
    }
  })

  it('keeps rules pure: no store, no HTTP, no database, no files, no clock, no chance', () => {
    for (const { path, imports, text } of sources.filter(({ file }) => /^rules/.test(file))) {
      const forbidden = imports.filter((one) => /store|routes|jobs|^pg|fastify|node:(fs|http|net)/.test(one))
      assertNone(forbidden, `${path} imports it, but rules are pure. Let the caller load it and pass it in`)
      assert.doesNotMatch(
        text,
        /Date\.now\(\)|new Date\(\)|Math\.random|randomUUID/,
        `${path} reads a clock or chance: take it as an argument`,
      )
    }
  })

  it('keeps SQL in store files, verbs and the platform, never in routes', () => {
    for (const { path, text } of sources.filter(({ file }) => /(^|-)routes\.ts$/.test(file))) {
      assert.doesNotMatch(
        text,
        /`\s*(select|insert into|update|delete from) /i,
        `${path} has SQL: move it to the feature's store.ts`,
      )
    }
  })
})

describe('files', () => {
  const all = globSync('{server,client,console,cli,bench}/**/*.{ts,js}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '{client,cli}/dist/**'],
  })
  for (const path of all) {
    it(`${path} has at most ${LINES_MAX} lines, or says at its top why not`, () => {
      const lines = readFileSync(join(ROOT, path), 'utf8').split('\n')
      if (lines.length <= LINES_MAX + 1) return
      assert.match(
        lines.slice(0, 3).join('\n'),
        /Long because/,
        `${path} has ${lines.length} lines: split it, or begin it with "// Long because …"`,
      )
    })
  }
})

const migrations = await readMigrations()

describe('migrations', () => {
  for (const { name, compatibleFrom } of migrations) {
    if (name <= '0008_title_documents.sql') continue // of 1.0.0
    it(`${name} says with which versions it is compatible`, () => {
      assert.ok(compatibleFrom, `${name} needs a line "-- compatible: yes" (CONTRIBUTING.md, "Add a migration").`)
    })
  }
})

const routes = await readRoutes()

describe('routes', () => {
  for (const { url, method, config, schema } of routes) {
    if (config?.undocumented || method === 'HEAD') continue
    it(`${method} ${url} is scoped and documented`, () => {
      assert.ok(config?.scope, 'config.scope is missing: one of server/src/auth/scopes.ts (CONTRIBUTING.md says which)')
      const needed = ['operationId', 'summary', 'description', 'tags', 'response']
      const missing = needed.filter((name) => !(schema as Record<string, unknown> | undefined)?.[name])
      assertNone(missing, 'missing in the schema of the route')
    })
  }
})

describe('jobs', () => {
  it('has a consumer for every job that is enqueued or scheduled', () => {
    const named = sources.flatMap(({ text }) =>
      [...text.matchAll(/\bjob: '([a-z-]+\.[a-z-]+)'|(?:enqueue|schedule)\([^)]*?'([a-z-]+\.[a-z-]+)'/g)].map(
        ([, a, b]) => a ?? b ?? '',
      ),
    )
    assertNone(
      named.filter((name) => !jobNames.includes(name)),
      'nothing runs this job. Add it to jobsOf in server/src/worker.ts, or correct its name',
    )
  })

  it('has each in a file whose name says so', () => {
    const wrong = sources.filter(({ path, text }) => /\bjob(<\w+>)?\(\{/.test(text) && !/jobs/.test(path))
    assertNone(pathsOf(wrong), 'move the job to the jobs.ts of its feature')
  })

  it('names each once', () => {
    const twice = jobNames.filter((name, index) => jobNames.indexOf(name) !== index)
    assertNone(twice, 'two jobs of server/src/worker.ts have this name. Rename one')
  })
})

/** Every table of a matter. */
const MATTER_TABLES = [
  'workspaces',
  'parties',
  'proprietors',
  'titles',
  'title_documents',
  'representations',
  'external_law_firms',
  'lodgement_cases',
  'lodgement_applications',
  'confirmations',
  'lodgement_approvals',
  'files',
  'submissions',
  'registry_notices',
  'requisitions',
  'settlement_schedules',
  'schedule_approvals',
  'line_items',
  'settlements',
]

/** What only the one door may do: write a matter, choose the recipients of its events, record its audit, review it. */
const ROUND_THE_DOOR = [
  new RegExp(`(insert into|update|delete from)\\s+(${MATTER_TABLES.join('|')})\\b`),
  /\[lenderId, lawFirmId\]/,
  /\brecordWorkspaceAudit\(/,
  /\breviewCase\(/,
]

/** The end of a matter is no change of it. */
const END = 'retention/erase.ts'

describe('the one door for changes of a matter', () => {
  it('is the only one', () => {
    const wrong = sources.filter(
      ({ feature, path, text }) => feature !== 'matter' && path !== END && ROUND_THE_DOOR.some((way) => way.test(text)),
    )
    assertNone(
      pathsOf(wrong),
      'changes a matter by itself. Return a change, and let server/src/matter/ write it (docs/decisions/0017-one-door.md)',
    )
  })
})

describe('the console', () => {
  const found = globSync('console/src/**/*.{ts,js}', { cwd: ROOT }).filter((path) => !isTest(path))
  const texts = found.map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }))

  it('imports only the client and itself', () => {
    const wrong = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/from '(\.[^']+)'/g)]
        .map(([, target = '']) => join(dirname(path), target))
        .filter((target) => !/^(console\/src|client\/src)\//.test(target))
        .map((target) => `${path}: ${target}`),
    )
    assertNone(
      wrong,
      'the console may import only the client and itself. What it needs of the service goes through Doors',
    )
  })

  it('keeps its policy: no markup from text, no inline style, no inline handler, every attribute in quotes', () => {
    for (const { path, text } of texts) {
      assert.doesNotMatch(
        text,
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write/,
        `${path}: use replaceChildren`,
      )
      assert.doesNotMatch(text, /<[a-z][^>]*\s(style|on[a-z]+)=/, `${path}: use a class, and a script of browser/`)
      assert.doesNotMatch(text, /<[a-z][^<>]*\s[a-z-]+=\$\{/, `${path}: put the attribute in quotes`)
    }
  })

  it('makes markup only by `html`', () => {
    const wrong = texts.filter(({ path, text }) => /new Markup\(/.test(text) && !path.endsWith('ui/html.ts'))
    assertNone(pathsOf(wrong), 'use `html` of ui/html.ts, which escapes')
  })

  it('names a role for each page', () => {
    const lines = readFileSync(join(ROOT, 'console/src/routes.ts'), 'utf8').split('\n')
    for (const line of lines.filter((one) => one.includes('path:')))
      assert.match(line, /role: '[a-z ]+'/, `console/src/routes.ts: add role: '…' to ${line.trim()}`)
  })
})

describe('the command line for integrators', () => {
  const importsIn = (pattern: string) =>
    globSync(pattern, { cwd: ROOT })
      .filter((path) => !isTest(path))
      .flatMap((path) => {
        const found = readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
        return [...found].map(([, target = '']) => ({ path, target: join(dirname(path), target) }))
      })

  it('imports only itself and the two entries of the client, as it is published with them', () => {
    const wrong = importsIn('cli/src/**/*.ts').filter(
      ({ target }) => !/^cli\/src\/|^client\/src\/(index|webhooks)\.ts$/.test(target),
    )
    assert.deepEqual(wrong, [])
  })

  it('is known to the service only where that hands commands over', () => {
    const knows = importsIn('server/src/**/*.ts').filter(({ target }) => target.startsWith('cli/'))
    const files = new Set(knows.map(({ path }) => path))
    assert.deepEqual([...files].sort(), ['server/src/cli/command-line.ts', 'server/src/cli/start.ts'])
  })

  it('is the only package with a program, so that npm always links the same one', () => {
    const packages = globSync('{server,client,console,cli}/package.json', { cwd: ROOT })
    const withProgram = packages.filter((path) => 'bin' in JSON.parse(readFileSync(join(ROOT, path), 'utf8')))
    assert.deepEqual(withProgram, ['cli/package.json'])
  })
})

const FILES_MAX = 15

describe('features', () => {
  it(`have at most ${FILES_MAX} source files`, () => {
    const counts = Object.entries(Object.groupBy(sources, ({ feature }) => feature))
    const large = counts.filter(
      ([feature, files = []]) => !['', 'platform'].includes(feature) && files.length > FILES_MAX,
    )
    assertNone(
      large.map(([feature]) => feature),
      `has more than ${FILES_MAX} source files. Join small ones, or take a part out as a feature of its own`,
    )
  })
})

describe('event types', () => {
  it('are each described', () => {
    for (const [type, description] of Object.entries(EVENT_TYPES))
      assert.ok(description.length > 10, `${type}: say in server/src/events/types.ts what it means`)
  })

  it('are the only ones that are recorded', () => {
    const recorded = sources.flatMap(({ text }) =>
      [...text.matchAll(/recordEvent\([^)]*?type: '([A-Z_]+)'/gs)].map(([, type = '']) => type),
    )
    assertNone(
      recorded.filter((type) => !(type in EVENT_TYPES)),
      'add this type to EVENT_TYPES in server/src/events/types.ts',
    )
  })
})
