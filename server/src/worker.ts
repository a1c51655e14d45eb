import { planSeal, sealJob, verifyJob } from './audit/jobs.ts'
import { processFileJob } from './documents/jobs.ts'
import { fetchDocumentJob } from './documents/registry-jobs.ts'
import { lodgementJobs } from './lodgement/jobs.ts'
import type { WebhookFaults } from './notifications/dispatch.ts'
import { startPublisher } from './notifications/feed.ts'
import { deliverJob, expiryJob, tidyNotificationsJob } from './notifications/jobs.ts'
import { tidyPeopleJob } from './people/jobs.ts'
import type { Deps } from './platform/deps.ts'
import { tidyJob } from './platform/jobs/chores.ts'
import { startTicker } from './platform/jobs/due.ts'
import type { Job } from './platform/jobs/queue.ts'
import type { MachineClock } from './platform/operations/machine-clock.ts'
import type { Metrics } from './platform/operations/metrics.ts'
import { NO_TELEMETRY, type Telemetry } from './platform/operations/telemetry.ts'
import type { Ports } from './ports.ts'
import { generateReportsJob, makeReportsJob, planReports } from './reports/jobs.ts'
import { processJob } from './representation/jobs.ts'
import { tidyRequestsJob } from './requests/jobs.ts'
import { eraseJob } from './retention/jobs.ts'
import type { RetentionSettings } from './retention/settings.ts'
import { payJob } from './settlement/jobs.ts'
import { namePartiesJob } from './title-reconciliation/jobs.ts'
import { searchJob } from './titles/jobs.ts'
import { dayEndedJob, staleTurnsJob } from './worklist/jobs.ts'

type Options = {
  retention: RetentionSettings
  telemetry?: Telemetry
  /** In the sandbox alone. */
  faults?: WebhookFaults | undefined
}

/** Every job of the service. */
export function jobsOf(
  deps: Deps,
  ports: Ports,
  { retention, telemetry = NO_TELEMETRY, faults }: Options,
): readonly Job[] {
  const registry = telemetry.watchPort('registry', ports.registry)
  const payments = telemetry.watchPort('payments', ports.payments)
  return [
    searchJob(deps, registry) as Job,
    processJob(deps) as Job,
    processFileJob(deps) as Job,
    fetchDocumentJob(deps, registry) as Job,
    ...lodgementJobs(deps, registry),
    payJob(deps, payments) as Job,
    deliverJob(deps, { faults, watchCall: telemetry.watchCall }) as Job,
    expiryJob() as Job,
    tidyNotificationsJob(deps),
    generateReportsJob(deps),
    makeReportsJob(deps) as Job,
    sealJob(deps),
    verifyJob(deps) as Job,
    namePartiesJob(deps),
    dayEndedJob() as Job,
    staleTurnsJob(deps),
    tidyPeopleJob(deps),
    tidyRequestsJob(deps),
    eraseJob(deps, retention),
    tidyJob(deps),
  ]
}

/** Only the names, for `migrate`: a job uses its dependencies only when it runs. */
export const jobNames: readonly string[] = jobsOf({} as Deps, {} as Ports, {} as Options).map(({ name }) => name)

/** Plans the recurring jobs on the business clock. Any number of nodes may repeat it. */
export async function planJobs({ db, clock }: Deps): Promise<void> {
  await planSeal(db, clock.now(), 'planned-at-start')
  await planReports(db, clock.now(), 'planned-at-start')
}

type Observers = { metrics: Metrics; telemetry: Telemetry; machineClock: MachineClock }

/**
 * Runs the jobs of every queue, enqueues what becomes due on the business clock, and publishes events. It pauses while the
 * clock of this machine is wrong; other workers continue.
 */
export async function startWorker(
  deps: Deps,
  ports: Ports,
  { metrics, telemetry, machineClock, ...options }: Observers & Options,
): Promise<{ stop(): Promise<void> }> {
  const jobs = jobsOf(deps, ports, { telemetry, ...options })
    .map(metrics.watchJob)
    .map(telemetry.watchJob)
  let running: { stop(): Promise<void> }[] = []
  let isWorking = false
  let change = Promise.resolve()

  async function work(): Promise<void> {
    await planJobs(deps)
    await deps.queue.work(jobs)
    running = [startTicker(deps), startPublisher(deps)]
    isWorking = true
  }
  async function pause(): Promise<void> {
    isWorking = false
    await Promise.all(running.map((one) => one.stop()))
    await deps.queue.pause()
  }

  if (machineClock.isRight()) await work()
  let [isChanging, isStopped] = [false, false]
  machineClock.onTick(() => {
    if (isStopped || isChanging || isWorking === machineClock.isRight()) return
    isChanging = true
    change = (isWorking ? pause() : work())
      .catch((err) => deps.log.error({ err }, 'Jobs could not be paused or resumed; this will be retried.'))
      .finally(() => {
        isChanging = false
      })
  })
  return {
    async stop() {
      isStopped = true
      await change
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}
