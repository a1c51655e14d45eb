import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Lodgeway } from '../../../client/src/index.ts'
import type { Session } from '../session.ts'
import { type Finding, notSeen, type Seen, type Situation } from './situations.ts'

const POLL_MS = 200
const LOG_MS_MAX = 10_000
const CALLS_MAX = 30
const SCENARIO_MS_MAX = 120_000
const MARGIN_SECONDS = 180

/** Counts the calls of the client and does nothing else. */
const COUNTER = { kind: 'DELAY', share: 0 } as const

export type Options = { clientId: string; run?: string | undefined; seconds: number }

/** Prepares a situation, lets the client act, and finds what it did. Faults end with it. */
export async function runSituation(session: Session, situation: Situation, options: Options): Promise<Finding> {
  const client = await session.connect().client()
  const path = { client_id: options.clientId }
  const seconds = options.seconds + MARGIN_SECONDS
  const { endsAt } = await client.setFaults({ path, body: { faults: [COUNTER, ...situation.faults], seconds } })
  const since = Date.parse(endsAt) - seconds * 1_000
  try {
    const played = situation.scenario && (await play(client, situation.scenario))
    if (played && !played.clients.includes(options.clientId))
      return notSeen(`The scenario is played for ${played.clients.join(' and ')}: it can be seen as one of these.`)
    const workspaceId = played?.workspaceId
    const find = async (exitCode?: number) =>
      situation.check(await readCalls(client, options.clientId, since), { exitCode, workspaceId })
    if (options.run === undefined) return await waitForPerson(session, situation, options.seconds, find)
    const exitCode = await runCommand(session, situation.name, workspaceId, options.run, options.seconds)
    await waitForLog(client, options.clientId, since)
    return await find(exitCode)
  } finally {
    await client.endFaults({ path })
  }
}

/** The calls since the faults are in force, by the clock of the service, the newest first: the log may still get earlier ones. */
async function listCalls(client: Lodgeway, clientId: string, since: number) {
  const { records } = await client.listRequests({ query: { client_id: clientId, limit: 100 } })
  return records.filter(({ at, correlationId }) => Date.parse(at) >= since && !correlationId?.startsWith(OWN))
}

/** The same with headers and answers, oldest first. */
async function readCalls(client: Lodgeway, clientId: string, since: number): Promise<Seen[]> {
  const calls = (await listCalls(client, clientId, since)).reverse().slice(0, CALLS_MAX)
  return Promise.all(calls.map(({ requestId }) => client.getRequest({ path: { request_id: requestId } })))
}

/** The log is written a moment after the answer. */
async function waitForLog(client: Lodgeway, clientId: string, since: number): Promise<void> {
  const { records } = await client.listFaults()
  const made = records.find((one) => one.clientId === clientId)?.faults[0]?.seen ?? 0
  const giveUpAt = performance.now() + LOG_MS_MAX
  while ((await listCalls(client, clientId, since)).length < Math.min(made, CALLS_MAX)) {
    if (performance.now() > giveUpAt) return
    await delay(POLL_MS)
  }
}

/** The correlation ids of this command begin with it: its calls are no calls of the client. */
export const OWN = 'certify-'

async function play(client: Lodgeway, { name, until }: NonNullable<Situation['scenario']>) {
  const { runId } = await client.runScenario({ path: { name }, body: { until } })
  const run = await client.waitFor(
    'getScenarioRun',
    { path: { run_id: runId } },
    ({ status }) => status === 'DONE' || status === 'FAILED',
    { forMs: SCENARIO_MS_MAX },
  )
  const calls = run.steps.flatMap((step) => step.calls)
  return { workspaceId: run.workspaceId, clients: [...new Set(calls.flatMap(({ client: as }) => as ?? []))] }
}

/** Until it has done well, Enter is pressed, or the time is up. */
async function waitForPerson(
  { print, terminal }: Session,
  { title, task }: Situation,
  seconds: number,
  find: () => Promise<Finding>,
) {
  print.note(`\n${title}. Now let your client act: ${task}`)
  let isOver = false
  const lines = terminal.stdin.isTTY ? createInterface({ input: terminal.stdin }) : undefined
  if (lines) print.note(`Press Enter when it has done so; at the latest in ${seconds} s the check goes on.`)
  lines?.once('line', () => {
    isOver = true
  })
  const giveUpAt = performance.now() + seconds * 1_000
  try {
    for (;;) {
      const isLast = isOver || performance.now() > giveUpAt
      if (isLast) await delay(POLL_MS * 3) // the log is written a moment after the answer
      const finding = await find()
      if (isLast || finding.result === 'PASSED') return finding
      await delay(POLL_MS, undefined, { signal: terminal.interrupted() })
    }
  } finally {
    lines?.close()
  }
}

/** Its output goes to the error output, because the report is on the other. */
async function runCommand(
  { terminal, connect }: Session,
  name: string,
  workspaceId: string | undefined,
  command: string,
  seconds: number,
): Promise<number> {
  const env = {
    ...terminal.env,
    LODGEWAY_URL: connect().url,
    LODGEWAY_SITUATION: name,
    ...(workspaceId && { LODGEWAY_WORKSPACE_ID: workspaceId }),
  }
  const child = spawn(command, {
    shell: true,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: seconds * 1_000,
    signal: terminal.interrupted(),
  })
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => terminal.stderr.write(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? 1))
  })
}
