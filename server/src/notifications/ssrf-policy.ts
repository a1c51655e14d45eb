import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Deps } from '../platform/deps.ts'

// Which addresses may be called. The text of a webhookURI is checked when it is registered, and the address itself when a
// connection is opened. For IPv6 only global unicast is allowed, which excludes mapped, compatible and translated IPv4,
// unique local, link-local and future reserved ranges.

export type SsrfPolicy = Deps['ssrfPolicy']

const URI_CHARACTERS_MAX = 2_048

const NOT_PUBLIC_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // the host of a virtual machine, in one of the clouds
  '169.254.0.0/16', // link-local: metadata of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

const GLOBAL_V6 = '2000::/3'
const NOT_PUBLIC_V6 = [
  '2001::/23', // Teredo, ORCHID, benchmarking and other protocols
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48',
  '3fff::/20', // documentation
]

const notPublicV4 = listOf('ipv4', NOT_PUBLIC_V4)
const notPublicV6 = listOf('ipv6', NOT_PUBLIC_V6)
const globalV6 = listOf('ipv6', [GLOBAL_V6])
const loopbackV4 = listOf('ipv4', ['127.0.0.0/8'])

/** For an address as the resolver or the URL parser writes it. Anything that is not an address may not be called. */
export function mayCall(address: string, policy: SsrfPolicy): boolean {
  if (isLoopback(address)) return policy === 'public and loopback'
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4')
  return isIP(address) === 6 && globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

/** What is wrong with the text of a webhookURI, if anything. The URL parser knows every notation of an address. */
export function uriError(uri: string, policy: SsrfPolicy): string | undefined {
  const isSandbox = policy === 'public and loopback'
  const wanted = isSandbox ? 'an https address, or http on this machine' : 'an https address'
  if (uri.length > URI_CHARACTERS_MAX) return `must be at most ${URI_CHARACTERS_MAX} characters long`
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) return `must be ${wanted}`
  const url = new URL(uri)
  if (url.protocol !== 'https:' && !(isSandbox && url.protocol === 'http:')) return `must be ${wanted}`
  if (url.username || url.password) return 'must not contain credentials'
  const host = hostOf(url)
  if (isLocal(host)) return isSandbox ? undefined : 'must not be on this machine'
  if (url.protocol === 'http:') return `must be ${wanted}`
  if (isIP(host)) return mayCall(host, policy) ? undefined : 'must have a public address'
  return host.includes('.') ? undefined : 'must have a full host name'
}

/** An address of this machine, which needs no challenge. Only the sandbox accepts one. */
export const isLocalUri = (uri: string): boolean => isLocal(hostOf(new URL(uri)))

/** Call it before a request: a literal address is used without a lookup, and http is for this machine only. */
export function checkUri(uri: string, policy: SsrfPolicy): void {
  if (uriError(uri, policy)) throw new ForbiddenAddress()
}

export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
  constructor() {
    super('This address must not be called.')
  }
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const isLocal = (host: string): boolean => isLocalName(host) || isLoopback(host)

const isLoopback = (address: string): boolean =>
  isIPv4(address) ? loopbackV4.check(address, 'ipv4') : address === '::1'

function listOf(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
