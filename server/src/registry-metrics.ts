import type { Config } from './config.ts'
import { HMLR } from './hmlr/settings.ts'
import { listCertificates } from './hmlr/store.ts'
import { countWaits } from './lodgement/store.ts'
import type { Deps } from './platform/deps.ts'
import { addGauges, type Metrics } from './platform/operations/metrics.ts'

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

/** What an operator must know about the registry: what waits for it, and when a certificate must be renewed. */
export function addRegistryMetrics(metrics: Metrics, { db }: Pick<Deps, 'db'>, { registry }: Pick<Config, 'registry'>) {
  addGauges(metrics, WAITING, () => countWaits(db.read))
  if (registry !== HMLR) return
  addGauges(metrics, CERTIFICATES, async () => {
    const certificates = await listCertificates(db.read)
    return certificates.map(({ lawFirmId, endsAt }) => [lawFirmId, (endsAt.getTime() - Date.now()) / DAY_MS] as const)
  })
}
