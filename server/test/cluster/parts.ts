import { join } from 'node:path'
import { type Addresses, DATABASE_HOSTS, type DatabaseHost, type Host, PORTS, publicUrlOf } from './layout.ts'
import type { Programs } from './programs.ts'
import type { Secrets } from './secrets.ts'

// What runs on which machine, and with which settings: the programs to start, in this order.

export type Part = {
  name: string
  host: Host
  command: string[]
  env: Record<string, string>
  /** PostgreSQL refuses to run as root. */
  notAsRoot?: true
  /** It is ready when this answers 2xx or, of `tcp:`, takes a connection. */
  readyAt: string
}

export type Facts = {
  folder: string
  addresses: Addresses
  programs: Programs
  secrets: Secrets
  /** The certificate with its key, for HAProxy. */
  certificate: string
  /** Node, and the folder of the service's code: another version of it may be named. */
  node: string
  code: string
  clamdConfig: string
}

export const DATABASE = 'lodgeway'

/** Those of a group are started together: etcd is ready when most of its members run. */
export const groupsOf = (facts: Facts): Part[][] => [
  [store(facts), ...(facts.programs.clamd ? [clamd(facts, facts.programs.clamd)] : [])],
  DATABASE_HOSTS.map((host) => etcd(facts, host)),
  DATABASE_HOSTS.map((host) => patroni(facts, host)),
  [haproxy(facts)],
  (['app1', 'app2', 'app3'] as const).map((host) => service(facts, host, 'serve')),
  (['work1', 'work2'] as const).map((host) => service(facts, host, 'work')),
]

export const partsOf = (facts: Facts): Part[] => groupsOf(facts).flat()

function store({ folder, addresses, programs, secrets }: Facts): Part {
  const address = `${addresses.store}:${PORTS.store}`
  return {
    name: 'store',
    host: 'store',
    command: [programs.versitygw, '--port', address, 'posix', join(folder, 'store')],
    env: { ROOT_ACCESS_KEY: STORE_KEY_ID, ROOT_SECRET_KEY: secrets.storeKey },
    readyAt: `tcp://${address}`,
  }
}

const STORE_KEY_ID = 'lodgeway'
export const BUCKET = 'files'

function clamd({ addresses, clamdConfig }: Facts, program: string): Part {
  const command = [program, '--foreground', `--config-file=${clamdConfig}`]
  return { name: 'clamd', host: 'store', command, env: {}, readyAt: `tcp://${addresses.store}:${PORTS.clamd}` }
}

/** With one signature of our own, so that no database of viruses is needed. */
export const clamdConfigOf = ({ folder, addresses }: Pick<Facts, 'folder' | 'addresses'>) => `\
Foreground yes
DatabaseDirectory ${join(folder, 'clamd')}
TCPAddr ${addresses.store}
TCPSocket ${PORTS.clamd}
StreamMaxLength 50M
`

const VIRUS = 'LODGEWAY-TEST-VIRUS'
export const SIGNATURE = `Lodgeway.Test:0:*:${Buffer.from(VIRUS).toString('hex')}\n`

function etcd({ folder, addresses, programs }: Facts, host: DatabaseHost): Part {
  const peers = `http://${addresses[host]}:${PORTS.etcdPeers}`
  const clients = `http://${addresses[host]}:${PORTS.etcd}`
  const settings = {
    name: host,
    'data-dir': join(folder, 'etcd', host),
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'initial-cluster': DATABASE_HOSTS.map((one) => `${one}=http://${addresses[one]}:${PORTS.etcdPeers}`).join(','),
    'heartbeat-interval': '200',
    'election-timeout': '2000',
  }
  const command = [programs.etcd, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)]
  return { name: `etcd-${host}`, host, command, env: {}, readyAt: `${clients}/health` }
}

function patroni({ folder, addresses, programs, secrets }: Facts, host: DatabaseHost): Part {
  const address = addresses[host]
  const rest = `${address}:${PORTS.patroni}`
  const postgres = `${address}:${PORTS.postgres}`
  return {
    name: `patroni-${host}`,
    host,
    command: [programs.patroni, 'patroni.yml'],
    notAsRoot: true,
    env: {
      PATRONI_NAME: host,
      PATRONI_ETCD3_HOSTS: DATABASE_HOSTS.map((one) => `'${addresses[one]}:${PORTS.etcd}'`).join(','),
      PATRONI_RESTAPI_LISTEN: rest,
      PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
      PATRONI_POSTGRESQL_LISTEN: postgres,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres,
      PATRONI_POSTGRESQL_BIN_DIR: programs.postgres,
      PATRONI_POSTGRESQL_DATA_DIR: dataOf(folder, host),
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'postgres', `${host}.pgpass`),
      PATRONI_SUPERUSER_PASSWORD: secrets.superuser,
      PATRONI_REPLICATION_PASSWORD: secrets.replication,
      // For postgres-init.sh, which Patroni tells the password.
      PGHOST: address,
      OWNER_PASSWORD: secrets.owner,
      SERVICE_PASSWORD: secrets.service,
      ...backupEnv(folder, dataOf(folder, host), secrets.backup),
    },
    readyAt: `http://${rest}/health`,
  }
}

/** What differs from machine to machine in pgBackRest's settings. */
export const backupEnv = (folder: string, data: string, passphrase: string): Record<string, string> => ({
  PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
  PGBACKREST_REPO1_PATH: join(folder, 'postgres/backups'),
  PGBACKREST_REPO1_CIPHER_PASS: passphrase,
  PGBACKREST_PG1_PATH: data,
  PGBACKREST_LOCK_PATH: `${data}.lock`,
})

export const dataOf = (folder: string, host: DatabaseHost) => join(folder, 'postgres', host)

function haproxy({ addresses, programs, certificate, folder }: Facts): Part {
  const { proxy, app1, app2, app3, db1, db2, db3 } = addresses
  return {
    name: 'haproxy',
    host: 'proxy',
    command: [programs.haproxy, '-db', '-f', join(folder, 'haproxy.cfg')],
    env: { PROXY: proxy, CERTIFICATE: certificate, APP1: app1, APP2: app2, APP3: app3, DB1: db1, DB2: db2, DB3: db3 },
    readyAt: `tcp://${proxy}:${PORTS.postgres}`,
  }
}

function service(facts: Facts, host: Host, command: 'serve' | 'work'): Part {
  const { addresses, folder } = facts
  const address = addresses[host]
  return {
    name: host,
    host,
    command: lodgeway(facts, command),
    env: {
      ...serviceEnv(facts),
      HOST: address,
      PORT: String(PORTS.serve),
      ADMIN_HOST: address,
      ADMIN_PORT: String(PORTS.admin),
      DATA_DIR: join(folder, 'service', host),
    },
    readyAt: `http://${address}:${PORTS.admin}/readyz`,
  }
}

export const lodgeway = ({ node, code }: Pick<Facts, 'node' | 'code'>, ...args: string[]): string[] => [
  node,
  '--no-allocation-site-pretenuring',
  '--max-semi-space-size=8',
  join(code, 'server/src/main.ts'),
  ...args,
]

/** The settings that all nodes share, and the commands. */
export function serviceEnv({ addresses, secrets, programs }: Facts): Record<string, string> {
  const { proxy, store } = addresses
  return {
    DATABASE_URL: databaseUrl('lodgeway', secrets.service, proxy),
    BLOB_URL: `s3://${BUCKET}/blobs?endpoint=http://${store}:${PORTS.store}`,
    AWS_ACCESS_KEY_ID: STORE_KEY_ID,
    AWS_SECRET_ACCESS_KEY: secrets.storeKey,
    ...(programs.clamd && { CLAMD_URL: `tcp://${store}:${PORTS.clamd}` }),
    PUBLIC_URL: publicUrlOf(addresses),
    TRUST_PROXY: proxy,
    SECRET_PEPPER: secrets.pepper,
    SIGNING_KEYS: secrets.signingKeys,
    REGISTRY: 'simulator',
    PAYMENTS: 'simulator',
    RATE_LIMIT_PER_MINUTE: '0',
  }
}

/** The primary, by way of the proxy, as the owner of the tables. */
export const ownerUrl = ({ addresses, secrets }: Pick<Facts, 'addresses' | 'secrets'>) =>
  databaseUrl('lodgeway_owner', secrets.owner, addresses.proxy)

const databaseUrl = (user: string, password: string, address: string) =>
  `postgres://${user}:${password}@${address}:${PORTS.postgres}/${DATABASE}`
