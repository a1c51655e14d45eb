import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// A secret is 256 random bits, so a keyed hash is enough: it cannot be guessed, and a stolen table is useless without the
// pepper. A slow password hash would only make the token endpoint a target.

export const newSecret = (): string => randomBytes(32).toString('base64url')

export const hashSecret = (pepper: string, secret: string): Buffer =>
  createHmac('sha256', pepper).update(secret).digest()

/** Compares with every live secret in constant time, and never stops early. */
export function isOneOf(hashes: readonly Buffer[], hash: Buffer): boolean {
  let found = false
  for (const one of hashes) if (one.length === hash.length && timingSafeEqual(one, hash)) found = true
  return found
}
