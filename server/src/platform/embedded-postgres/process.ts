import { execFile } from 'node:child_process'
import { type FileHandle, open, readFile, readlink, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Cluster } from './cluster.ts'
import { findRunner, start } from './runner.ts'

export type Server = { kind: 'stopped' } | { kind: 'busy' } | { kind: 'ready'; pid: number; port: number }

/** The state of a folder's server according to `postmaster.pid`. A file without a server is removed. */
export async function findServer(cluster: Cluster): Promise<Server> {
  const path = join(cluster.data, 'postmaster.pid')
  const file = await readFile(path, 'utf8').catch(() => undefined)
  if (file === undefined) return { kind: 'stopped' }
  const [pid = '', , , port = '', , , , state = ''] = file.split('\n')
  if (pid && !isAlive(Number(pid))) return { kind: 'stopped' }
  if (pid && (await isServerOf(cluster, Number(pid)))) {
    return state.trim() === 'ready' ? { kind: 'ready', pid: Number(pid), port: Number(port) } : { kind: 'busy' }
  }
  if (!pid && Date.now() - (await mtimeOf(path)) < EMPTY_FILE_MS_MAX) return { kind: 'busy' }
  // PostgreSQL would mistake an empty file, or another process with the same number, for a running server.
  if ((await readFile(path, 'utf8').catch(() => undefined)) === file) await rm(path, { force: true })
  return { kind: 'stopped' }
}

type Launch = {
  settings: Record<string, string>
  port: number | undefined
  deadline: number
  meanwhile?: (() => void) | undefined
}

/** Starts a server and waits until it is ready, or has given way to another server or to the owner of its port. */
export async function launch(cluster: Cluster, { settings, port, deadline, meanwhile }: Launch): Promise<void> {
  const { data, folder } = cluster
  const runner = await findRunner(data, cluster.rootRunsAs).catch((error) => Promise.reject(explained(error, folder)))
  const log = await openLog(cluster)
  try {
    const { size } = await log.stat()
    const all = { ...SETTINGS, ...settings, port: String(port ?? (await freePort())), cluster_name: cluster.name }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // In a separate session, which Ctrl-C in the terminal does not reach: the service stops first, then its database.
    const server = start(runner, { name: 'postgres', data, args, stdio: ['ignore', log.fd, log.fd], detached: true })
    let failure: Error | undefined
    server.once('error', (error) => (failure = error))
    server.once('exit', () => (failure ??= new Error('PostgreSQL did not start.')))
    server.unref()
    meanwhile?.()
    while (!failure && Date.now() < deadline) {
      if ((await findServer(cluster)).kind === 'ready') return
      await sleep(POLL_MS)
    }
    const output = await logTail(cluster, size)
    if (failure && !GAVE_WAY.test(output)) throw explained(failure, folder, output)
  } finally {
    await log.close()
  }
  await sleep(POLL_MS)
}

/** Fast shutdown; after a minute an immediate one, from which PostgreSQL recovers at its next start. */
export async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  for (const { signal, waitMs } of SHUTDOWNS) {
    const deadline = Date.now() + waitMs
    if (isAlive(pid) && (await isServerOf(cluster, pid))) process.kill(pid, signal)
    while (Date.now() < deadline) {
      if (!(await isServerOf(cluster, pid))) return
      await sleep(POLL_MS)
    }
  }
  throw new Error(`PostgreSQL in ${cluster.folder}, process ${pid}, does not stop.`)
}

export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The last lines of the log, for the end of a message. */
export async function logTail({ log }: Cluster, from = 0): Promise<string> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0))
  const lines = bytes.subarray(from).toString().trimEnd().split('\n').slice(-LOG_LINES_MAX)
  return `\nThe end of ${log}:\n  ${lines.join('\n  ')}`
}

/** The same error with advice for the person who has to fix it. */
export function explained(error: unknown, folder: string, details = ''): Error {
  const message = `${error instanceof Error ? error.message : error}${details}`
  const [, advice] = ADVICE.find(([symptom]) => symptom.test(message)) ?? []
  return new Error(advice ? `${advice.replace('FOLDER', folder)}\n${message}` : message, { cause: error })
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The service logs its own errors; PostgreSQL would repeat them with people's names.
  log_min_messages: 'log',
}
const SHUTDOWNS = [
  { signal: 'SIGINT', waitMs: 60_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
] as const
const POLL_MS = 20
const EMPTY_FILE_MS_MAX = 5_000
const LOG_LINES_MAX = 12
const LOG_BYTES_MAX = 10 * 1024 * 1024
const GAVE_WAY = /Address already in use|lock file "postmaster.pid" (already exists|is empty)|is still in use/
const ADVICE: [RegExp, string][] = [
  [/No space left on device|ENOSPC|EDQUOT|quota exceeded/i, 'The disk that holds FOLDER is full.'],
  [
    /Permission denied|Operation not permitted|Read-only file system|EACCES|EPERM|EROFS|wrong ownership/,
    'This user cannot use FOLDER. Change its owner, start as its owner, or set DATA_DIR to another folder.',
  ],
  [/EEXIST|ENOTDIR/, 'FOLDER is not a folder, or not in one. Set DATA_DIR to another folder.'],
  [
    /shared libraries|spawn .* ENOENT|Exec format error|ENOEXEC/,
    'The PostgreSQL that npm installed does not run here. Try npm rebuild, or set DATABASE_URL to your own PostgreSQL.',
  ],
]

async function isServerOf({ name, data }: Cluster, pid: number): Promise<boolean> {
  const command = await commandOf(pid)
  if (command.includes(`cluster_name=${name}`)) return true
  return command.includes('postgres') && (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === data
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }))
  return stdout
}

async function mtimeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

async function openLog({ log }: Cluster): Promise<FileHandle> {
  const file = await open(log, 'a', 0o600)
  if ((await file.stat()).size > LOG_BYTES_MAX) await file.truncate()
  return file
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer().once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
  return promise
}
