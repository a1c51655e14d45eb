import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openApiText } from '../src/route-manifest.ts'

type Problem = { message: string; ruleId: string; location: { pointer?: string }[] }

const ROOT = resolve(import.meta.dirname, '../..')

describe('openapi.json', () => {
  it('matches the routes: `npm run openapi` updates it', async () => {
    const isCurrent = (await readFile(resolve(ROOT, 'openapi.json'), 'utf8')) === (await openApiText())
    assert.ok(isCurrent, 'openapi.json is not what the routes say: run `npm run openapi`, and commit what it writes')
  })

  it('passes the strict lint without an error or a warning', async () => {
    const redocly = resolve(ROOT, 'node_modules/.bin/redocly')
    const options = {
      cwd: ROOT,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    }
    const linted = promisify(execFile)(redocly, ['lint', 'openapi.json', '--format=json'], options)
    const { stdout, stderr } = await linted.catch((failed: { stdout: string; stderr: string }) => failed)
    const { problems } = JSON.parse(stdout || stderr) as { problems: Problem[] }
    const found = problems.map(({ message, ruleId, location: [at] }) => `${at?.pointer}: ${message} (${ruleId})`)
    assert.ok(
      found.length === 0,
      `Correct the schema or the route of each, then run \`npm run openapi\`:\n${found.join('\n')}`,
    )
  })
})
