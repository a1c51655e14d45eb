import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ifInstallable } from '../../../server/test/on-demand/on-demand.ts'
import { findBrowser } from './chromium.ts'

describe('the browser of the tests', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodgeway-browsers-'))
    for (const name of ['google-chrome', 'mine']) await writeFile(join(folder, name), '', { mode: 0o700 })
  })
  after(() => rm(folder, { recursive: true }))

  it('is the one that CHROMIUM names, before one of the machine', async () => {
    const found = await findBrowser({ CHROMIUM: join(folder, 'mine'), PATH: folder })
    assert.deepEqual(found, { executablePath: join(folder, 'mine'), env: {} })
  })

  it('is one of the machine, before one that npm installs', async () => {
    const found = await findBrowser({ PATH: `${join(folder, 'nothing')}:${folder}` })
    assert.deepEqual(found, { executablePath: join(folder, 'google-chrome'), env: {} })
  })

  it('must exist if CHROMIUM names it', () =>
    assert.rejects(findBrowser({ CHROMIUM: join(folder, 'gone') }), /gone, which cannot be executed/))
})

describe('what is installed on demand', () => {
  const isAlways = process.platform === 'linux' && process.arch === 'x64'
  const without = (environment: NodeJS.ProcessEnv) =>
    ifInstallable(() => Promise.reject(new Error('No registry.')), environment)

  it('is missed loudly without a registry, and fails in CI', { skip: !isAlways }, async () => {
    assert.equal(await without({}), undefined)
    await assert.rejects(without({ CI: 'true' }), /No registry/)
  })
})
