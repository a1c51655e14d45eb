import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { execute } from '../fixtures/on-demand.ts'
import { serviceProcess } from '../fixtures/process.ts'
import { readPage } from '../guide/page.ts'

// What docs/guide/other-languages.md says about Java: its command makes a client, which compiles, and its program runs.

const ROOT = resolve(import.meta.dirname, '../../..')
const PAGE = 'docs/guide/other-languages.md'
const STEP_MS_MAX = 400_000

export async function proveJava() {
  const versions = await toolsOf()
  if (!versions) return { skipped: 'java, javac and mvn are needed' }
  const { blocks } = readPage(PAGE, await readFile(join(ROOT, PAGE), 'utf8'))
  const textOf = (language: string) => blocks.filter((block) => block.language === language).map(({ text }) => text)
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-java-'))
  const service = await serviceProcess()
  const began = performance.now()
  try {
    const starting = service.start()
    await writeFile(join(folder, 'openapi.json'), await readFile(join(ROOT, 'openapi.json')))
    const [program = ''] = textOf('java')
    await writeFile(join(folder, 'First.java'), program.replace('http://127.0.0.1:8080', service.url))
    await starting
    const commands = textOf('console')
      .filter((text) => !text.includes('dotnet'))
      .join('\n')
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      timeout: STEP_MS_MAX,
    })
    return {
      ...versions,
      printed: stdout.trim().split('\n').at(-1) ?? '',
      seconds: Math.round((performance.now() - began) / 1000),
    }
  } finally {
    await service.kill('SIGTERM')
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function toolsOf() {
  try {
    const [java, mvn] = await Promise.all([execute('javac', ['-version']), execute('mvn', ['-v'])])
    return { java: java.stdout.trim(), maven: stripVTControlCharacters(mvn.stdout.split('\n')[0] ?? '') }
  } catch {
    return undefined
  }
}
