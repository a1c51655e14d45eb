import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { machineNode } from '../../server/test/fixtures/machine-node.ts'
import { exportsOf, readmeExamples } from './support/examples.ts'
import { aFault, DROPPED, type Reply, type Seen, startStub } from './support/stub.ts'

// The package as it is published: compiled, in a project of its own.

const run = promisify(execFile)
const CLIENT = resolve(import.meta.dirname, '..')
const MODULES = resolve(CLIENT, '../node_modules')
const TSC = join(MODULES, '.bin/tsc')
const NODE = process.execPath

let project: string
before(async () => {
  project = await mkdtemp(join(tmpdir(), 'lodgeway-package-'))
  const installed = join(project, 'node_modules/@lodgeway/client')
  await mkdir(join(project, 'node_modules/@types'), { recursive: true })
  await run(TSC, ['-p', CLIENT, '--outDir', join(installed, 'dist')])
  await cp(join(CLIENT, 'package.json'), join(installed, 'package.json'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types']) {
    await symlink(join(MODULES, name), join(project, 'node_modules', name))
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await cp(join(import.meta.dirname, 'support/smoke.mjs'), join(project, 'smoke.mjs'))
})
after(() => rm(project, { recursive: true, force: true }))

describe('the documentation', () => {
  const all = exportsOf()

  it('describes every export, with an example', () => {
    const bare = all.filter(({ about, example }) => about.length < 10 || example === '')
    assert.deepEqual(
      bare.map(({ door, name }) => `${door} ${name}`),
      [],
    )
    assert.ok(all.length > 25)
  })

  it('has examples that compile against the package, strictly, as a partner would', async () => {
    const examples = [...all.map(({ name, example }) => [name, example] as const), ...readmeExamples().entries()]
    await Promise.all(
      examples.map(([name, code]) => writeFile(join(project, `example-${name}.ts`), `${code}\nexport {}\n`)),
    )
    const files = (await readdir(project)).filter((name) => name.endsWith('.ts'))
    const flags =
      '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --module nodenext --target es2022'
    const { stdout } = await run(TSC, [...flags.split(' '), '--types', 'node', ...files], { cwd: project }).catch(
      (error) => error,
    )
    assert.equal(stdout, '')
  })
})

describe('the compiled package', () => {
  it('runs on this Node', async () => {
    assert.equal(await smoke(NODE), process.versions.node)
  })

  it('runs on Node 20', async (t) => {
    const old = await machineNode(20)
    if (!old) return t.skip('this machine has no Node 20')
    assert.match(await smoke(old), /^20\./)
  })
})

/** Runs smoke.mjs against a service that sometimes fails, and returns the version of Node that ran it. */
async function smoke(node: string): Promise<string> {
  const content = randomBytes(150_000)
  const { url } = await startStub(script(content))
  const path = join(project, 'upload.pdf')
  await writeFile(path, content)
  const { stdout } = await run(node, ['smoke.mjs', url, path, join(project, 'saved.csv')], {
    cwd: project,
    timeout: 60_000,
  })
  return stdout
}

/** The responses to each kind of request, in order; the last one is repeated. */
function script(content: Buffer): (seen: Seen) => Reply {
  const title = { status: 202, json: { titleNumber: 'ST500678' } }
  const whole = (from: number): Reply => ({
    status: from ? 206 : 200,
    bytes: content.subarray(from),
    headers: { etag: '"1"', ...(from && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }) },
  })
  const replies: [RegExp, Reply[]][] = [
    [
      /^GET .*\/workspaces$/,
      [DROPPED, { json: { records: [{ reference: 'A' }, { reference: 'B' }], nextCursor: 'c' } }],
    ],
    [/cursor=c$/, [aFault(503, 'Later.'), { json: { records: [{ reference: 'C' }] } }]],
    [/^GET .*\/workspaces\/w$/, [aFault(404, 'No such workspace.', 'workspace_id')]],
    [/\/titles$/, [DROPPED, { ...title, dropAfterBytes: 5 }, title]],
    [/\/files$/, [DROPPED, { status: 202, json: { fileId: 'f' } }]],
  ]
  let downloads = 0
  return ({ method, url, headers }) => {
    const from = Number(/bytes=(\d+)/.exec(headers['range'] ?? '')?.[1] ?? 0)
    if (url.endsWith('/content')) return { ...whole(from), ...(downloads++ === 0 && { dropAfterBytes: 50_000 }) }
    const [, queue = []] = replies.find(([pattern]) => pattern.test(`${method} ${url}`)) ?? []
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? { status: 500 }
  }
}
