import { readSigningKeys, type SigningKeys, sandboxSecrets } from './auth/keys.ts'
import { type Config, placesOf } from './config.ts'

/** What tokens are signed and client secrets hashed with: set by the operator, or made and kept by the sandbox. */
export async function secretsOf(config: Config): Promise<{ pepper: string; keys: SigningKeys } | undefined> {
  const kept = config.sandbox ? await sandboxSecrets(placesOf(config).secrets) : undefined
  const pepper = config.secretPepper ?? kept?.pepper
  const signingKeys = config.signingKeys ?? kept?.signingKeys
  if (pepper === undefined || signingKeys === undefined) return undefined
  return { pepper, keys: await readSigningKeys(signingKeys) }
}

/** The pepper alone, where no token is signed. */
export async function pepperOf(config: Config): Promise<string> {
  if (config.secretPepper !== undefined) return config.secretPepper
  if (config.sandbox) return (await sandboxSecrets(placesOf(config).secrets)).pepper
  throw new Error('SECRET_PEPPER is required outside the sandbox.')
}
