import { randomBytes, type webcrypto } from 'node:crypto'
import { load } from '../../on-demand/on-demand.ts'

// What is used here of @peculiar/x509, which is installed on demand.
type Library = {
  BasicConstraintsExtension: new (isAuthority: boolean, pathLength?: number, isCritical?: boolean) => Extension
  ExtendedKeyUsage: { serverAuth: string; clientAuth: string }
  ExtendedKeyUsageExtension: new (usages: string[]) => Extension
  KeyUsageFlags: { keyCertSign: number; cRLSign: number }
  KeyUsagesExtension: new (usages: number, isCritical?: boolean) => Extension
  PemConverter: { encode(bytes: ArrayBuffer, tag: string): string }
  SubjectAlternativeNameExtension: new (names: { type: string; value: string }[]) => Extension
  X509CertificateGenerator: Record<'create' | 'createSelfSigned', (of: object) => Promise<Certificate>>
}
type Extension = { type: string }
type Certificate = { subject: string; toString(format: 'pem'): string }

async function loadLibrary(): Promise<Library> {
  await load('reflect-metadata') // it needs this before
  return load('@peculiar/x509')
}

/** A certificate and its private key, both as PEM. */
export type KeyPair = { cert: string; key: string }

export type Authority = {
  ca: string
  server(): Promise<KeyPair>
  /** A client certificate; one that ended yesterday has `days` of -1. */
  client(name: string, days?: number): Promise<KeyPair>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000
const CERTIFICATE_DAYS = 3 * 365 // those of the gateway are valid for three years

/** A certificate authority that exists only in memory. */
export async function makeAuthority(name: string): Promise<Authority> {
  const library = await loadLibrary()
  const { X509CertificateGenerator, BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags } = library
  const { ExtendedKeyUsage, ExtendedKeyUsageExtension, SubjectAlternativeNameExtension } = library
  const keys = await makeKeys()
  const root = await X509CertificateGenerator.createSelfSigned({
    ...validity(CERTIFICATE_DAYS),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  const issue = (subject: string, days: number, extensions: Extension[]) =>
    issueUnder(library, root, keys.privateKey, subject, days, extensions)
  return {
    ca: root.toString('pem'),
    server: () =>
      issue('CN=localhost', CERTIFICATE_DAYS, [
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
        ]),
      ]),
    client: (subject, days = CERTIFICATE_DAYS) =>
      issue(`CN=${subject}`, days, [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])]),
  }
}

async function issueUnder(
  { X509CertificateGenerator, BasicConstraintsExtension, PemConverter }: Library,
  root: Certificate,
  signingKey: webcrypto.CryptoKey,
  subject: string,
  days: number,
  extensions: Extension[],
): Promise<KeyPair> {
  const keys = await makeKeys()
  const certificate = await X509CertificateGenerator.create({
    ...validity(days),
    subject,
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(false, undefined, true), ...extensions],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') }
}

const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

/** Of the machine's clock, which TLS uses whatever the clock of the gateway shows. */
const validity = (days: number) => ({
  serialNumber: randomBytes(8).toString('hex'),
  notBefore: new Date(Date.now() + (Math.min(days, 0) - 1) * DAY_MS),
  notAfter: new Date(Date.now() + days * DAY_MS),
})
