import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { isLoopback, mayCall, type Reach } from './addresses.ts'

// Where a webhook may lead: judged by its text when it is registered, and by the address itself when it is dialled.

const URI_CHARACTERS_MAX = 2_048
const DIAL_MS_MAX = 5_000
const IDLE_MS_MAX = 10_000

/** The addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** What is wrong with an address as it is written, if anything. The URL parser knows every notation of a literal. */
export function uriFault(uri: string, reach: Reach): string | undefined {
  const isSandbox = reach === 'public and loopback'
  const wanted = isSandbox ? 'an https address, or http on this machine' : 'an https address'
  if (uri.length > URI_CHARACTERS_MAX) return `must be at most ${URI_CHARACTERS_MAX} characters long`
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) return `must be ${wanted}`
  const url = new URL(uri)
  if (url.protocol !== 'https:' && !(isSandbox && url.protocol === 'http:')) return `must be ${wanted}`
  if (url.username || url.password) return 'must not hold credentials'
  const host = hostOf(url)
  const isHere = isLocalName(host) || isLoopback(host)
  if (isHere) return isSandbox ? undefined : 'must not lead to this machine'
  if (url.protocol === 'http:') return `must be ${wanted}`
  if (isIP(host)) return mayCall(host, reach) ? undefined : 'must lead to a public address'
  return host.includes('.') ? undefined : 'must bear the full name of a host'
}

/** Whether a name leads where it must not, as far as can be known now: one that cannot be resolved may yet be. */
export async function leadsAstray(uri: string, reach: Reach, resolve: Resolve): Promise<boolean> {
  const host = hostOf(new URL(uri))
  if (isIP(host)) return !mayCall(host, reach)
  const addresses = await resolve(host).catch(() => [])
  return addresses.some((address) => !mayCall(address, reach))
}

/** By DNS alone and without the threads that files share; the names of this machine are known without it. */
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

export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
  constructor() {
    super('The address is one that must not be called.')
  }
}

/** Connects to checked addresses only: the very ones that were judged are dialled, and no name is looked up twice. */
export function guardedAgent(reach: Reach, resolve: Resolve): Agent {
  const lookup: LookupFunction = (name, { all }, answer) => {
    resolveChecked(name, reach, resolve).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (all) answer(null, found)
        else answer(null, found[0]?.address ?? '', found[0]?.family ?? 4)
      },
      (error) => answer(error, ''),
    )
  }
  return new Agent({ connect: { lookup, timeout: DIAL_MS_MAX }, keepAliveTimeout: IDLE_MS_MAX })
}

/** One forbidden address among several is enough: which of them is dialled is not for the name's owner to choose. */
async function resolveChecked(name: string, reach: Reach, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(name)
  if (addresses.length === 0 || addresses.some((address) => !mayCall(address, reach))) throw new ForbiddenAddress()
  return addresses
}

/** To be asked before a request: a literal is dialled without any lookup, and http leads to this machine or nowhere. */
export function checkDial(uri: string, reach: Reach): void {
  if (uriFault(uri, reach)) throw new ForbiddenAddress()
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')
