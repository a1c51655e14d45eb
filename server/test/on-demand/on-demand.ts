import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

// What only some tests need is in lockfiles of its own, so that `npm ci` installs it for nobody. The first test that needs it
// has npm install it below node_modules/.cache, where later runs find it, without a network too.

const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/on-demand')
const NPM = [
  'ci',
  '--ignore-scripts',
  '--omit=optional',
  '--fetch-retries=1',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
]

const asked = new Map<string, Promise<string>>()

/** Prepares a new folder, which is then moved to its place. */
type Finish = (making: string, place: string) => Promise<void>

/** The folder with what the lockfile in `source` names. A process tries to install it once, whatever comes of it. */
export function installed(source = import.meta.dirname, finish: Finish = async () => {}): Promise<string> {
  const known = asked.get(source) ?? install(source, finish)
  asked.set(source, known)
  return known
}

async function install(source: string, finish: Finish): Promise<string> {
  const [manifest, lock] = await Promise.all(FILES.map((name) => readFile(join(source, name), 'utf8')))
  const version = createHash('sha256').update(`${manifest}${lock}`).digest('hex').slice(0, 12)
  const place = join(CACHE, `${basename(source)}-${version}`)
  if (await exists(place)) return place
  const names = Object.keys(JSON.parse(manifest ?? '').dependencies).join(', ')
  process.stderr.write(`Installing for the tests, once: ${names} …\n`)
  const began = performance.now()
  await mkdir(CACHE, { recursive: true })
  const making = await mkdtemp(join(CACHE, 'making-'))
  try {
    for (const name of FILES) await cp(join(source, name), join(making, name))
    await run('npm', NPM, making)
    // A package is found from here, by the rules for `import`.
    await writeFile(join(making, 'load.mjs'), 'export const load = (name) => import(name)\n')
    await finish(making, place)
    // So nobody ever sees half of it; of two at once the later is thrown away.
    await rename(making, place).catch(async (error: unknown) => {
      if (!(await exists(place))) throw error
    })
  } catch (error) {
    throw new Error(`npm could not install ${names}, which these tests need. Is its registry reachable?`, {
      cause: error,
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  process.stderr.write(`Installed in ${((performance.now() - began) / 1000).toFixed(1)} s.\n`)
  return place
}

const FILES = ['package.json', 'package-lock.json']

/**
 * A package of the lockfile beside this file. Its own types would be missing until it is installed, and the types must be checked
 * before: who loads it states the part that it uses.
 */
export async function load<Module>(name: string): Promise<Module> {
  const { load: loadHere } = await import(pathToFileURL(join(await installed(), 'load.mjs')).href)
  return loadHere(name)
}

/** Undefined, and said loudly, where it cannot be installed; except in CI on Linux x64, where it always can. */
export async function ifInstallable<T>(
  installing: () => Promise<T>,
  environment = process.env,
): Promise<T | undefined> {
  try {
    return await installing()
  } catch (error) {
    if (environment['CI'] === 'true' && process.platform === 'linux' && process.arch === 'x64') throw error
    const { message, cause = '' } = error as Error
    process.stderr.write(`\n*** ${message} ***\n${cause}\n\n`)
    return undefined
  }
}

export async function run(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<void> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject).once('close', ended.resolve)
  const [code, errors] = await Promise.all([ended.promise, text(child.stderr)])
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}: ${errors.trim()}`)
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
