import { access, constants, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { ifInstallable, installed, run } from '../../../server/test/on-demand/on-demand.ts'

/** A browser of this machine and what its process needs to start. */
export type FoundBrowser = { executablePath: string; env: Record<string, string> }

const PACKAGE = join(import.meta.dirname, 'chromium')
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
  return ifInstallable(installedBrowser, environment)
}

/** Unpacked once for each version. */
async function installedBrowser(): Promise<FoundBrowser> {
  const folder = await installed(PACKAGE, unpack)
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
}

async function unpack(making: string, place: string): Promise<void> {
  // The package unpacks into the folder for temporary files, its libraries only where it sees this variable.
  const env = { TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  const script = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()"
  await run(process.execPath, ['--input-type=module', '--eval', script], making, env)
  await rm(join(making, 'node_modules'), { recursive: true })
  await writeFile(join(making, 'fonts/fonts.conf'), fontsOf(place))
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

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
