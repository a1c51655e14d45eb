import { readSigningKeys, type SigningKeys, sandboxSecrets } from './auth/keys.ts'
import { type Config, placesOf } from './config.ts'
import { findSealedSecret } from './notifications/store.ts'
import type { Db } from './platform/database/db.ts'
import { findPepperCanary, keepPepperCanary } from './platform/operations/state.ts'
import { openVault, type Vault } from './platform/vault.ts'

/** What tokens are signed and client secrets hashed with: set by the operator, or made and kept by the sandbox. */
export async function secretsOf(config: Config): Promise<{ pepper: string; keys: SigningKeys } | undefined> {
  const kept = config.sandbox ? await sandboxSecrets(placesOf(config).secrets) : undefined
  const pepper = config.secretPepper ?? kept?.pepper
  const signingKeys = config.signingKeys ?? kept?.signingKeys
  if (pepper === undefined || signingKeys === undefined) return undefined
  return { pepper, keys: await readSigningKeys(signingKeys) }
}

/** The pepper, which is needed with another issuer, too: webhook secrets and stored responses are encrypted with it. */
export async function pepperOf(config: Config): Promise<string> {
  if (config.secretPepper !== undefined) return config.secretPepper
  if (config.sandbox) return (await sandboxSecrets(placesOf(config).secrets)).pepper
  throw new Error('SECRET_PEPPER is required outside the sandbox.')
}

/**
 * Refuses another pepper than the one that the database is used with: no secret in it could be checked or opened.
 * Returns whether that pepper is known for certain.
 */
export async function checkPepper(db: Db, pepper: string): Promise<boolean> {
  const canary = await findPepperCanary(db)
  if (canary) {
    open(openVault(pepper), canary, CANARY)
    return true
  }
  const known = await findSealedSecret(db) // that of a webhook, in a database of an older version
  if (known) open(openVault(pepper), known.secret, known.registrationId)
  return false
}

/** The same, and from now on the database is used with this pepper. */
export async function usePepper(db: Db, pepper: string): Promise<void> {
  if (await checkPepper(db, pepper)) return
  const vault = openVault(pepper)
  open(vault, await keepPepperCanary(db, vault.seal(CANARY, CANARY)), CANARY)
}

const CANARY = 'pepper canary'

function open(vault: Vault, sealed: Buffer, owner: string): void {
  try {
    vault.open(sealed, owner)
  } catch (cause) {
    const message =
      'SECRET_PEPPER is not the one that this database is used with. Set that one: with another, no client'
    throw new Error(`${message} could authenticate and no webhook be signed.`, { cause })
  }
}
