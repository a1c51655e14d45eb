import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endFile } from '../../../test/fixtures/at-end.ts'
import { checking, LIMITS } from '../../../test/fixtures/pdf-checking.ts'
import { withStreams } from '../../../test/fixtures/pdf-corpus/bombs.ts'
import { bomb, packedZeros, sound } from '../../../test/fixtures/pdf-corpus/shapes.ts'
import { onePage, withTable } from '../../../test/fixtures/pdf-corpus/writer.ts'
import { childrenOf } from './processes.fixture.ts'
import { startWorker } from './worker.ts'

const GOOD = { ok: true, pages: 1 } as const
/** Some seconds of work, and eight bytes of memory for each number. */
const slow = () => withStreams('/Fl', ...Array(100).fill(bomb(99)))
const large = (numbers: number) => withTable(onePage(`[${'0 '.repeat(numbers)}]`))

/** The workers are children of the supervisor. */
const supervisors = () => childrenOf(process.pid)
const workers = async () => (await Promise.all((await supervisors()).map(childrenOf))).flat()
const ended = async (pids: readonly number[]) => {
  while (pids.some(isAlive)) await delay(20)
}

afterEach(endFile)

describe('a check', () => {
  it('fails where it takes too long, and its worker is ended', async () => {
    const { checkBytes } = await checking({ milliseconds: 300 })
    const reason = 'The file could not be checked within 0.3 seconds, which is the limit.'
    assert.deepEqual(await checkBytes(slow()), { ok: false, reason })
    assert.deepEqual(await workers(), [])
  })

  it('fails where it takes too much memory, and its worker is ended', async () => {
    const { checkBytes } = await checking({ milliseconds: 600_000 })
    const reason = 'The file could not be checked within 256 MB of memory, which is the limit.'
    assert.deepEqual(await checkBytes(large(20_000_000)), { ok: false, reason })
    assert.deepEqual(await workers(), [])
  })

  it('fails where it fills the heap of its worker before its memory is measured', async () => {
    const { checkBytes } = await checking({ milliseconds: 600_000, memoryBytes: 4_000_000_000 })
    const result = await checkBytes(withTable(onePage(`[${'<<>>'.repeat(1_500_000)}]`)))
    assert.match(result.ok ? '' : result.reason, /of memory/)
  })

  it('does not affect other checks when its worker is ended', async () => {
    const { checkBytes } = await checking({ milliseconds: 600_000, memoryBytes: 100_000_000 })
    const file = large(8_000_000)
    const files = [sound(), file, sound(), file, ...Array.from({ length: 8 }, sound)]
    const results = await Promise.all(files.map(checkBytes))
    assert.deepEqual([results[1]?.ok, results[3]?.ok], [false, false])
    assert.deepEqual(
      results.filter(({ ok }) => ok),
      Array(10).fill(GOOD),
    )
  })

  it('succeeds after its supervisor or worker was killed', async () => {
    const { checkBytes } = await checking()
    await checkBytes(sound())
    for (const pid of await workers()) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await checkBytes(sound()), GOOD)
    for (const pid of await supervisors()) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await checkBytes(sound()), GOOD)
  })

  it('throws where the file does not exist', async () => {
    const { check, folder } = await checking()
    await assert.rejects(check(join(folder, 'nowhere')), /ENOENT/)
  })
})

describe('the processes of a checker', () => {
  it('are not started before the first check, nor for a file that preflight rejects', async () => {
    const { checkBytes } = await checking()
    assert.equal((await checkBytes(Buffer.from('no PDF'))).ok, false)
    assert.deepEqual(await supervisors(), [])
  })

  it('are few and reused, and the other files wait', async () => {
    const { checkBytes } = await checking()
    const counts = new Set<number>()
    const all = Promise.all(Array.from({ length: 16 }, () => checkBytes(sound())))
    const watch = setInterval(async () => counts.add((await workers()).length), 50)
    assert.deepEqual(
      await all,
      Array.from({ length: 16 }, () => GOOD),
    )
    clearInterval(watch)
    const most = Math.max(...counts)
    assert.ok(most >= 1 && most <= 4, `${most} at once`)
    const before = [await supervisors(), await workers()]
    for (let turn = 0; turn < 4; turn++) await checkBytes(sound())
    assert.deepEqual([await supervisors(), await workers()], before)
  })

  it('can take another file after a large one', async () => {
    const { checkBytes } = await checking({ milliseconds: 600_000 })
    const file = withTable(onePage(`[(${'x'.repeat(20_000_000)})${'0 '.repeat(1_000_000)}]`, packedZeros(99_900_000)))
    for (let turn = 0; turn < 2; turn++) assert.deepEqual(await checkBytes(file), GOOD)
  })

  it('end with the checker, and so do waiting checks', async () => {
    const { checkBytes, close } = await checking()
    const file = slow()
    const checks = Promise.allSettled(Array.from({ length: 6 }, () => checkBytes(file)))
    while ((await workers()).length === 0) await delay(10)
    const all = [...(await supervisors()), ...(await workers())]
    await close()
    await ended(all)
    for (const check of await checks) assert.notDeepEqual(check, { status: 'fulfilled', value: GOOD })
    await assert.rejects(checkBytes(sound()), /closed/)
  })

  it('have at most a hundred files to check: the next is 503', async () => {
    const { checkBytes } = await checking({ milliseconds: 500 })
    const checks = await Promise.allSettled(Array.from({ length: 130 }, () => checkBytes(sound())))
    const refused = checks.filter((check) => check.status === 'rejected')
    assert.ok(refused.length > 0 && refused.length <= 30)
    assert.ok(refused.every(({ reason }) => reason.reason === 'unavailable'))
  })

  it('may read their own code and the folder of the files, and nothing else', async () => {
    const { folder } = await checking()
    const worker = startWorker(folder, { milliseconds: 5_000, memoryBytes: 256_000_000 })
    const others = ['/etc/hosts', join(folder, '..', 'x'), join(getCompileCacheDir() ?? '/', 'x')]
    for (const path of others) await assert.rejects(worker.validate({ path, limits: LIMITS }), /restricted/)
    await worker.end()
  })

  it('get no environment variables', { skip: process.platform !== 'linux' }, async () => {
    process.env['SECRET_PEPPER'] = 'not for workers'
    const { checkBytes } = await checking()
    await checkBytes(sound())
    for (const pid of [...(await supervisors()), ...(await workers())]) {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
      const names = environment.match(/[A-Z_]+(?==)/g) ?? []
      assert.deepEqual(
        names.filter((name) => !/^NODE_(CHANNEL|COMPILE_CACHE$)/.test(name)),
        [],
      )
    }
  })

  it('let the process that started them end, and end with it', async () => {
    const { folder } = await checking()
    await writeFile(join(folder, 'a'), sound())
    const script = `
      import { openPdfChecker } from ${JSON.stringify(join(import.meta.dirname, 'pdf.ts'))}
      await openPdfChecker(${JSON.stringify(LIMITS)}).check(${JSON.stringify(join(folder, 'a'))})
      if (process.argv[1] === 'stay') setInterval(() => {}, 1000)
      console.log('checked')`
    const run = (...args: string[]) => spawn(process.execPath, ['--input-type=module', '-e', script, ...args])
    const leaving = run()
    assert.deepEqual(await once(leaving, 'exit'), [0, null])
    const staying = run('stay')
    await once(staying.stdout, 'data')
    const kept = await childrenOf(staying.pid ?? 0)
    const all = [...kept, ...(await Promise.all(kept.map(childrenOf))).flat()]
    assert.equal(all.length, 2)
    staying.kill('SIGKILL')
    await ended(all)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
