import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../fixtures/ports.ts'
import { isReady } from '../fixtures/process.ts'

// A clone as it is after `npm ci`: the files of this one, and the packages that are installed here.

const ROOT = resolve(import.meta.dirname, '../../..')
const ADDRESS = 'http://127.0.0.1:8080'
const NOT_CLONED = ['node_modules', '.git', '.data', 'dist']
const READY_MS_MAX = 120_000
const PAGE_MS_MAX = 180_000

export type Ran = { code: number | null; output: string }

export type Clone = {
  folder: string
  /** The address of its sandbox. */
  url: string
  read(path: string): Promise<string>
  write(path: string, content: string): Promise<void>
  /** Runs a program in the clone's folder, with its errors in its output. */
  run(command: string, ...args: string[]): Promise<Ran>
  /** `npm start`, until it answers. */
  start(): Promise<void>
  /** What it has printed so far. */
  printed(): string
  /** Deletes a folder under it, and returns what it prints until it ends. */
  lose(path: string): Promise<string>
  /** `npm start`, and Ctrl-C when it prints this. Returns what is left: processes, and files of an unfinished start. */
  interrupt(step: string): Promise<string[]>
  remove(): Promise<void>
}

/** Its pages name the address of its own sandbox, because another may run at the usual one. */
export async function cloneRepository(): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-clone-'))
  await cp(ROOT, folder, { recursive: true, filter: (path) => !NOT_CLONED.includes(basename(path)) })
  await installPackages(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await giveAddress(folder, url)

  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, PORT: String(port), ADMIN_PORT: '0' }
  let stop = async () => {}
  let printed = ''
  let gone: Promise<unknown> = Promise.resolve()

  function npmStart() {
    printed = ''
    const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (chunk) => {
        printed += chunk
      })
    }
    // Like Ctrl-C: it reaches everything that npm started, and npm passes it on once more.
    const interrupt = () => child.exitCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGINT')
    gone = once(child, 'close')
    process.once('exit', interrupt)
    child.once('exit', () => process.off('exit', interrupt))
    return { child, interrupt }
  }

  return {
    folder,
    url,
    read: (path) => readFile(join(folder, path), 'utf8'),
    async write(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    },
    async run(command, ...args) {
      const merged = ['-c', 'exec "$0" "$@" 2>&1', command, ...args]
      const child = spawn('bash', merged, {
        cwd: folder,
        env: { ...process.env, XDG_STATE_HOME: join(folder, '.home'), XDG_CACHE_HOME: join(folder, '.home') },
        timeout: PAGE_MS_MAX,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
      return { code, output }
    },
    async start() {
      const { child, interrupt } = npmStart()
      stop = async () => {
        interrupt()
        await gone
      }
      const deadline = performance.now() + READY_MS_MAX
      while (!(await isReady(url))) {
        if (child.exitCode !== null) throw new Error(`It did not start: ${printed}`)
        if (performance.now() > deadline) throw new Error('It did not start in time.')
        await delay(100)
      }
    },
    printed: () => printed,
    async lose(path) {
      printed = ''
      await rm(join(folder, path), { recursive: true, force: true, maxRetries: 10 })
      await gone
      return printed
    },
    async interrupt(step) {
      const { child, interrupt } = npmStart()
      while (!printed.includes(step) && child.exitCode === null) await delay(20)
      interrupt()
      await gone
      return [...(await runningIn(folder)), ...(await unfinishedIn(join(folder, '.data/postgres')))]
    },
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function installPackages(folder: string): Promise<void> {
  const installed = join(ROOT, 'node_modules')
  const own = join(folder, 'node_modules')
  await mkdir(join(own, '@lodgeway'), { recursive: true })
  const names = (await readdir(installed)).filter((name) => name !== '@lodgeway')
  await Promise.all([
    ...names.map((name) => symlink(join(installed, name), join(own, name))),
    ...['client', 'server'].map((name) => symlink(`../../${name}`, join(own, '@lodgeway', name))),
  ])
}

async function giveAddress(folder: string, url: string): Promise<void> {
  const pages = await Array.fromAsync(glob(['README.md', 'docs/guide/*.md'], { cwd: folder }))
  await Promise.all(
    pages.map(async (page) => {
      const path = join(folder, page)
      await writeFile(path, (await readFile(path, 'utf8')).replaceAll(ADDRESS, url))
    }),
  )
}

const unfinishedIn = async (folder: string): Promise<string[]> =>
  (await Array.fromAsync(glob(['postgres.new-*', 'postgres/postmaster.pid'], { cwd: folder }))).sort()

/** The commands of processes that name the folder, on Linux. */
async function runningIn(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return commands.filter((command) => command.includes(folder)).map((command) => command.replaceAll('\0', ' '))
}
