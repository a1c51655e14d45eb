import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from '../../cluster/cluster.ts'
import { DATABASE_HOSTS, type DatabaseHost, PORTS } from '../../cluster/layout.ts'

// What is broken, in turn, and for how long before it is repaired.

export type Fault = {
  name: string
  /** Breaks something, and says since when, and how to repair it. */
  strike(cluster: Cluster): Promise<{ from: number; repair(): Promise<void> }>
  lastsMs: number
}

const killed = (name: string, lastsMs: number, find: (cluster: Cluster) => Promise<string> | string): Fault => ({
  name,
  lastsMs,
  async strike(cluster) {
    const part = await find(cluster)
    await cluster.kill(part)
    const from = performance.now()
    return { from, repair: () => cluster.start(part) }
  },
})

const cutOff = (name: string, lastsMs: number, find: (cluster: Cluster) => Promise<DatabaseHost> | 'app2'): Fault => ({
  name,
  lastsMs,
  async strike(cluster) {
    const host = await find(cluster)
    await cluster.network.cut(host)
    const from = performance.now()
    return { from, repair: () => cluster.network.join(host) }
  },
})

export const FAULTS: readonly Fault[] = [
  killed('primary killed', 40_000, async (cluster) => `patroni-${await hostOf(cluster, 'leader')}`),
  killed('synchronous standby killed', 15_000, async (cluster) => `patroni-${await hostOf(cluster, 'sync_standby')}`),
  killed('serve killed', 8_000, () => 'app1'),
  killed('work killed', 8_000, () => 'work1'),
  killed('HAProxy killed, started again after a second', 1_000, () => 'haproxy'),
  killed('leader of etcd killed', 12_000, async (cluster) => `etcd-${await etcdLeader(cluster)}`),
  killed('S3 server killed for 20 seconds', 20_000, () => 'store'),
  cutOff('serve cut off', 20_000, () => 'app2'),
  cutOff('primary cut off', 40_000, (cluster) => hostOf(cluster, 'leader')),
]

async function hostOf(cluster: Cluster, role: string): Promise<DatabaseHost> {
  const found = (await cluster.members()).find((member) => member.role === role)
  if (!found) throw new Error(`No PostgreSQL server is the ${role}.`)
  return found.name
}

async function etcdLeader({ addresses }: Cluster): Promise<DatabaseHost> {
  for (const host of DATABASE_HOSTS) {
    const url = `http://${addresses[host]}:${PORTS.etcd}/v3/maintenance/status`
    const answer = await fetch(url, { method: 'POST', body: '{}' })
    const { header, leader } = (await answer.json()) as { header: { member_id: string }; leader: string }
    if (header.member_id === leader) return host
  }
  throw new Error('etcd has no leader.')
}

const WHOLE_MS_MAX = 120_000

/** Every part is ready, every PostgreSQL server follows, and one of them is synchronous. */
export async function untilWhole(cluster: Cluster): Promise<void> {
  for (const { name } of cluster.parts) await cluster.start(name)
  const deadline = performance.now() + WHOLE_MS_MAX
  for (;;) {
    const members = await cluster.members()
    const areWell = members.every(({ state }) => state === 'running' || state === 'streaming')
    const roles = members.map(({ role }) => role)
    if (
      areWell &&
      members.length === DATABASE_HOSTS.length &&
      roles.includes('leader') &&
      roles.includes('sync_standby')
    )
      return
    if (performance.now() > deadline) throw new Error(`The cluster is not whole: ${JSON.stringify(members)}`)
    await delay(500)
  }
}
