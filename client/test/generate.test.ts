import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { schemaText } from '../generate.ts'
import { createClient } from '../src/index.ts'
import { OPERATIONS } from '../src/schema.ts'

describe('src/schema.ts', () => {
  it('is generated from openapi.json; otherwise run `npm run -w client generate`', async () => {
    const committed = await readFile(new URL('../src/schema.ts', import.meta.url), 'utf8')
    assert.ok(committed === (await schemaText()), 'src/schema.ts is stale: run `npm run -w client generate`')
  })

  it('has no operation with the name of one of the client’s own methods', () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1', clientId: 'a', clientSecret: 'b' })
    const own = Object.keys(client).filter((name) => !(name in OPERATIONS))
    const expected = ['call', 'records', 'pages', 'upload', 'download', 'downloadTo', 'waitFor']
    assert.deepEqual(
      expected.filter((name) => !own.includes(name)),
      [],
    )
  })
})
