import { spawn } from 'node:child_process'
import { access, constants, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

/** A browser of this machine and what its process needs to start. */
export type FoundBrowser = { executablePath: string; env: Record<string, string> }

const ROOT = resolve(import.meta.dirname, '../../..')
const PACKAGE = join(import.meta.dirname, 'chromium')
const CACHE = join(ROOT, 'node_modules/.cache/chromium')
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * `$CHROMIUM`, else a browser of this machine, else on Linux x64 the one that npm installs. Undefined where there is none:
 * the tests are skipped then, except in CI on Linux x64, where one can always be installed.
 */
export async function findBrowser(environment = process.env): Promise<FoundBrowser | undefined> {
  const own = environment['CHROMIUM']
  if (own) {
    if (await isExecutable(own)) return { executablePath: own, env: {} }
    throw new Error(`CHROMIUM is ${own}, which cannot be executed.`)
  }
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const name of NAMES) {
    for (const folder of folders) {
      if (await isExecutable(join(folder, name))) return { executablePath: join(folder, name), env: {} }
    }
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    return await installedBrowser()
  } catch (error) {
    if (environment['CI'] === 'true') throw error
    process.stderr.write(`No browser could be installed: ${error}\n`)
    return undefined
  }
}

/** Unpacked once for each version. A run that comes second uses what the first one made. */
async function installedBrowser(): Promise<FoundBrowser> {
  const { dependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const folder = join(CACHE, String(dependencies['@sparticuz/chromium']))
  if (!(await isExecutable(join(folder, 'chromium')))) await install(folder)
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
}

// Made under another name and then renamed, so that nobody ever sees half of it: of two at once the later is thrown away.
async function install(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const making = await mkdtemp(join(CACHE, 'making-'))
  try {
    for (const name of ['package.json', 'package-lock.json']) await cp(join(PACKAGE, name), join(making, name))
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'], making)
    // The package unpacks into the folder for temporary files, its libraries only where it sees this variable.
    const env = { TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
    const unpack = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()"
    await run(process.execPath, ['--input-type=module', '--eval', unpack], making, env)
    await rm(join(making, 'node_modules'), { recursive: true })
    await writeFile(join(making, 'fonts/fonts.conf'), fontsOf(folder))
    await rename(making, folder).catch(async (error: unknown) => {
      if (!(await isExecutable(join(folder, 'chromium')))) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** The package's own file names folders of another machine. Without any font a page crashes. */
const fontsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts/cache</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`

async function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<void> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject).once('close', ended.resolve)
  const [code, errors] = await Promise.all([ended.promise, text(child.stderr)])
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}: ${errors.trim()}`)
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
