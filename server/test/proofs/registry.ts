// Long because the driver, the killer and the inspector share what a case is.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { saveAccount, saveLender } from '../../src/hmlr/store.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { startService } from '../../src/service.ts'
import { endedInSystemError } from '../fakes/business-gateway/course.ts'
import type { Gateway } from '../fakes/business-gateway/gateway.ts'
import { EVERYBODY } from '../fakes/business-gateway/uploads.ts'
import { applicationPath, approvalsOf, EDITOR, liveApplications, PAPER_DEED, patchDeed } from '../fixtures/approvals.ts'
import { accountAt, standIn } from '../fixtures/gateway.ts'
import { BORROWERS, exchange, putClock } from '../fixtures/lodging.ts'
import { aPdf, upload } from '../fixtures/multipart.ts'
import { BASE_ENV, endProcess } from '../fixtures/process.ts'
import { add, OWN } from '../fixtures/representations.ts'
import { callerOf, type TestService } from '../fixtures/service.ts'
import { aWorkspace, FIRM, FIRM_ID, LENDER_ID, readCase, readWorkspace } from '../fixtures/workspaces.ts'
import { proofSandbox } from './proof-database.ts'

export type RegistryFigures = {
  cases: number
  kills: number
  requests: number
  answersLost: number
  notificationsRepeated: number
  lodgedOnce: number
  lodgedTwice: number
  lost: number
  registered: number
  /** Cases of which a step was published not once. */
  withoutOneEvent: number
  /** Of deeds at the gateway, and of letters and completion documents here. */
  documentsSent: number
  documentsReceived: number
  otherBytes: number
  seconds: number
}

const WORKER = fileURLToPath(import.meta.resolve('./registry-worker.ts'))
const TITLES = ['ST500678', 'LH100001', 'DN514817', 'SE100001']
const AT_ONCE = 8
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STEP_MS_MAX = 5_000
const LIFE_MS_MAX = 400
const POLL_MS = 200
const END_MS_MAX = 600_000

/** Cases from the search to the register, with a gateway that loses answers and a worker that is killed. */
export async function proveRegistry({ cases, kills }: { cases: number; kills: number }): Promise<RegistryFigures> {
  const startedAt = performance.now()
  const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-proof-'))
  const postgres = await proofSandbox(dataDir)
  const { gateway, env: gatewayEnv, close } = await standIn()
  const env = {
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
    REGISTRY: 'hmlr',
    HMLR_CHECK_HOURS: '12',
    ...gatewayEnv,
  }
  const config = readConfig(env, { sandbox: true, part: 'serve' })
  const started = await startService(config, { http: true, worker: false, matters: false })
  const service: TestService = { ...started, env, ...callerOf(started.url), call: patientlyAt(started.url) }
  const { db, vault, clock } = service.deps
  const ended = new AbortController()
  try {
    await saveLender(db, LENDER_ID, { kind: 'OTHER_ORGANISATION', companyNumber: null })
    await saveAccount(db, vault, accountAt(gateway, FIRM_ID, clock.now()))
    await db.query('update subscribers set reports = false') // they take longer than all else
    gateway.control.useClock(() => clock.now())
    gateway.control.fail({ every: 10, effect: { kind: 'drop', when: 'after' } })
    gateway.control.notifications = { repeatEvery: 5, isReordered: true }
    const time = { stepMs: 5 * MINUTE_MS }
    const lodgeAndFollow = async () => {
      const files = await lodgeAll(service, cases)
      time.stepMs = 12 * HOUR_MS
      await until(async () => (await closedCases(db)) === cases)
      time.stepMs = HOUR_MS // addresses of documents end soon
      await until(async () => (await receivedFiles(db)).length >= downloadsOf(gateway).length)
      ended.abort()
      return files
    }
    const [files, killed] = await Promise.all([
      lodgeAndFollow(),
      killAgainAndAgain(db, env, { cases, kills }, ended.signal),
      passTime(service, time, ended.signal),
    ])
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    return { cases, kills: killed, ...(await inspect(db, gateway, files)), seconds }
  } finally {
    ended.abort()
    await service.stop()
    await close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Repeats what a busy machine has no time for. */
function patientlyAt(url: string): TestService['call'] {
  const { call } = callerOf(url)
  return async (...input) => {
    for (;;) {
      const answer = await call(...input)
      if (answer.status !== 503) return answer as never
      await delay(250)
    }
  }
}

/** What falls due is left to the worker, which may be dead. */
async function passTime(service: TestService, time: { stepMs: number }, ended: AbortSignal): Promise<void> {
  const { db, queue, clock } = service.deps
  const isIdle = async () =>
    (await queue.unfinished()) === 0 &&
    !(await db.query('select from due where due_at <= $1 limit 1', [clock.now()])).length
  while (!ended.aborted) {
    await putClock(service, new Date(clock.now().getTime() + time.stepMs).toISOString())
    const goOnAt = performance.now() + STEP_MS_MAX
    while (!ended.aborted && performance.now() < goOnAt && !(await isIdle())) await delay(100)
    await delay(100)
  }
}

// A kill falls somewhere into each of as many slices of what is to be done.
async function killAgainAndAgain(
  db: Db,
  env: Record<string, string>,
  { cases, kills }: { cases: number; kills: number },
  ended: AbortSignal,
): Promise<number> {
  let worker = startWorker(env)
  let killed = 0
  const wait = async (ms: number) => {
    if (worker.exitCode !== null) throw new Error('The worker ended by itself.')
    await delay(ms)
  }
  try {
    while (!ended.aborted && killed < kills) {
      const wanted = ((killed + Math.random()) / kills) * cases * STEPS_OF_A_CASE
      while (!ended.aborted && (await stepsDone(db)) < wanted) await wait(50)
      await wait(Math.random() * LIFE_MS_MAX)
      await endProcess(worker)
      killed += 1
      worker = startWorker(env)
    }
    while (!ended.aborted) await wait(100)
    return killed
  } finally {
    await endProcess(worker)
  }
}

const startWorker = (env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [WORKER], {
    env: { ...BASE_ENV, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

const STEPS_OF_A_CASE = 5

/** Of each case: two extracts, a submission and two notices. */
async function stepsDone(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (select count(*) from hmlr_extracts where answer is not null)
          + (select count(*) from hmlr_submissions where application_request_id is not null)
          + (select count(*) from registry_notices) as count`,
  )
  return row?.count ?? 0
}

async function closedCases(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) from workspaces where status = 'CLOSED'`)
  return row?.count ?? 0
}

/** The documents of the gateway that were fetched. Copies of the register come in its answers, and are not among them. */
const receivedFiles = (db: Db) =>
  db.query<{ id: string; sha256: string }>(
    `select registry_document_id as id, sha256 from files
      where registry_document_id not like 'extract %' and status = 'SUCCESS'`,
  )

/** Without those of the published examples. */
const downloadsOf = (gateway: Gateway) => gateway.downloads().filter(({ account }) => account !== EVERYBODY)

async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + END_MS_MAX
  while (!(await holds())) {
    assert.ok(performance.now() < giveUpAt, `This did not hold in time: ${holds}`)
    await delay(POLL_MS)
  }
}

/** Returns the hash of the deed of each workspace. */
async function lodgeAll(service: TestService, cases: number): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const numbers = Array.from({ length: cases }, (_, number) => number).values()
  const lodgeMany = async () => {
    for (const number of numbers) files.set(...(await lodgeOne(service, TITLES[number % TITLES.length] ?? '')))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lodgeMany))
  return files
}

async function lodgeOne(service: TestService, titleNumber: string): Promise<[workspaceId: string, sha256: string]> {
  const { workspaceId } = await aWorkspace(service, { titleNumber, parties: BORROWERS[titleNumber] ?? [] })
  await until(async () => (await readCase(service, workspaceId)).lastTitleSearchStatus === 'SUCCESS')
  for (const { partyId } of (await readWorkspace(service, workspaceId)).parties) {
    const { status, text } = await add(service, workspaceId, { partyId, ...OWN })
    assert.equal(status, 202, text)
  }
  await patchDeed(service, workspaceId, PAPER_DEED)
  const deed = (await liveApplications(service, workspaceId)).find((one) => one.applicationType === 'MORTGAGE_DEED')
  const file = aPdf(`The deed of ${workspaceId}`)
  const attached = await upload(service, `${applicationPath(deed ?? assert.fail())}/attachments`, {
    as: FIRM.as,
    file,
    fields: {
      documentType: 'MORTGAGE_DEED',
      documentCategory: 'APPLICATION_DOCUMENT',
      certificationType: 'ORIGINAL',
    },
    headers: { 'x-acting-user': EDITOR },
  })
  assert.equal(attached.status, 202, attached.text)
  await until(async () => (await readWorkspace(service, workspaceId)).readyForApproval === true)
  const approval = {
    action: 'APPROVE',
    workspaceId,
    approvedBy: 'jo@harbour.example',
    disclosableOverridingInterests: false,
  }
  const approved = await service.call('POST', approvalsOf(workspaceId), { ...FIRM, json: approval })
  assert.equal(approved.status, 202, approved.text)
  await exchange(service, workspaceId)
  return [workspaceId, hashOf(file)]
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const ONCE = ['LODGEMENT_SUBMITTED', 'WORKSPACE_LODGED', 'LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED']

async function inspect(db: Db, gateway: Gateway, files: ReadonlyMap<string, string>) {
  const workspaces = await db.query<{ workspaceId: string; reference: string; status: string; events: string[] }>(
    `select workspace_id as "workspaceId", workspace_reference_id as reference, status,
            array(select type from events e where e.workspace_id = w.workspace_id and type = any ($1) order by seq) as events
       from workspaces w`,
    [ONCE],
  )
  const applications = gateway.applications().filter((one) => !endedInSystemError(one))
  const uploads = new Map(gateway.uploads().map((one) => [one.documentId, one.bytes]))
  const byCase = workspaces.map(({ workspaceId, reference }) => {
    const lodged = applications.filter(({ data }) => data.customer_reference === reference)
    const documents = lodged.flatMap(({ data }) => Object.values(data.documents ?? {}))
    const bytes = documents.map(({ document_id }) => uploads.get(document_id) ?? Buffer.of())
    return { lodged: lodged.length, sameBytes: bytes.map((one) => hashOf(one) === files.get(workspaceId)) }
  })
  const received = new Map(Map.groupBy(await receivedFiles(db), ({ id }) => id))
  const isSame = ({ id, bytes }: { id: string; bytes: Buffer }) =>
    received.get(id)?.length === 1 && received.get(id)?.[0]?.sha256 === hashOf(bytes)
  const sameBytes = [...byCase.flatMap((one) => one.sameBytes), ...downloadsOf(gateway).map(isSame)]
  const { requests } = gateway.control
  return {
    requests: requests.length,
    answersLost: requests.filter(({ isAnswerLost }) => isAnswerLost).length,
    notificationsRepeated: gateway.notificationsRepeated(),
    lodgedOnce: byCase.filter(({ lodged }) => lodged === 1).length,
    lodgedTwice: byCase.filter(({ lodged }) => lodged > 1).length,
    lost: byCase.filter(({ lodged }) => lodged === 0).length,
    registered: workspaces.filter(({ status }) => status === 'CLOSED').length,
    withoutOneEvent: workspaces.filter(({ events }) => events.join() !== ONCE.join()).length,
    documentsSent: byCase.flatMap((one) => one.sameBytes).length,
    documentsReceived: received.size,
    otherBytes: sameBytes.filter((isTheSame) => !isTheSame).length,
  }
}
