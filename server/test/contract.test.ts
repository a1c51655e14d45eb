import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openApiText } from '../src/route-manifest.ts'

const ROOT = resolve(import.meta.dirname, '../..')

describe('openapi.json', () => {
  it('matches the routes: `npm run openapi` updates it', async () => {
    assert.equal(await readFile(resolve(ROOT, 'openapi.json'), 'utf8'), await openApiText())
  })

  it('passes the strict lint without an error or a warning', async () => {
    const redocly = resolve(ROOT, 'node_modules/.bin/redocly')
    const { stdout, stderr } = await promisify(execFile)(redocly, ['lint', 'openapi.json', '--format=json'], {
      cwd: ROOT,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    const { totals } = JSON.parse(stdout || stderr) as { totals: { errors: number; warnings: number } }
    assert.deepEqual({ errors: totals.errors, warnings: totals.warnings }, { errors: 0, warnings: 0 })
  })
})
