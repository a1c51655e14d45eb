import { createHash } from 'node:crypto'
import { newSecret } from '../auth/secrets.ts'

/** A name for a session or a link that nobody can guess. Only its hash is stored. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = newSecret()
  return { token, tokenHash: hashToken(token) }
}

/** Without a key: it protects 256 random bits, not a password. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
