import { execFile } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Addresses, addressesOf, DATABASE_HOSTS, type DatabaseHost, PORTS, publicUrlOf } from './layout.ts'
import { createNetwork, type Network, networkIn, networkOf, removeNetwork } from './network.ts'
import {
  BUCKET,
  clamdConfigOf,
  dataOf,
  type Facts,
  groupsOf,
  lodgeway,
  ownerUrl,
  type Part,
  partsOf,
  SIGNATURE,
  serviceEnv,
} from './parts.ts'
import { type Processes, processesIn } from './processes.ts'
import { findPrograms } from './programs.ts'
import { certificateIn, secretsIn } from './secrets.ts'

// A cluster on one machine: every part of it as on several, each with its address.

const run = promisify(execFile)
/** This checkout. */
export const ROOT = resolve(import.meta.dirname, '../../..')
const READY_MS_MAX = 180_000 // for a busy machine
const POLL_MS = 200

export type Cluster = {
  url: string
  /** The file of the certificate to trust. */
  certificate: string
  ownerUrl: string
  addresses: Addresses
  network: Network
  parts: readonly Part[]
  /** From now on nodes are started, and commands run, from this checkout. */
  use(code: string): void
  /** Starts a part, and waits until it is ready. */
  start(name: string): Promise<void>
  /** As if it had lost its power: -9, with all that it has started. */
  kill(name: string): Promise<void>
  /** Ends a part as an operator does. */
  end(name: string): Promise<void>
  /** Runs `lodgeway` with these arguments, and returns what it prints. */
  command(...args: string[]): Promise<string>
  members(): Promise<Member[]>
  stop(): Promise<void>
}

/** A member of the PostgreSQL cluster, as Patroni sees it. */
export type Member = { name: DatabaseHost; role: string; state: string; lag?: number | string }

export type Say = (line: string) => void

export async function startCluster(folder: string, say: Say = () => {}, code = ROOT): Promise<Cluster> {
  const programs = await findPrograms()
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755) // PostgreSQL's user looks into it
  try {
    const networkId = await createNetwork(folder)
    const addresses = addressesOf(networkId)
    const secrets = await secretsIn(folder)
    const { certificate, withKey } = await certificateIn(folder, addresses.proxy)
    const clamdConfig = join(folder, 'clamd.conf')
    const node = process.execPath
    const facts: Facts = { folder, addresses, programs, secrets, certificate: withKey, node, code, clamdConfig }
    await prepare(facts)
    const cluster = clusterOf({ facts, network: networkOf(networkId), processes: processesIn(folder), certificate })
    await startAll(cluster, facts, say)
    return cluster
  } catch (error) {
    await stopCluster(folder)
    throw error
  }
}

async function startAll(cluster: Cluster, facts: Facts, say: Say): Promise<void> {
  for (const group of groupsOf(facts)) {
    if (group.some(({ name }) => name === 'app1')) {
      await untilSafe(cluster, say)
      say('migrate')
      await cluster.command('migrate')
    }
    await Promise.all(group.map(({ name }) => cluster.start(name)))
    for (const { name, host } of group) say(`${name.padEnd(14)} ${facts.addresses[host]}`)
  }
}

/** Whatever runs of it, also if the process that started it is gone. */
export async function stopCluster(folder: string): Promise<void> {
  const processes = processesIn(folder)
  const names = await processes.noted()
  // What was started last is stopped first.
  const order = [/^(app|work)/, /^haproxy/, /^patroni/, /^(etcd|clamd|store)/]
  for (const pattern of order) {
    await Promise.all(names.filter((name) => order.find((one) => one.test(name)) === pattern).map(processes.stop))
  }
  await removeNetwork(folder)
}

/** What runs, and what the PostgreSQL servers are to each other. */
export async function statusOf(folder: string): Promise<string[]> {
  const processes = processesIn(folder)
  const names = (await processes.noted()).filter((name) => name !== STARTER).sort()
  const states = names.map(async (name) => `${name.padEnd(14)} ${(await processes.runs(name)) ? 'runs' : 'is gone'}`)
  const network = await networkIn(folder)
  const members = names.length && network ? await membersOf(addressesOf(network)) : []
  const lines = [
    ...(await Promise.all(states)),
    ...members.map(({ name, role, state }) => `postgres ${name.padEnd(5)} ${role}, ${state}`),
  ]
  return lines.length ? lines : [`No cluster runs in ${folder}.`]
}

/** The name under which the process that started the cluster is noted. */
export const STARTER = 'starter'

type Made = { facts: Facts; network: Network; processes: Processes; certificate: string }

function clusterOf({ facts: given, network, processes, certificate }: Made): Cluster {
  let facts = given
  const parts = partsOf(facts)
  const { folder, addresses } = facts
  const partNamed = (name: string): Part => {
    const part = partsOf(facts).find((one) => one.name === name)
    if (!part) throw new Error(`The cluster has no ${name}: ${parts.map((one) => one.name).join(', ')}.`)
    return part
  }
  return {
    url: publicUrlOf(addresses),
    certificate,
    ownerUrl: ownerUrl(facts),
    addresses,
    network,
    parts,
    use(code) {
      facts = { ...facts, code }
    },
    async start(name) {
      const { host, command, env, notAsRoot, readyAt } = partNamed(name)
      const user = notAsRoot && network.kind === 'namespaces' ? AS_POSTGRES : []
      await processes.start(name, { command: [...network.on(host), ...user, ...command], env, cwd: folder })
      await untilReady(
        readyAt,
        () => processes.runs(name),
        `${name} is not ready: see ${join(folder, 'log', name)}.log.`,
      )
    },
    async kill(name) {
      const { host } = partNamed(name)
      const postmaster = name.startsWith('patroni') ? await postmasterOf(dataOf(folder, host as DatabaseHost)) : []
      const pids = await processes.pids(name, postmaster)
      if (pids.length === 0) throw new Error(`${name} does not run.`)
      processes.signal(pids, 'SIGKILL')
    },
    end: (name) => processes.stop(name),
    async command(...args) {
      const [file = '', ...rest] = lodgeway(facts, ...args)
      const env = { PATH: process.env['PATH'] ?? '', ...serviceEnv(facts), DATA_DIR: join(folder, 'service/commands') }
      const owner = args[0] === 'migrate' ? { DATABASE_OWNER_URL: ownerUrl(facts) } : {}
      return (await run(file, rest, { env: { ...env, ...owner } })).stdout
    },
    members: () => membersOf(addresses),
    stop: () => stopCluster(folder),
  }
}

const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']

const DEPLOYED = [
  ...['patroni.yml', 'bootstrap.sh', 'pgbackrest.conf', 'haproxy.cfg'].map((name) => `cluster/${name}`),
  'postgres-init.sh',
]

/** Folders, and copies of the files of `deploy/`, which the user of PostgreSQL can read. */
async function prepare({ folder, addresses, clamdConfig }: Facts): Promise<void> {
  for (const name of ['etcd', 'service', 'clamd', `store/${BUCKET}`, 'postgres'])
    await mkdir(join(folder, name), { recursive: true })
  for (const name of DEPLOYED) await copyFile(join(ROOT, 'deploy', name), join(folder, name.replace('cluster/', '')))
  await writeFile(clamdConfig, clamdConfigOf({ folder, addresses }))
  await writeFile(join(folder, 'clamd/lodgeway.ndb'), SIGNATURE)
  if (process.getuid?.() !== 0) return
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  await chown(join(folder, 'postgres'), uid ?? 0, gid ?? 0)
}

async function untilReady(readyAt: string, runs: () => Promise<boolean>, message: string): Promise<void> {
  const deadline = performance.now() + READY_MS_MAX
  while (!(await isReady(readyAt))) {
    if (performance.now() > deadline || !(await runs())) throw new Error(message)
    await delay(POLL_MS)
  }
}

async function isReady(readyAt: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(readyAt)
  if (protocol !== 'tcp:')
    return fetch(readyAt, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  return new Promise((done) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Nothing is committed before a standby is synchronous. */
async function untilSafe({ addresses }: Cluster, say: Say): Promise<void> {
  say('waiting for a synchronous standby')
  const deadline = performance.now() + READY_MS_MAX
  while (!(await membersOf(addresses)).some(({ role }) => role === 'sync_standby')) {
    if (performance.now() > deadline) throw new Error('No standby is synchronous.')
    await delay(POLL_MS)
  }
}

async function membersOf(addresses: Addresses): Promise<Member[]> {
  for (const host of DATABASE_HOSTS) {
    const url = `http://${addresses[host]}:${PORTS.patroni}/cluster`
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (answer) return ((await answer.json()) as { members: Member[] }).members
  }
  return []
}

async function postmasterOf(data: string): Promise<number[]> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  return text ? [Number(text.split('\n')[0])] : []
}
