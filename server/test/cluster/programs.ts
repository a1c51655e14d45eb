import { execFile } from 'node:child_process'
import { access, constants, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Where the programs are that the cluster is made of. Without `clamd` files are not scanned. */
export type Programs = {
  /** The folder of PostgreSQL's programs. */
  postgres: string
  pgbackrest: string
  patroni: string
  etcd: string
  haproxy: string
  versitygw: string
  clamd: string | undefined
}

const DEBIAN = { postgres: 'postgresql', pgbackrest: 'pgbackrest', etcd: 'etcd-server', haproxy: 'haproxy' }
// Before 3.0.3 a primary that was cut off takes the lock back from its successor, and changes are lost. Debian 12 has 3.0.2.
const PATRONI_VERSION_MIN = '3.0.3'
const PATRONI_FOLDER = '/opt/patroni'
const PATRONI_PACKAGES = "'patroni[etcd3]==4.1.5' psycopg2-binary"
const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.0.14'

export async function findPrograms(): Promise<Programs> {
  const [postgres, patroni, pgbackrest, etcd, haproxy, versitygw, clamd] = await Promise.all([
    findPostgres(),
    findPatroni(),
    ...['pgbackrest', 'etcd', 'haproxy', 'versitygw', 'clamd'].map((name) => find(name)),
  ])
  if (postgres && patroni && pgbackrest && etcd && haproxy && versitygw)
    return { postgres, patroni, pgbackrest, etcd, haproxy, versitygw, clamd }
  throw new Error(adviceOn({ postgres, patroni, pgbackrest, etcd, haproxy, versitygw }))
}

/** What a backup and its restore need. Without `versitygw` files are in a folder. */
export async function findBackupPrograms() {
  const [postgres, pgbackrest, versitygw] = await Promise.all([findPostgres(), find('pgbackrest'), find('versitygw')])
  return postgres && pgbackrest ? { postgres, pgbackrest, versitygw } : undefined
}

type Found = Record<Exclude<keyof Programs, 'clamd'>, string | undefined>

/** What to type where something is missing. */
export function adviceOn(found: Found): string {
  const packages = Object.entries(DEBIAN).flatMap(([name, one]) => (found[name as keyof typeof DEBIAN] ? [] : [one]))
  const steps = [
    ...(packages.length > 0 ? [`apt-get update && apt-get install --yes ${packages.join(' ')}`] : []),
    ...(found.patroni
      ? []
      : [
          `apt-get install --yes python3-venv && /usr/bin/python3 -m venv ${PATRONI_FOLDER} && ${PATRONI_FOLDER}/bin/pip install ${PATRONI_PACKAGES}`,
        ]),
    ...(found.versitygw ? [] : [`GOBIN=/usr/local/bin go install ${VERSITYGW}`]),
  ]
  return ['Programs of the cluster are missing. Install them, as root:', ...steps.map((step) => `  ${step}`)].join('\n')
}

export const isSafePatroni = (version: string): boolean => byNumber.compare(version, PATRONI_VERSION_MIN) >= 0

const byNumber = new Intl.Collator('en', { numeric: true })

async function findPatroni(): Promise<string | undefined> {
  const path = await find('patroni', [join(PATRONI_FOLDER, 'bin')])
  const { stdout } = path ? await promisify(execFile)(path, ['--version']) : { stdout: '' }
  return isSafePatroni(stdout.trim().split(' ')[1] ?? '') ? path : undefined
}

const FOLDERS = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin', join(homedir(), 'go/bin')]

async function find(name: string, first: readonly string[] = []): Promise<string | undefined> {
  for (const folder of [...first, ...(process.env['PATH'] ?? '').split(':'), ...FOLDERS]) {
    if (await isProgram(join(folder, name))) return join(folder, name)
  }
  return undefined
}

/** The newest one, where Debian has it: with the programs that Patroni needs, which the embedded PostgreSQL lacks. */
async function findPostgres(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  for (const version of versions.sort((one, other) => Number(other) - Number(one))) {
    const folder = join('/usr/lib/postgresql', version, 'bin')
    if (await isProgram(join(folder, 'postgres'))) return folder
  }
  return undefined
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
