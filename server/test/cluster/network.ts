import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addressesOf, HOSTS, type Host, type NetworkId, type NetworkKind, outsideAddressOf, PORTS } from './layout.ts'

// Each machine is a network namespace with one cable, all of them to one bridge. Nothing else of this machine's network
// is touched.

const run = promisify(execFile)
const NUMBERS = Array.from({ length: 200 }, (_, index) => 20 + index)

const bridgeOf = ({ number }: NetworkId) => `lodgeway${number}`
const namespaceOf = ({ number }: NetworkId, host: Host) => `lodgeway${number}-${host}`
const cableOf = ({ number }: NetworkId, host: Host) => `lw${number}-${host}`

export type Network = {
  kind: NetworkKind
  /** The command that starts a program on a machine. */
  on(host: Host): string[]
  /** Takes the network interface of a machine down, and up again. */
  cut(host: Host): Promise<void>
  join(host: Host): Promise<void>
}

/** Only root may make namespaces. */
const networkKind = (): NetworkKind => (process.getuid?.() === 0 ? 'namespaces' : 'loopback')

export function networkOf(id: NetworkId): Network {
  const { kind } = id
  if (kind === 'namespaces') {
    return {
      kind,
      on: (host) => ['ip', 'netns', 'exec', namespaceOf(id, host)],
      cut: (host) => ip(`link set ${cableOf(id, host)} down`),
      join: (host) => ip(`link set ${cableOf(id, host)} up`),
    }
  }
  const cannot = async () => {
    throw new Error('A network interface can be taken down only as root.')
  }
  return { kind, on: () => [], cut: cannot, join: cannot }
}

type Noted = NetworkId & { isUp: boolean }

const fileIn = (folder: string) => join(folder, 'network.json')
const note = (folder: string, noted: Noted) => writeFile(fileIn(folder), JSON.stringify(noted))

/** The network of the cluster in this folder, if it was started there before. */
export const networkIn = (folder: string): Promise<Noted | undefined> =>
  readFile(fileIn(folder), 'utf8').then(
    (text) => JSON.parse(text) as Noted,
    () => undefined,
  )

/** The one that it had before, as its data names the addresses, or the first that no other cluster has. */
export async function createNetwork(folder: string): Promise<NetworkId> {
  await removeNetwork(folder)
  const before = await networkIn(folder)
  const kind = networkKind()
  for (const id of before ? [before] : NUMBERS.map((number) => ({ kind, number }))) {
    if (!(await take(id))) continue
    await note(folder, { ...id, isUp: true })
    if (id.kind === 'namespaces') await connectAll(id)
    return id
  }
  throw new Error(
    `Another cluster uses the addresses that the one in ${folder} has. Stop that one, or remove the folder.`,
  )
}

/** Whether no other cluster has it. */
async function take(id: NetworkId): Promise<boolean> {
  if (id.kind === 'namespaces') {
    return ip(`link add ${bridgeOf(id)} type bridge`).then(
      () => true,
      (error: Error) => {
        if (error.message.includes('File exists')) return false
        throw error
      },
    )
  }
  const server = createServer().listen(PORTS.etcd, addressesOf(id).db1)
  return once(server, 'listening').then(
    async () => {
      await promisify(server.close.bind(server))()
      return true
    },
    () => false,
  )
}

async function connectAll(id: NetworkId): Promise<void> {
  const addresses = addressesOf(id)
  await ip(`address add ${outsideAddressOf(id)}/24 dev ${bridgeOf(id)}`)
  await ip(`link set ${bridgeOf(id)} up`)
  for (const host of HOSTS) {
    const namespace = namespaceOf(id, host)
    await ip(`netns add ${namespace}`)
    await ip(`link add ${cableOf(id, host)} type veth peer name eth0 netns ${namespace}`)
    await ip(`link set ${cableOf(id, host)} master ${bridgeOf(id)} up`)
    await ip(`-n ${namespace} address add ${addresses[host]}/24 dev eth0`)
    for (const device of ['lo', 'eth0']) await ip(`-n ${namespace} link set ${device} up`)
  }
}

/** Whatever there is of it. */
export async function removeNetwork(folder: string): Promise<void> {
  const id = await networkIn(folder)
  if (!id?.isUp) return
  if (id.kind === 'namespaces') {
    for (const host of HOSTS) await ip(`netns delete ${namespaceOf(id, host)}`).catch(() => {})
    await ip(`link delete ${bridgeOf(id)}`).catch(() => {})
  }
  await note(folder, { ...id, isUp: false })
}

async function ip(command: string): Promise<void> {
  await run('ip', command.split(' '))
}
