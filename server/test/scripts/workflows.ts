import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readConfig } from '../../src/config.ts'
import type { App } from '../../src/platform/http/http.ts'
import { type Sent, senderOf } from '../../src/sandbox/send.ts'
import { play } from '../../src/scenarios/play.ts'
import { SCENARIOS, type Scenario, type ScenarioStep } from '../../src/scenarios/scenarios.ts'
import { startService } from '../../src/service.ts'
import { arazzoOf, type Recorded } from './arazzo.ts'
import { replaceFile } from './replace-file.ts'

// The files of workflows/, made by playing each scenario and writing down its requests. `npm run workflows` renews them.

const ROOT = resolve(import.meta.dirname, '../../..')

export const fileOf = ({ name }: Scenario): string => join(ROOT, `workflows/${name}.arazzo.yaml`)

/** Plays a scenario to its end, and returns its file. */
export async function workflowOf(app: App, scenario: Scenario): Promise<string> {
  const recorded: Recorded[] = []
  let step: ScenarioStep | undefined
  const onSent = (sent: Sent) => step && recorded.push({ step, sent })
  await play(senderOf(app, onSent), scenario, `WORKFLOW-${scenario.name.slice(0, 15)}`.toUpperCase(), {
    async onStep(next) {
      step = next
    },
    onOrdered() {},
  })
  return arazzoOf(scenario, recorded, JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')))
}

if (process.argv[1] === import.meta.filename) {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'lodgeway-workflows-'))
  const env = { DATA_DIR, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' }
  let app: App | undefined
  const service = await startService(readConfig(env, { sandbox: true, part: 'serve' }), {
    http: true,
    worker: true,
    matters: false,
    extra: (started) => {
      app = started
    },
  })
  try {
    for (const scenario of SCENARIOS) if (app) await replaceFile(fileOf(scenario), await workflowOf(app, scenario))
  } finally {
    await service.stop()
    await rm(DATA_DIR, { recursive: true, force: true })
  }
}
