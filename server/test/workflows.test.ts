import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type TestService, testService } from './fixtures/service.ts'

// The workflows of the documentation, run as a reader runs them.

const ROOT = resolve(import.meta.dirname, '../..')
const REDOCLY = join(ROOT, 'node_modules/.bin/redocly')
const FILES = globSync('workflows/*.arazzo.yaml', { cwd: ROOT }).sort()
const RUN_MS_MAX = 600_000

type Step = { stepId: string }
type Ran = { workflowId: string; executedSteps: (Step | (Step & Ran))[] }
type Report = { files: Record<string, { executedWorkflows: Ran[] }> }

let service: TestService
let folder: string
before(async () => {
  service = await testService()
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-workflows-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The workflows that ran, by file, or the runner's whole output if one failed. One run for all, as its start is slow. */
async function runAll(): Promise<Map<string, Ran[]>> {
  const report = join(folder, 'report.json')
  const args = [REDOCLY, 'respect', ...FILES, '--server', `lodgeway=${service.url}`, '--json-output', report]
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: ROOT, env, timeout: RUN_MS_MAX }
  await new Promise<void>((passed, failed) =>
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      error ? failed(new Error(`${error.message}\n${stdout}\n${stderr}`)) : passed(),
    ),
  )
  const { files } = JSON.parse(await readFile(report, 'utf8')) as Report
  return new Map(Object.entries(files).map(([file, { executedWorkflows }]) => [file, executedWorkflows]))
}

/** The steps of each workflow, as they are written. */
function writtenSteps(): Map<string, string[]> {
  const files = globSync('workflows/**/*.arazzo.yaml', { cwd: ROOT }).map((file) => join(ROOT, file))
  const workflows = files.flatMap((file) => readFileSync(file, 'utf8').split('\n  - workflowId: ').slice(1))
  const stepsOf = (text: string) => [...text.matchAll(/^ {6}- stepId: (.+)$/gm)].map(([, stepId = '']) => stepId)
  return new Map(workflows.map((text) => [text.slice(0, text.indexOf('\n')), stepsOf(text)]))
}

/** A step that was tried again counts once. */
const ranSteps = ({ executedSteps }: Ran): string[] => [...new Set(executedSteps.map(({ stepId }) => stepId))]

const withChildren = (workflow: Ran): Ran[] => [
  workflow,
  ...workflow.executedSteps.filter((step) => 'executedSteps' in step).flatMap(withChildren),
]

describe('workflows', () => {
  const written = writtenSteps()

  it('are five files', () => assert.equal(FILES.length, 5))

  it('run against the sandbox, every file and every step of it', async () => {
    const ran = await runAll()
    assert.deepEqual([...ran.keys()].sort(), FILES)
    for (const workflows of ran.values()) {
      assert.ok(workflows.length > 0)
      for (const workflow of workflows.flatMap(withChildren))
        assert.deepEqual(ranSteps(workflow), written.get(workflow.workflowId), workflow.workflowId)
    }
  })
})
