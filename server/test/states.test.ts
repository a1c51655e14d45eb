import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { replaceFile } from './scripts/replace-file.ts'
import { STATES_PAGE, stateDiagram, statesPage } from './scripts/states.ts'

describe('docs/states.md', () => {
  it('matches the code: `npm run states` updates it', async () => {
    assert.equal(await readFile(STATES_PAGE, 'utf8'), statesPage())
  })
})

describe('stateDiagram', () => {
  it('draws the first status, every transition with its event, and the final statuses', () => {
    const transitions = { OPEN: { shut: 'SHUT', painted: 'OPEN' }, SHUT: {} }
    assert.equal(
      stateDiagram({ of: 'A door', begins: { event: 'hung', status: 'OPEN' }, transitions }),
      [
        '```mermaid',
        'stateDiagram-v2',
        '  [*] --> OPEN: hung',
        '  OPEN --> SHUT: shut',
        '  OPEN --> OPEN: painted',
        '  SHUT --> [*]',
        '```',
      ].join('\n'),
    )
  })
})

describe('a script that generates a file', () => {
  it('leaves it whole where it fails, and nothing beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lodgeway-replace-'))
    try {
      await writeFile(join(folder, 'file'), 'before')
      await replaceFile(join(folder, 'file'), 'after')
      assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'after')
      await mkdir(join(folder, 'other/full'), { recursive: true })
      await assert.rejects(replaceFile(join(folder, 'other'), 'after'), { code: 'EISDIR' })
      assert.deepEqual((await readdir(folder)).sort(), ['file', 'other'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is not redirected to it by the shell, which empties it first', async () => {
    for (const folder of ['.', 'client', 'server', 'console']) {
      const path = resolve(import.meta.dirname, '../..', folder, 'package.json')
      const { scripts = {} } = JSON.parse(await readFile(path, 'utf8')) as { scripts?: Record<string, string> }
      for (const [name, command] of Object.entries(scripts)) {
        assert.doesNotMatch(command, />/, `${path}: write "${name}" with replaceFile of server/test/scripts`)
      }
    }
  })
})
