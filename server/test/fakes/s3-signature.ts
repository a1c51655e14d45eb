import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const MUST_BE_SIGNED = ['host', 'x-amz-content-sha256', 'x-amz-date']

/** What is wrong with the Signature Version 4 of a request, in S3's words. A body that is not signed is wrong, too. */
export function signatureFault(request: IncomingMessage, known: { key: string; secret: string }): string | undefined {
  const header = (name: string) => String(request.headers[name] ?? '').trim()
  const [, key, scope = '', signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      header('authorization'),
    ) ?? []
  const names = signedHeaders.split(';')
  if (key !== known.key) return 'InvalidAccessKeyId'
  if (!MUST_BE_SIGNED.every((name) => names.includes(name))) return 'AccessDenied'
  if (!/^[0-9a-f]{64}$/.test(header('x-amz-content-sha256'))) return 'AccessDenied'

  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${header(name)}`),
    '',
    signedHeaders,
    header('x-amz-content-sha256'),
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, hash].join('\n')
  const signingKey = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${known.secret}`)
  return hmac(signingKey, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
