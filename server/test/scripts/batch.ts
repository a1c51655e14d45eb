import { type AsyncHook, createHook } from 'node:async_hooks'
import { join, relative, resolve } from 'node:path'
import { after, afterEach, before, describe } from 'node:test'
import { endFile, endFiles } from '../fixtures/at-end.ts'
import { takeExchanges } from '../fixtures/exchanges.ts'
import { isFirst } from '../fixtures/made-once.ts'

// One of the processes that share the test files: a first file, then those that no other process has taken. A file is loaded
// when the one before it has ended.

const FILE_MS_MAX = 1_800_000
const LEFT_OPEN_MS_MAX = Number(process.env['LEFT_OPEN_MS_MAX'] ?? 120_000)
const ROOT = resolve(import.meta.dirname, '../../..')

// The test runner follows every promise of the process to know in which `describe` an `it` is written. That takes a
// fifth of the time of a test that calls the service, so it stops when a file is loaded. An error outside any promise
// still fails the run; it is only not shown under its test.
let tracker: AsyncHook | undefined
const hooks: AsyncHook = Object.getPrototypeOf(createHook({}))
const { enable } = hooks
hooks.enable = function (this: AsyncHook) {
  tracker ??= this
  return enable.call(this)
}

/** A file without a test of the wanted name runs no hook that would show its end: then files do not wait for each other. */
const isSelecting = process.execArgv.some((option) => option.startsWith('--test-name-pattern'))

export async function runFiles(first: string, others: readonly string[], taken: string): Promise<void> {
  const env = { ...process.env }
  const { stackTraceLimit } = Error
  if (isSelecting) after(endFiles)
  for (const [index, file] of [first, ...others].entries()) {
    if (file !== first && !(await isFirst(join(taken, String(index))))) continue
    tracker?.enable()
    const tooLong = setTimeout(() => giveUp(`${file} has not finished`), FILE_MS_MAX)
    await new Promise<void>((ended) => {
      describe(relative(ROOT, file), async () => {
        before(() => void tracker?.disable())
        if (!isSelecting) after(() => endFile().finally(ended))
        afterEach((context) => {
          const shown = takeExchanges()
          if ('passed' in context && !context.passed && shown) context.diagnostic(shown)
        })
        await import(file)
        if (isSelecting) ended()
      })
    })
    clearTimeout(tooLong)
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, env)
    Error.stackTraceLimit = stackTraceLimit
  }
  setTimeout(() => giveUp('All tests of this process have ended', process.exitCode ?? 0), LEFT_OPEN_MS_MAX).unref()
  if (!isSelecting) await endFiles()
}

/** Otherwise what is still open would keep this process from ending. */
function giveUp(reason: string, code: number | string = 1): never {
  const { libuv } = process.report.getReport() as { libuv: { is_active: boolean; is_referenced: boolean }[] }
  const open = libuv.filter((handle) => handle.is_active && handle.is_referenced)
  process.stderr.write(`${reason}, and these are still open:\n${JSON.stringify(open)}\n`)
  process.exit(code)
}
