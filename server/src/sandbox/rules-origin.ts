import { forbidden } from '../platform/errors.ts'

// These routes need no token, so nothing but this keeps a web page that the developer has open from calling them.

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** `names` are the host names that an operator configured, beside those of this machine. */
export function checkOrigin(method: string, headers: Headers, names: readonly string[]): void {
  const own = URL.parse(`http://${headers['host']}`)
  // A page whose own name was made to lead here (DNS rebinding) is of the same origin to its browser.
  if (!own || !(LOOPBACK.test(own.hostname) || names.includes(own.hostname))) {
    throw forbidden('Host must be localhost, an address of this machine, or the host of PUBLIC_URL.')
  }
  if (SAFE_METHODS.includes(method) || isOfOurOrigin(headers, own.host)) return
  throw forbidden('The sandbox is not driven by pages of another site.')
}

// Every browser sends one of the two with such a request; other programs send neither.
function isOfOurOrigin({ 'sec-fetch-site': site, origin }: Headers, host: string): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(String(origin))?.host === host
}
