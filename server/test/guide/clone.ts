import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
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

  return {
    folder,
    url,
    read: (path) => readFile(join(folder, path), 'utf8'),
    write: (path, content) => writeFile(join(folder, path), content),
    async run(command, ...args) {
      const merged = ['-c', 'exec "$0" "$@" 2>&1', command, ...args]
      const child = spawn('bash', merged, { cwd: folder, timeout: PAGE_MS_MAX, stdio: ['ignore', 'pipe', 'inherit'] })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
      return { code, output }
    },
    async start() {
      const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
      const errors = text(child.stderr)
      const gone = once(child, 'exit')
      // Like Ctrl-C: it reaches everything that npm started.
      const interrupt = () => child.pid !== undefined && process.kill(-child.pid, 'SIGINT')
      process.once('exit', interrupt)
      child.once('exit', () => process.off('exit', interrupt))
      stop = async () => {
        interrupt()
        await gone
      }
      const deadline = performance.now() + READY_MS_MAX
      while (!(await isReady(url))) {
        if (child.exitCode !== null) throw new Error(`It did not start: ${await errors}`)
        if (performance.now() > deadline) throw new Error('It did not start in time.')
        await delay(100)
      }
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
