import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unavailable } from '../errors.ts'
import { createLogger } from './log.ts'
import { linesFor } from './terminal.ts'

function printed(write: (log: ReturnType<typeof createLogger>) => void): string {
  const texts: string[] = []
  const output = { write: (text: string | Uint8Array) => texts.push(String(text)) > 0 }
  write(createLogger({ level: 'info', personalKeys: [], destination: linesFor(output) }))
  return texts.join('')
}

describe('the log at a terminal', () => {
  it('is a line with the time, and no stack for a refusal', () => {
    const text = printed((log) => log.warn({ err: unavailable('Maintenance.'), correlationId: 'a' }, 'unavailable'))
    assert.match(text, /^\d\d:\d\d:\d\d {2}warn: unavailable \{"correlationId":"a"\} Maintenance\.\n$/)
  })

  it('has the stack of what nobody expected, with its cause', () => {
    const text = printed((log) =>
      log.error({ err: new Error('odd', { cause: new TypeError('null') }) }, 'unexpected error'),
    )
    assert.match(text, /error: unexpected error\nError: odd\n +at .*\ncaused by TypeError: null\n +at /s)
  })
})
