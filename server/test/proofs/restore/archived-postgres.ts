import { execFile } from 'node:child_process'
import { appendFile, chown, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { backupEnv } from '../../cluster/parts.ts'
import type { Processes } from '../../cluster/processes.ts'
import { runSql } from '../../fixtures/database.ts'
import { freePort } from '../../fixtures/ports.ts'

// One PostgreSQL with the settings of deploy/cluster: its archive, its backups, and what is restored from these.

const run = promisify(execFile)
const DEPLOY = resolve(import.meta.dirname, '../../../../deploy')
const READY_MS_MAX = 240_000
const OUTPUT_BYTES_MAX = 20_000_000
const isRoot = process.getuid?.() === 0
const AS_POSTGRES = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : []
/** For tests alone, on this machine alone. */
const PASSWORD = 'proof'

export type Programs = { postgres: string; pgbackrest: string }

export type ArchivedPostgres = {
  url: string
  ownerUrl: string
  superuserUrl: string
  name: string
  data: string
  /** Until it takes changes: what is restored has reached its point. */
  start(): Promise<void>
  pgbackrest(...args: string[]): Promise<string>
}

type Place = { folder: string; programs: Programs; processes: Processes }

/** In a folder of PostgreSQL's user. */
export async function placeForPostgres({ folder }: Pick<Place, 'folder'>): Promise<void> {
  const inside = join(folder, 'postgres')
  await mkdir(inside, { recursive: true })
  await copyFile(join(DEPLOY, 'cluster/pgbackrest.conf'), join(folder, 'pgbackrest.conf'))
  await copyFile(join(DEPLOY, 'postgres-init.sh'), join(folder, 'postgres-init.sh'))
  if (!isRoot) return
  const ids = ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout))
  const [uid = 0, gid = 0] = await Promise.all(ids)
  await chown(inside, uid, gid)
}

/** The settings of the archive, as Patroni would have them. */
export async function archiveSettings(): Promise<Record<string, string>> {
  const text = await readFile(join(DEPLOY, 'cluster/patroni.yml'), 'utf8')
  const lines = text.matchAll(/^ {8}(archive_\w+): '?([^'\n]+)'?$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

export async function postgresIn({ folder, programs, processes }: Place, name: string): Promise<ArchivedPostgres> {
  const data = join(folder, 'postgres', name)
  const sockets = join(folder, 'postgres')
  const port = await freePort()
  const env = {
    ...backupEnv(folder, data, PASSWORD),
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: sockets,
  }
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: sockets,
    max_connections: '200',
    jit: 'off',
  }
  const urlOf = (user: string, database: string) => `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`
  const superuserUrl = urlOf('postgres', 'postgres')
  return {
    url: urlOf('lodgeway', 'lodgeway'),
    ownerUrl: urlOf('lodgeway_owner', 'lodgeway'),
    superuserUrl,
    name,
    data,
    async start() {
      const args = Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])
      const command = [...AS_POSTGRES, join(programs.postgres, 'postgres'), '-D', data, ...args]
      await processes.start(name, { command, env, cwd: sockets })
      const deadline = performance.now() + READY_MS_MAX
      while (!(await takesChanges(superuserUrl))) {
        if (performance.now() > deadline || !(await processes.runs(name)))
          throw new Error(`${name} does not start: see its log.`)
        await delay(50)
      }
    },
    async pgbackrest(...args) {
      const [file = '', ...rest] = [...AS_POSTGRES, programs.pgbackrest, '--stanza=lodgeway', ...args]
      const options = { env: { ...process.env, ...env }, cwd: sockets, maxBuffer: OUTPUT_BYTES_MAX }
      return (await run(file, rest, options)).stdout
    },
  }
}

/** A new one, with the database and its roles. */
export async function createPostgres(place: Place, name: string): Promise<ArchivedPostgres> {
  const postgres = await postgresIn(place, name)
  const password = join(place.folder, 'password')
  await writeFile(password, PASSWORD)
  const initdb = [join(place.programs.postgres, 'initdb'), '-D', postgres.data, '-U', 'postgres', '--pwfile', password]
  const options = [
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--data-checksums',
  ]
  const [file = '', ...args] = [...AS_POSTGRES, ...initdb, ...options]
  await run(file, args, { cwd: join(place.folder, 'postgres') })
  // In the file, and not on the command line: there, a copy would archive although it was restored with --archive-mode=off.
  const archive = Object.entries(await archiveSettings()).map(([setting, value]) => `${setting} = '${value}'\n`)
  await appendFile(join(postgres.data, 'postgresql.conf'), archive.join(''))
  await postgres.start()
  const { port } = new URL(postgres.superuserUrl)
  await run('sh', [join(place.folder, 'postgres-init.sh')], {
    env: {
      ...process.env,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGPASSWORD: PASSWORD,
      OWNER_PASSWORD: PASSWORD,
      SERVICE_PASSWORD: PASSWORD,
    },
  })
  await postgres.pgbackrest('stanza-create')
  return postgres
}

const takesChanges = (url: string): Promise<boolean> =>
  runSql<{ ready: boolean }>(url, 'select not pg_is_in_recovery() as ready').then(
    ([row]) => row?.ready ?? false,
    () => false,
  )
