import assert from 'node:assert/strict'
import { cpSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import { execute, installed } from './fixtures/on-demand.ts'
import { type TestService, testService } from './fixtures/service.ts'
import { collectionOf, filesOf } from './scripts/collections/generate.ts'
import { ENVIRONMENT } from './scripts/collections/model.ts'

const FOLDER = resolve(import.meta.dirname, '../../collections')
const PROGRAMS = join(import.meta.dirname, 'collections')
const RUN_MS_MAX = 300_000
const READ_AND_CHANGE = ['getWorkspace', 'updateWorkspace']

const collection = await collectionOf()
const files = filesOf(collection)

describe('the collections', () => {
  it('are current (npm run collections)', () => {
    const committed = globSync('{bruno,postman}/**/*.{bru,json}', { cwd: FOLDER })
    assert.deepEqual(committed.sort(), [...files.keys()].sort())
    for (const [path, text] of files) assert.ok(readFileSync(join(FOLDER, path), 'utf8') === text, `${path} is stale`)
  })

  it('use no variable that nothing sets', () => {
    const { ids, etags, folders } = collection
    const captured = folders.flatMap(({ items }) => items.flatMap((item) => Object.keys(item.captured ?? {})))
    const known = new Set([...ids, ...etags, ...captured, ...Object.keys(ENVIRONMENT), 'lenderToken', 'firmToken'])
    const used = [...files.values()].flatMap((text) =>
      [...text.matchAll(/\{\{([^}]*)\}\}/g)].map(([, name = '']) => name),
    )
    assert.deepEqual([...new Set(used).difference(known)], [])
  })
})

/** 350 MB, so not in `npm test`: `npm run proof -- collections`. */
const programs =
  process.env['COLLECTIONS'] === 'run'
    ? await installed('collections', join(PROGRAMS, 'package-lock.json'), install)
    : { folder: '', skip: '`npm run proof -- collections` runs them' }

function install(folder: string, options: { cwd: string; timeout: number }) {
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(PROGRAMS, name), join(folder, name))
  return execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'], options)
}

describe('the collections, with a real sandbox', { skip: programs.skip }, () => {
  let service: TestService
  before(async () => {
    service = await testService()
  })

  const run = async (program: string, args: string[], folder: string) => {
    const all = [join(programs.folder, 'node_modules', program), ...args, '--env-var', `baseUrl=${service.url}`]
    const options = { cwd: join(FOLDER, folder), timeout: RUN_MS_MAX }
    return (await execute(process.execPath, all, options).catch(failed)).stdout
  }
  const failed = ({ message, stdout }: { message: string; stdout: string }) => assert.fail(`${message}\n${stdout}`)

  // Each ends with a change that carries the ETag of a read.
  it('run in newman', async () => {
    const names = collection.folders.flatMap(({ items }) => items.filter(({ id }) => READ_AND_CHANGE.includes(id)))
    const chosen = ['First matter', ...names.map(({ name }) => name)].flatMap((name) => ['--folder', name])
    const files = ['lodgeway.postman_collection.json', '-e', 'sandbox.postman_environment.json']
    const printed = await run('newman/bin/newman.js', ['run', ...files, ...chosen], 'postman')
    assert.match(printed, /PATCH \S+\/workspaces\/[\w-]+ \[200 OK/)
  })

  it('run in bru', async () => {
    const chosen = ['first-matter', ...READ_AND_CHANGE.map((id) => `workspaces/${id}.bru`)]
    const printed = await run('@usebruno/cli/bin/bru.js', ['run', ...chosen, '--env', 'Sandbox'], 'bruno')
    assert.match(printed, /workspaces\/updateWorkspace \(200 OK\)/)
  })

  it('are in files that Bruno reads', () => {
    const { bruToJsonV2 } = createRequire(join(programs.folder, 'index.js'))('@usebruno/lang')
    const requests = [...files].filter(([path]) => /^bruno\/(?!environments|collection).*(?<!folder)\.bru$/.test(path))
    for (const [path, text] of requests) assert.ok(bruToJsonV2(text).http.url, path)
  })
})
