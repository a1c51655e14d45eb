import { randomBytes } from 'node:crypto'
import { access, chown, link, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { OnStep } from '../operations/steps.ts'
import { syncPath } from '../sync-path.ts'
import { explained, isAlive } from './process.ts'
import { findRunner, type RootRunsAs, runToEnd } from './runner.ts'

/** Everything that is needed to start the PostgreSQL of a folder and to connect to it. */
export type Cluster = {
  /** Identifies its server in a list of processes. */
  name: string
  folder: string
  data: string
  log: string
  passwords: Passwords
  rootRunsAs: RootRunsAs
}

type Passwords = { lodgeway_owner: string; lodgeway: string }

/** Finds the cluster of a folder, or creates it completely or not at all. */
export async function prepareCluster(
  at: string,
  rootRunsAs: RootRunsAs,
  { onStep, meanwhile }: { onStep: OnStep; meanwhile?: (() => void) | undefined },
): Promise<Cluster> {
  try {
    await mkdir(at, { recursive: true })
    const folder = await realpath(at)
    const data = join(folder, 'postgres')
    const isCreated = await hasCluster(folder)
    if (!isCreated) onStep(`creating a PostgreSQL in ${folder}`)
    const passwords = isCreated ? await readPasswords(folder) : await makePasswords(folder)
    if (!isCreated) await create(folder, passwords, rootRunsAs, meanwhile)
    // The inode stays the same when the folder is moved and differs when it is copied.
    const { ino } = await stat(data, { bigint: true })
    return { name: `lodgeway-${ino}`, folder, data, log: join(folder, 'postgres.log'), passwords, rootRunsAs }
  } catch (error) {
    throw explained(error, resolve(at))
  }
}

/** Whether a folder holds a database already. */
export const hasCluster = (folder: string): Promise<boolean> => exists(join(folder, 'postgres/PG_VERSION'))

const STAGING_AGE_MS_MAX = 600_000

/** In a folder next to its final path, to which it is moved when it is complete and on disk. */
async function create(
  folder: string,
  passwords: Passwords,
  rootRunsAs: RootRunsAs,
  meanwhile?: () => void,
): Promise<void> {
  await removeLeftovers(folder)
  const data = join(folder, 'postgres')
  const runner = await findRunner(data, rootRunsAs)
  const staging = stagingPath(folder)
  const made = join(staging, 'data')
  await mkdir(made, { recursive: true, mode: 0o700 })
  await writeSynced(join(staging, 'password'), passwords.lodgeway_owner)
  if (runner.as.kind === 'user') {
    for (const path of [staging, made, join(staging, 'password')]) await chown(path, runner.as.uid, runner.as.gid)
  }
  try {
    await runToEnd(runner, { name: 'initdb', data: made, args: INITDB_ARGUMENTS }, meanwhile)
    await rename(made, data)
    await syncPath(folder)
  } catch (error) {
    // Another process that started at the same time was faster: its cluster is as good.
    if (!(await hasCluster(folder))) throw error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const INITDB_ARGUMENTS = [
  '--username=lodgeway_owner',
  '--pwfile=../password',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

function stagingPath(folder: string): string {
  return join(folder, `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`)
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /^postgres\.new-(\d+)-/.exec(name) ?? []
    if (!pid) continue
    const path = join(folder, name)
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs
    if (!isAlive(Number(pid)) || age > STAGING_AGE_MS_MAX)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

async function readPasswords(folder: string): Promise<Passwords> {
  const path = join(folder, 'postgres-passwords.json')
  if (await exists(path)) return JSON.parse(await readFile(path, 'utf8'))
  throw new Error(`${path} is missing, and the database next to it cannot be opened without it. Put it back.`)
}

/** Written once: two processes that start at the same time both get the passwords of the first. */
async function makePasswords(folder: string): Promise<Passwords> {
  const staged = stagingPath(folder)
  const random = () => randomBytes(24).toString('base64url')
  await writeSynced(staged, JSON.stringify({ lodgeway_owner: random(), lodgeway: random() }))
  await link(staged, join(folder, 'postgres-passwords.json')).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(staged)
  return readPasswords(folder)
}

async function writeSynced(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
