import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { machineNode } from '../../server/test/fixtures/machine-node.ts'
import { VERSION } from '../src/version.ts'

// The package as it is published: compiled, in a project of its own, without the service.

const run = promisify(execFile)
const CLI = resolve(import.meta.dirname, '..')
const MODULES = resolve(CLI, '../node_modules')

let project: string
before(async () => {
  project = await mkdtemp(join(tmpdir(), 'lodgeway-cli-package-'))
  const installed = join(project, 'node_modules/@lodgeway/cli')
  await mkdir(installed, { recursive: true })
  await run(join(MODULES, '.bin/tsc'), ['-p', CLI, '--outDir', join(installed, 'dist')])
  for (const name of ['package.json', 'bin']) await cp(join(CLI, name), join(installed, name), { recursive: true })
  for (const name of ['commander', 'openapi-fetch', 'openapi-typescript-helpers']) {
    await symlink(join(MODULES, name), join(project, 'node_modules', name))
  }
})
after(() => rm(project, { recursive: true, force: true }))

async function lodgeway(node: string, ...words: string[]) {
  const env = { HOME: project, XDG_CONFIG_HOME: project, PATH: '' }
  const bin = join(project, 'node_modules/@lodgeway/cli/bin/lodgeway.js')
  return run(node, [bin, ...words], { env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

describe('the compiled package', () => {
  const works = async (node: string) => {
    assert.equal((await lodgeway(node, '--version')).stdout, `${VERSION}\n`)
    const { stdout } = await lodgeway(node, '--help')
    assert.match(stdout, /^For integrators:\n[\s\S]*^ {2}doctor /m)
    assert.doesNotMatch(stdout, /For operators/)
    const { code, stderr } = await lodgeway(node, 'whoami', '--url', 'http://127.0.0.1:1')
    assert.match(stderr, /Does the sandbox run at http:\/\/127\.0\.0\.1:1/)
    assert.equal(code, 3)
  }

  it('runs on this Node', () => works(process.execPath))

  it('runs on Node 20', async (t) => {
    const old = await machineNode(20)
    if (!old) return t.skip('this machine has no Node 20')
    await works(old)
  })
})

describe('npm', () => {
  it('links the one program of the clone', async () => {
    assert.equal(await readlink(join(MODULES, '.bin/lodgeway')), '../@lodgeway/cli/bin/lodgeway.js')
  })
})
