import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { testDatabase } from './fixtures/database.ts'

// How the executable is started, and what a small command loads.

const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = resolve(ROOT, 'server/src/main.ts')
const FLAG = '--no-allocation-site-pretenuring'

// The driver, our own files but those that hold the whole service, and the versions in package.json.
const SMALL =
  /\/node_modules\/(pg|pg-(?!boss)[a-z0-9-]+|pgpass|postgres-[a-z]+|split2|xtend)\/|\/server\/src\/(?!(app|service|worker|run)\.ts)|\/package\.json$/
const MODULES_MAX = 80

describe('a small command', () => {
  it('loads the driver of the database and its own few files, and nothing that the service needs besides', async () => {
    const database = await testDatabase()
    try {
      const loaded = await loadedBy(['subscriber', 'list'], { DATABASE_URL: database.url })
      assert.deepEqual(
        loaded.filter((url) => !SMALL.test(url)),
        [],
      )
      assert.ok(loaded.length <= MODULES_MAX, `${loaded.length} modules:\n${loaded.join('\n')}`)
    } finally {
      await database.drop()
    }
  })
})

describe('every start command', () => {
  const STARTS: [file: string, start: string][] = [
    ['package.json', `node ${FLAG} server/src/main.ts dev`],
    ['Dockerfile', `ENTRYPOINT ["node", "${FLAG}", "server/src/main.ts"]`],
    ['server/src/main.ts', `#!/usr/bin/env -S node ${FLAG}`],
  ]
  for (const [file, start] of STARTS) {
    it(`keeps V8 from its wrong guess: ${file}`, async () => {
      assert.ok((await readFile(resolve(ROOT, file), 'utf8')).includes(start))
    })
  }
})

const HOOK = `
  import { registerHooks } from 'node:module'
  const urls = []
  registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context) } })
  process.on('exit', () => process.stderr.write(urls.join('\\n')))`

async function loadedBy(words: readonly string[], env: Record<string, string>): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const child = spawn(process.execPath, ['--import', hook, MAIN, ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [urls, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.equal(code, 0, urls)
  return urls.split('\n').filter((url) => url.startsWith('file:'))
}
