import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { ForbiddenAddress, hostOf, isLocalName, mayCall, type SsrfPolicy } from './ssrf-policy.ts'

const CONNECT_MS_MAX = 5_000
const IDLE_MS_MAX = 10_000

/** The addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Whether a name resolves to a forbidden address now. One that cannot be resolved yet is checked when connecting. */
export async function leadsToForbidden(uri: string, policy: SsrfPolicy, resolve: Resolve): Promise<boolean> {
  const host = hostOf(new URL(uri))
  if (isIP(host)) return !mayCall(host, policy)
  const addresses = await resolve(host).catch(() => [])
  return addresses.some((address) => !mayCall(address, policy))
}

/** Uses DNS only, not the thread pool that file access shares. Names of this machine need no lookup. */
export function systemResolve(): Resolve {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  return async (name) => {
    if (isLocalName(name)) return ['127.0.0.1', '::1']
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length === 0) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' })
    return found
  }
}

/** Connects only to addresses that were checked; a name is not looked up a second time. */
export function guardedAgent(policy: SsrfPolicy, resolve: Resolve): Agent {
  const lookup: LookupFunction = (name, { all }, answer) => {
    resolveChecked(name, policy, resolve).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (all) answer(null, found)
        else answer(null, found[0]?.address ?? '', found[0]?.family ?? 4)
      },
      (error) => answer(error, ''),
    )
  }
  return new Agent({ connect: { lookup, timeout: CONNECT_MS_MAX }, keepAliveTimeout: IDLE_MS_MAX })
}

/** One forbidden address among several is enough: the owner of the name must not choose which one is used. */
async function resolveChecked(name: string, policy: SsrfPolicy, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(name)
  if (addresses.length === 0 || addresses.some((address) => !mayCall(address, policy))) throw new ForbiddenAddress()
  return addresses
}
