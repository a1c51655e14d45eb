import { findFindings, findNewestAnchor } from './audit/checks.ts'
import type { Config } from './config.ts'
import { HMLR } from './hmlr/settings.ts'
import { listCertificates } from './hmlr/store.ts'
import { countWaits } from './lodgement/store.ts'
import type { Deps } from './platform/deps.ts'
import { addGauge, addGauges, type Metrics } from './platform/operations/metrics.ts'
import { dueDates } from './reports/rules.ts'
import { listMissing } from './reports/store.ts'
import { ENDED, ENDED_STATUSES, yearsBefore } from './retention/rules.ts'
import { countDue } from './retention/store.ts'

const DAY_MS = 86_400_000

const WAITING = {
  name: 'registry_waiting',
  help: 'Matters that wait because the registry cannot be asked.',
  label: 'reason',
}
const CERTIFICATES = {
  name: 'registry_certificate_days',
  help: 'Days until the certificate of a law firm at the registry ends.',
  label: 'subscriber',
}
const DUE = {
  name: 'retention_due_matters',
  help: 'Matters that have ended and are no longer kept, and that are not erased yet.',
  label: 'status',
}
const REPORTS = 'Subscribers who lack a report of the last day whose reports are due.'
const SEAL = 'How old the newest anchor of the audit is.'
const FINDINGS = 'What the last verification of the audit found.'

/** What an operator is alerted about and only the database knows. */
export function addOperatorMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  config: Pick<Config, 'registry' | 'retention'>,
): void {
  addGauges(registry, WAITING, () => countWaits(db.read))
  addGauges(registry, CERTIFICATES, async () => {
    const certificates = config.registry === HMLR ? await listCertificates(db.read) : []
    return certificates.map(({ lawFirmId, endsAt }) => [lawFirmId, (endsAt.getTime() - Date.now()) / DAY_MS] as const)
  })
  addGauges(registry, DUE, () =>
    Promise.all(
      ENDED_STATUSES.map(async (status) => {
        const before = yearsBefore(clock.now(), config.retention[ENDED[status]])
        return [status, await countDue(db.read, status, before)] as const
      }),
    ),
  )
  addGauge(registry, 'reports_missing', REPORTS, async () => {
    const missing = await listMissing(db.read, dueDates(clock.now()).slice(-1))
    return missing.length
  })
  addGauge(registry, 'audit_seal_age_seconds', SEAL, async () => {
    const anchor = await findNewestAnchor(db.read)
    return anchor ? (clock.now().getTime() - anchor.sealedAt.getTime()) / 1000 : Number.NaN
  })
  addGauge(registry, 'audit_check_findings', FINDINGS, () => findFindings(db.read))
}
