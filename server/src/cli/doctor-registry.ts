import type { Config } from '../config.ts'
import { checkAccount, type Unavailable } from '../hmlr/gateway.ts'
import { findAccount, listAccountHolders } from '../hmlr/store.ts'
import type { Db } from '../platform/database/db.ts'
import { openVault } from '../platform/vault.ts'
import { pepperOf } from '../secrets.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const DAY_MS = 86_400_000
const DAYS_MIN = 60
const PART = 'registry account'

const RENEW = 'Order a new certificate from HM Land Registry, and store it with `lodgeway registry account set`.'

/** The part of `lodgeway doctor` that checks the accounts of law firms at HM Land Registry. It asks the gateway. */
export async function examineAccounts(db: Db, config: Pick<Config, 'hmlr' | 'secretPepper' | 'sandbox' | 'dataDir'>) {
  const vault = openVault(await pepperOf(config as Config))
  const findings: Finding[] = []
  for (const { lawFirmId, name } of await listAccountHolders(db)) {
    const account = await findAccount(db, vault, lawFirmId)
    if (!account) {
      const fix = `Store one with \`lodgeway registry account set ${lawFirmId}\`. Until then its searches and cases wait.`
      findings.push(warning(PART, `${name} has none.`, fix))
      continue
    }
    const days = Math.floor((account.certificateEndsAt.getTime() - Date.now()) / DAY_MS)
    if (days < 0) {
      findings.push(failure(PART, `The certificate of ${name} has ended.`, RENEW))
      continue
    }
    if (days < DAYS_MIN) findings.push(warning(PART, `The certificate of ${name} ends in ${days} days.`, RENEW))
    findings.push(findingOf(await checkAccount(config.hmlr, account), lawFirmId, name))
  }
  return findings
}

function findingOf(problem: Unavailable | undefined, lawFirmId: string, name: string): Finding {
  if (!problem) return ok(PART, `${name}: the gateway accepts it`)
  const message = `${name}: ${problem.message}`
  if (problem.because === 'REGISTRY_CLOSED') return warning(PART, message, 'Check again in the hours of the gateway.')
  const fix = `Check the network, HMLR_CA_FILE, and the account with \`lodgeway registry account show ${lawFirmId}\`.`
  return failure(PART, message, fix)
}
