import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { generated } from '../generate.ts'
import { createClient } from '../src/index.ts'
import { OPERATIONS } from '../src/operations.ts'

describe('src/schema.ts and src/operations.ts', () => {
  it('are generated from openapi.json; otherwise run `npm run -w client generate`', async () => {
    for (const [name, text] of Object.entries(await generated())) {
      const committed = await readFile(new URL(`../src/${name}`, import.meta.url), 'utf8')
      assert.ok(committed === text, `src/${name} is stale: run \`npm run -w client generate\``)
    }
  })

  it('have no operation with the name of one of the client’s own methods', () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1', clientId: 'a', clientSecret: 'b' })
    const own = Object.keys(client).filter((name) => !(name in OPERATIONS))
    const expected = ['call', 'records', 'pages', 'upload', 'download', 'downloadTo', 'waitFor']
    assert.deepEqual(
      expected.filter((name) => !own.includes(name)),
      [],
    )
  })
})
