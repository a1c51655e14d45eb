import { forbidden } from '../platform/errors.ts'
import { isOwnHost } from '../platform/http/host.ts'

// These routes need no token. Only this check prevents a web page that the developer has open from calling them.

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** `names` are the host names that an operator configured, in addition to those of this machine. */
export function checkOrigin(method: string, headers: Headers, names: readonly string[]): void {
  const own = URL.parse(`http://${headers['host']}`)
  // DNS rebinding: a page whose host name resolves to this machine has the same origin for its browser.
  if (!own || !isOwnHost(own.host, { names, loopback: true })) {
    throw forbidden('Host must be localhost, an address of this machine, or the host of PUBLIC_URL.')
  }
  if (SAFE_METHODS.includes(method) || isOfOurOrigin(headers, own.host)) return
  throw forbidden('Pages of another site cannot control the sandbox.')
}

// Every browser sends one of the two with such a request; other programs send neither.
function isOfOurOrigin({ 'sec-fetch-site': site, origin }: Headers, host: string): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(String(origin))?.host === host
}
