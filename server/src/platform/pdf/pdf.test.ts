import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endFile } from '../../../test/fixtures/at-end.ts'
import { checking, LIMITS } from '../../../test/fixtures/pdf-checking.ts'
import { bomb, withStreams } from '../../../test/fixtures/pdf-corpus/bombs.ts'
import { packedZeros, sound } from '../../../test/fixtures/pdf-corpus/shapes.ts'
import { onePage, withTable } from '../../../test/fixtures/pdf-corpus/writer.ts'
import { childrenOf } from './children.fixture.ts'
import { startChild } from './children.ts'

const GOOD = { ok: true, pages: 1 } as const
/** Some seconds of work, and some hundred megabytes of numbers. */
const slow = () => withStreams('/Fl', ...Array.from({ length: 100 }, () => bomb(99)))
const hungry = () => withTable(onePage(`[${'0 '.repeat(20_000_000)}]`))

/** The processes that judge are the children of the one that keeps them. */
const keepers = () => childrenOf(process.pid)
const judges = async () => (await Promise.all((await keepers()).map(childrenOf))).flat()
const ended = async (pids: readonly number[]) => {
  while (pids.some(isAlive)) await delay(20)
}

afterEach(endFile)

describe('a check', () => {
  it('that takes longer than it may has failed, and its process is ended', async () => {
    const { judge } = await checking({ milliseconds: 300 })
    const reason = 'The file could not be checked within 0.3 seconds, the longest that a check may take.'
    assert.deepEqual(await judge(slow()), { ok: false, reason })
    assert.deepEqual(await judges(), [])
  })

  it('that takes more memory than it may has failed, and its process is ended', async () => {
    const { judge } = await checking({ memoryBytes: 150_000_000 })
    const reason = 'The file could not be checked within 150 MB of memory, the most that a check may use.'
    assert.deepEqual(await judge(hungry()), { ok: false, reason })
    assert.deepEqual(await judges(), [])
  })

  it('that fills the heap of its process before anybody looks has failed, too', async () => {
    const { judge } = await checking({ milliseconds: 60_000, memoryBytes: 4_000_000_000 })
    const verdict = await judge(withTable(onePage(`[${'[]'.repeat(4_000_000)}]`)))
    assert.match(verdict.ok ? '' : verdict.reason, /of memory/)
  })

  it('harms no other, before or after, when its process is ended', async () => {
    const { judge } = await checking({ milliseconds: 2_000, memoryBytes: 150_000_000 })
    const files = [sound(), slow(), sound(), hungry(), ...Array.from({ length: 16 }, sound)]
    const verdicts = await Promise.all(files.map(judge))
    assert.deepEqual([verdicts[1]?.ok, verdicts[3]?.ok], [false, false])
    assert.deepEqual(
      verdicts.filter(({ ok }) => ok),
      Array.from({ length: 18 }, () => GOOD),
    )
  })

  it('goes on when somebody else ended the processes that waited for it', async () => {
    const { judge } = await checking()
    await judge(sound())
    for (const pid of await judges()) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await judge(sound()), GOOD)
    for (const pid of await keepers()) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await judge(sound()), GOOD)
  })

  it('of a file that is not there is our fault, not that of the file', async () => {
    const { check, folder, judge } = await checking()
    await assert.rejects(check(join(folder, 'nowhere')), /ENOENT/)
    assert.deepEqual(await judge(sound()), GOOD)
  })
})

describe('the processes of a checker', () => {
  it('are none before the first check, nor for a file that is turned away at the gate', async () => {
    const { judge } = await checking()
    assert.equal((await judge(Buffer.from('no PDF'))).ok, false)
    assert.deepEqual(await keepers(), [])
  })

  it('are few, and used again: the others wait', async () => {
    const { judge } = await checking()
    const counts = new Set<number>()
    const all = Promise.all(Array.from({ length: 40 }, () => judge(sound())))
    const watch = setInterval(async () => counts.add((await judges()).length), 50)
    assert.deepEqual(
      await all,
      Array.from({ length: 40 }, () => GOOD),
    )
    clearInterval(watch)
    const most = Math.max(...counts)
    assert.ok(most >= 1 && most <= 4, `${most} at once`)
    const before = [await keepers(), await judges()]
    for (let turn = 0; turn < 10; turn++) await judge(sound())
    assert.deepEqual([await keepers(), await judges()], before)
  })

  it('do not hold what a large file left behind against the next one', async () => {
    const { judge } = await checking()
    const file = withTable(onePage(`[(${'x'.repeat(20_000_000)})${'0 '.repeat(1_000_000)}]`, packedZeros(99_900_000)))
    for (let turn = 0; turn < 8; turn++) assert.deepEqual(await judge(file), GOOD)
  })

  it('end with it, and so do the checks that wait', async () => {
    const { judge, close } = await checking()
    const file = slow()
    const checks = Promise.allSettled(Array.from({ length: 6 }, () => judge(file)))
    while ((await judges()).length === 0) await delay(10)
    const all = [...(await keepers()), ...(await judges())]
    await close()
    await ended(all)
    for (const check of await checks) assert.notDeepEqual(check, { status: 'fulfilled', value: GOOD })
    await assert.rejects(judge(sound()), /closed/)
  })

  it('have a hundred files to judge at most: the next is told 503', async () => {
    const { judge } = await checking({ milliseconds: 500 })
    const checks = await Promise.allSettled(Array.from({ length: 130 }, () => judge(sound())))
    const refused = checks.filter((check) => check.status === 'rejected')
    assert.ok(refused.length > 0 && refused.length <= 30)
    assert.ok(refused.every(({ reason }) => reason.reason === 'unavailable'))
  })

  it('may read their own code and the folder of the files, and nothing else', async () => {
    const { folder } = await checking()
    const child = startChild(folder, { milliseconds: 5_000, memoryBytes: 256_000_000 })
    await assert.rejects(child.ask({ path: '/etc/hosts', limits: LIMITS }), /restricted/)
    await assert.rejects(child.ask({ path: join(folder, '..', 'x'), limits: LIMITS }), /restricted/)
    await child.end()
  })

  it('know nothing of our environment', { skip: process.platform !== 'linux' }, async () => {
    process.env['SECRET_PEPPER'] = 'not for them'
    const { judge } = await checking()
    await judge(sound())
    for (const pid of [...(await keepers()), ...(await judges())]) {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
      const names = environment.match(/[A-Z_]+(?==)/g) ?? []
      assert.deepEqual(
        names.filter((name) => !name.startsWith('NODE_CHANNEL')),
        [],
      )
    }
  })

  it('keep nobody from ending, and end with whoever started them', async () => {
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
