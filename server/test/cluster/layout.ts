// The machines of the cluster. As root each is a network namespace, so that its cable can be pulled; otherwise each is
// only an address of the loopback interface. The ports are those that the parts have on machines of their own.

export const HOSTS = [
  ...(['db1', 'db2', 'db3'] as const), // PostgreSQL under Patroni, and etcd
  ...(['app1', 'app2', 'app3'] as const), // serve
  ...(['work1', 'work2'] as const),
  'proxy', // HAProxy
  'store', // files, and the virus scanner
] as const

export type Host = (typeof HOSTS)[number]
export type DatabaseHost = Extract<Host, `db${string}`>

export const DATABASE_HOSTS = HOSTS.filter((host): host is DatabaseHost => host.startsWith('db'))

export type NetworkKind = 'namespaces' | 'loopback'

/** Several clusters on one machine have networks of their own, each with its number. */
export type NetworkId = { kind: NetworkKind; number: number }

const prefixOf = ({ kind, number }: NetworkId) => `${kind === 'namespaces' ? 10 : 127}.77.${number}`
const FIRST_HOST = 11

/** The machine that the cluster is started on, as the others see it. */
export const outsideAddressOf = (network: NetworkId) => `${prefixOf(network)}.1`

export type Addresses = Record<Host, string>

export const addressesOf = (network: NetworkId): Addresses =>
  Object.fromEntries(HOSTS.map((host, index) => [host, `${prefixOf(network)}.${FIRST_HOST + index}`])) as Addresses

export const PORTS = {
  postgres: 5432,
  patroni: 8008,
  etcd: 2379,
  etcdPeers: 2380,
  serve: 8080,
  admin: 8081,
  https: 8443,
  store: 9000,
  clamd: 3310,
}

/** The address that partners use. */
export const publicUrlOf = ({ proxy }: Addresses) => `https://${proxy}:${PORTS.https}`
