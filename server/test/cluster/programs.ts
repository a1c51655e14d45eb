import { access, constants, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the programs are that the cluster is made of. Without `clamd` files are not scanned. */
export type Programs = {
  /** The folder of PostgreSQL's programs. */
  postgres: string
  patroni: string
  etcd: string
  haproxy: string
  versitygw: string
  clamd: string | undefined
}

const DEBIAN = { postgres: 'postgresql', patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' }
export const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.0.14'

export async function findPrograms(): Promise<Programs> {
  const [postgres, patroni, etcd, haproxy, versitygw, clamd] = await Promise.all([
    findPostgres(),
    ...['patroni', 'etcd', 'haproxy', 'versitygw', 'clamd'].map(find),
  ])
  const found = { postgres, patroni, etcd, haproxy }
  const missing = Object.entries(DEBIAN).flatMap(([name, debian]) =>
    found[name as keyof typeof found] === undefined ? [debian] : [],
  )
  const advice = adviceOn(missing, versitygw)
  if (!postgres || !patroni || !etcd || !haproxy || !versitygw) throw new Error(advice)
  return { postgres, patroni, etcd, haproxy, versitygw, clamd }
}

/** What to type, if something is missing. */
export function adviceOn(packages: readonly string[], versitygw: string | undefined): string {
  const steps = [
    ...(packages.length > 0 ? [`apt-get update && apt-get install --yes ${packages.join(' ')}`] : []),
    ...(versitygw ? [] : [`GOBIN=/usr/local/bin go install ${VERSITYGW}`]),
  ]
  return ['Programs of the cluster are missing. Install them:', ...steps.map((step) => `  ${step}`)].join('\n')
}

const FOLDERS = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin', join(homedir(), 'go/bin')]

async function find(name: string): Promise<string | undefined> {
  for (const folder of [...(process.env['PATH'] ?? '').split(':'), ...FOLDERS]) {
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
