import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pythonFiles } from '../../client-python/generate.ts'
import { findPython, PACKAGE } from './fixtures/python.ts'
import { type TestService, testService } from './fixtures/service.ts'
import { readPage } from './guide/page.ts'

const ROOT = resolve(import.meta.dirname, '../..')

describe('the Python client', () => {
  it('is generated from openapi.json; otherwise run `npm run python`', async () => {
    for (const [name, text] of Object.entries(await pythonFiles())) {
      assert.ok(readFileSync(join(PACKAGE, 'src/lodgeway', name), 'utf8') === text, `${name} is stale`)
    }
  })
})

const python = await findPython()

describe('the Python client, in Python', { skip: python.skip }, () => {
  let service: TestService
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lodgeway-python-'))
    service = await testService()
  })
  after(() => rmSync(folder, { recursive: true }))

  it('passes its tests, of which one takes a matter from the order to the registered title', async () => {
    const args = ['-m', 'unittest', 'discover', '--start-directory', join(PACKAGE, 'tests')]
    const output = await python.run(args, folder, { LODGEWAY_URL: service.url })
    assert.match(output, /\nOK$/m) // nothing was skipped
  })

  it('has types that are strict, as has what its README and the guide show', async () => {
    const { blocks } = readPage('README.md', readFileSync(join(PACKAGE, 'README.md'), 'utf8'))
    for (const { line, text } of blocks.filter(({ language }) => language === 'python')) {
      writeFileSync(join(folder, `readme_line_${line}.py`), text)
    }
    const checked = [join(PACKAGE, 'src'), join(PACKAGE, 'tests'), join(ROOT, 'docs/guide/matter.py'), folder]
    const cache = ['--cache-dir', join(ROOT, 'node_modules/.cache/mypy')]
    const output = await python.run(['-m', 'mypy', '--strict', ...cache, ...checked], ROOT, {
      MYPYPATH: `${join(PACKAGE, 'src')}:${join(ROOT, 'docs/guide')}`,
    })
    assert.match(output, /Success/)
  })

  it('can be installed', async () => {
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--target', folder, PACKAGE]
    await python.run(args, folder)
    const printed = 'import lodgeway, os; print(lodgeway.__file__, os.listdir(os.path.dirname(lodgeway.__file__)))'
    const output = await python.run(['-c', printed], folder, { PYTHONPATH: folder })
    assert.ok(output.startsWith(folder) && output.includes('py.typed'), output)
  })
})
