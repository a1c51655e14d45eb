import { forbidden } from '../platform/errors.ts'
import { isOwnHost } from '../platform/http/host.ts'

// Instead of tokens in forms. A cookie is sent with a request from another port of the same host, so `SameSite` alone is not
// enough; what the browser says of the page that sends the request is.

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

type Source = { method: string; site: string | null; origin: string | null }

/** Whether a request comes from a page of ours, or changes nothing. */
export function isFromOurPages({ method, site, origin }: Source, publicUrl: string): boolean {
  if (SAFE_METHODS.includes(method)) return true
  return site === null ? origin === new URL(publicUrl).origin : site === 'same-origin'
}

/** DNS rebinding: a page whose host name resolves to this machine has our origin for its browser. */
export function checkConsoleHost(
  host: string | undefined,
  { publicUrl, sandbox }: { publicUrl: string; sandbox: boolean },
) {
  const { hostname } = new URL(publicUrl)
  if (!isOwnHost(host, { names: [hostname], loopback: sandbox })) {
    throw forbidden(
      `Host must be ${sandbox ? 'localhost, an address of this machine, or ' : ''}the host of PUBLIC_URL.`,
    )
  }
}
