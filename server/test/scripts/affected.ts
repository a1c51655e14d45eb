import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

// Which test files a change can affect: those that load a changed file, or something that loads it.

const SOURCES = '{server,client,console,cli,bench}/**/*.{ts,js}'
const NOT_OURS = ['**/node_modules', '**/dist']
/** Imports, and paths of programs that a test starts. */
const PATHS = /['"`](\.{1,2}\/[^'"`\s]+\.[jt]s)['"`]/g
/** What every database of a test is made from, and what is installed. */
const CONCERNS_ALL = /^server\/migrations\/|(^|\/)package(-lock)?\.json$|^tsconfig\.json$/

/** The files that differ from the branch `main`, committed or not. */
export async function changedFiles(root: string): Promise<string[]> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: root })).stdout.split('\n').filter(Boolean)
  const main = await git('merge-base', 'HEAD', 'main').catch(() => ['HEAD'])
  const lists = [git('diff', '--name-only', ...main), git('ls-files', '--others', '--exclude-standard')]
  return (await Promise.all(lists)).flat()
}

/** The text of each source, by its path below `root`. */
export async function readSources(root: string): Promise<Map<string, string>> {
  const paths = await Array.fromAsync(glob(SOURCES, { cwd: root, exclude: NOT_OURS }))
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const)),
  )
}

/** The test files that these files can affect; `all` where it may be any. */
export function affectedBy(sources: ReadonlyMap<string, string>, changed: readonly string[]): string[] | 'all' {
  if (changed.some((file) => CONCERNS_ALL.test(file))) return 'all'
  const loaders = new Map<string, string[]>()
  const others = changed.filter((file) => !sources.has(file)) // documents, and sources that were deleted
  for (const [source, text] of sources) {
    const loaded = [...text.matchAll(PATHS)].map(([, path = '']) => join(dirname(source), path))
    const read = others.filter((file) => mayRead(source, text, file))
    for (const file of [...loaded, ...read]) loaders.set(file, [...(loaders.get(file) ?? []), source])
  }
  const affected = new Set(changed)
  for (const file of affected) for (const loader of loaders.get(file) ?? []) affected.add(loader) // a set goes on with what is added
  return [...affected].filter((file) => file.endsWith('.test.ts') && sources.has(file)).sort()
}

// By its name or that of its folder. What is written for people is read by tests only.
const mayRead = (source: string, text: string, file: string): boolean =>
  (!file.endsWith('.md') || /\/test\/|\.test\.ts$/.test(source)) &&
  [basename(file), dirname(file)].some((name) => name !== '.' && text.includes(name))
