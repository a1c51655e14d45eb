import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Addresses, HOSTS, type Host, type NetworkKind, OUTSIDE_ADDRESS } from './layout.ts'

// Each machine is a network namespace with one cable, all of them to one bridge. Nothing else of this machine's network
// is touched.

const run = promisify(execFile)
const BRIDGE = 'lodgeway'

const namespaceOf = (host: Host) => `lodgeway-${host}`
const cableOf = (host: Host) => `lw-${host}`

export type Network = {
  kind: NetworkKind
  /** The command that starts a program on a machine. */
  on(host: Host): string[]
  /** Takes the network interface of a machine down, and up again. */
  cut(host: Host): Promise<void>
  join(host: Host): Promise<void>
}

/** Only root may make namespaces. */
export const networkKind = (): NetworkKind => (process.getuid?.() === 0 ? 'namespaces' : 'loopback')

export function networkOf(kind: NetworkKind): Network {
  if (kind === 'namespaces') {
    return {
      kind,
      on: (host) => ['ip', 'netns', 'exec', namespaceOf(host)],
      cut: (host) => ip(`link set ${cableOf(host)} down`),
      join: (host) => ip(`link set ${cableOf(host)} up`),
    }
  }
  const cannot = async () => {
    throw new Error('A network interface can be taken down only as root.')
  }
  return { kind, on: () => [], cut: cannot, join: cannot }
}

export async function createNetwork(kind: NetworkKind, addresses: Addresses): Promise<void> {
  if (kind === 'loopback') return
  await removeNetwork(kind)
  await ip(`link add ${BRIDGE} type bridge`)
  await ip(`address add ${OUTSIDE_ADDRESS}/24 dev ${BRIDGE}`)
  await ip(`link set ${BRIDGE} up`)
  for (const host of HOSTS) {
    const namespace = namespaceOf(host)
    await ip(`netns add ${namespace}`)
    await ip(`link add ${cableOf(host)} type veth peer name eth0 netns ${namespace}`)
    await ip(`link set ${cableOf(host)} master ${BRIDGE} up`)
    await ip(`-n ${namespace} address add ${addresses[host]}/24 dev eth0`)
    for (const device of ['lo', 'eth0']) await ip(`-n ${namespace} link set ${device} up`)
  }
}

/** Whatever there is of it. */
export async function removeNetwork(kind: NetworkKind): Promise<void> {
  if (kind === 'loopback') return
  const { stdout } = await run('ip', ['netns', 'list'])
  const existing = new Set(stdout.split('\n').map((line) => line.split(' ')[0]))
  for (const host of HOSTS) if (existing.has(namespaceOf(host))) await ip(`netns delete ${namespaceOf(host)}`)
  await ip(`link delete ${BRIDGE}`).catch(() => {})
}

async function ip(command: string): Promise<void> {
  await run('ip', command.split(' '))
}
