import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { newSecret } from './secrets.ts'

// The first key signs. All are published, so tokens of an older key stay valid until it is removed.

export const ALGORITHM = 'ES256'

export type SigningKeys = { sign: { key: CryptoKey; kid: string }; published: { keys: JWK[] } }

export async function readSigningKeys(text: string): Promise<SigningKeys> {
  const keys = parseKeys(text)
  const [first] = keys
  if (!first?.kid) throw new Error('SIGNING_KEYS holds no key: `lodgeway key generate` prints one.')
  const [signing] = await Promise.all(keys.map(importKey))
  return {
    sign: { key: signing as CryptoKey, kid: first.kid },
    published: { keys: keys.map(publicPart) },
  }
}

async function importKey(key: JWK): Promise<CryptoKey> {
  try {
    return (await importJWK(key, ALGORITHM)) as CryptoKey
  } catch (cause) {
    throw new Error(`The key ${key.kid} in SIGNING_KEYS is not valid: \`lodgeway key generate\` prints one.`, { cause })
  }
}

/** A new private key as `SIGNING_KEYS` takes it. */
export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: ALGORITHM, use: 'sig' }
}

/** The sandbox creates its pepper and key on its first start and stores them next to its data. */
export async function sandboxSecrets(file: string): Promise<{ pepper: string; signingKeys: string }> {
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored) return JSON.parse(stored)
  const secrets = { pepper: newSecret(), signingKeys: JSON.stringify({ keys: [await generateSigningKey()] }) }
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}` // so that another process that starts now never reads a part of it
  await writeFile(draft, JSON.stringify(secrets), { mode: 0o600 })
  await link(draft, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return JSON.parse(await readFile(file, 'utf8'))
}

function parseKeys(text: string): JWK[] {
  let keys: unknown
  try {
    const parsed = JSON.parse(text)
    keys = Array.isArray(parsed?.keys) ? parsed.keys : [parsed]
  } catch {
    throw new Error('SIGNING_KEYS must be JSON: a private JWK, or {"keys": […]} with the signing one first.')
  }
  for (const key of keys as JWK[]) {
    if (key?.kty !== 'EC' || key.crv !== 'P-256' || !key.d || !key.kid) {
      throw new Error('Each key in SIGNING_KEYS must be a private P-256 JWK with a `kid`.')
    }
  }
  return keys as JWK[]
}

const publicPart = ({ kty, crv, x, y, kid }: JWK): JWK => ({ kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig' }) as JWK
