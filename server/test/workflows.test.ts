import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import type { App } from '../src/platform/http/http.ts'
import { SCENARIOS } from '../src/scenarios/scenarios.ts'
import { type TestService, testService } from './fixtures/service.ts'
import { fileOf, workflowOf } from './scripts/workflows.ts'

// Each scenario is played here, and the files of the documentation are what it did.

const ROOT = resolve(import.meta.dirname, '../..')
const REDOCLY = join(ROOT, 'node_modules/.bin/redocly')
const RUN_MS_MAX = 600_000

let service: TestService
let app: App
before(async () => {
  service = await testService({
    extra: (started) => {
      app = started
    },
  })
})

describe('workflows', () => {
  it('has a file for each scenario, and no other', () =>
    assert.deepEqual(globSync(join(ROOT, 'workflows/**/*.yaml')).sort(), SCENARIOS.map(fileOf).sort()))

  for (const scenario of SCENARIOS)
    it(`${scenario.name} plays to its end, and its file is current (npm run workflows)`, async () =>
      assert.equal(readFileSync(fileOf(scenario), 'utf8'), await workflowOf(app, scenario)))

  // The runner is slow to start, and what makes one file makes all of them.
  it('run as a reader runs them', async () => {
    const files = ['requisition', 'payment-refused'].map((name) => `workflows/${name}.arazzo.yaml`)
    const args = [REDOCLY, 'respect', ...files, '--server', `lodgeway=${service.url}`]
    const env = { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    await new Promise<void>((passed, failed) =>
      execFile(process.execPath, args, { cwd: ROOT, env, timeout: RUN_MS_MAX }, (error, stdout, stderr) =>
        error ? failed(new Error(`${error.message}\n${stdout}\n${stderr}`)) : passed(),
      ),
    )
  })
})
