import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateSigningKey } from '../../src/auth/keys.ts'

const run = promisify(execFile)

type Name = 'superuser' | 'replication' | 'owner' | 'service' | 'storeKey' | 'pepper' | 'backup'
export type Secrets = Record<Name, string> & { signingKeys: string }

/** Made at the first start, and kept with the data. */
export async function secretsIn(folder: string): Promise<Secrets> {
  const path = join(folder, 'secrets.json')
  const stored = await readFile(path, 'utf8').catch(() => undefined)
  if (stored !== undefined) return JSON.parse(stored) as Secrets
  const random = () => randomBytes(24).toString('hex')
  const secrets: Secrets = {
    superuser: random(),
    replication: random(),
    owner: random(),
    service: random(),
    storeKey: random(),
    pepper: random(),
    backup: random(),
    signingKeys: JSON.stringify(await generateSigningKey()),
  }
  await writeFile(path, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}

/** A certificate that signs itself, for the proxy's address, and the same with its key for HAProxy. */
export async function certificateIn(
  folder: string,
  address: string,
): Promise<{ certificate: string; withKey: string }> {
  const [certificate, key, withKey] = ['proxy.crt', 'proxy.key', 'proxy.pem'].map((name) => join(folder, name))
  if (!certificate || !key || !withKey) throw new Error('unreachable')
  const isThere = await access(withKey).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    const subject = ['-subj', '/CN=lodgeway', '-addext', `subjectAltName=IP:${address}`]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    await run('openssl', ['req', '-x509', '-days', '365', ...curve, ...subject, '-keyout', key, '-out', certificate])
    await writeFile(withKey, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')), { mode: 0o600 })
  }
  return { certificate, withKey }
}
