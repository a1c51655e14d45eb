import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Deps } from '../platform/deps.ts'
import { createRecorder } from './recorder.ts'
import type { NewRequest } from './store.ts'

const row = (characters = 0) =>
  ({ detail: { answer: { text: 'x'.repeat(characters), isTruncated: false } } }) as unknown as NewRequest

function recorderOn(query: () => Promise<unknown[]>) {
  const seen = { dropped: 0, warnings: 0 }
  const parts = { db: { query }, log: { warn: () => void seen.warnings++ } } as unknown as Deps
  const onDropped = (rows: number) => {
    seen.dropped += rows
  }
  return { seen, recorder: createRecorder(parts, { keptHours: 1, onDropped }) }
}

describe('rows of the request log', () => {
  it('are written at the latest when the node stops, in one statement', async () => {
    let statements = 0
    const { recorder, seen } = recorderOn(async () => void statements++ as never)
    for (let count = 0; count < 3; count++) recorder.add(row())
    await recorder.stop()
    assert.deepEqual([statements, seen], [1, { dropped: 0, warnings: 0 }])
  })

  it('are counted if they could not be written', async () => {
    const { recorder, seen } = recorderOn(() => Promise.reject(new Error('down')))
    for (let count = 0; count < 3; count++) recorder.add(row())
    await recorder.stop()
    assert.deepEqual(seen, { dropped: 3, warnings: 1 })
  })

  it('are dropped and counted where too many wait', async () => {
    const { recorder, seen } = recorderOn(async () => [])
    for (let count = 0; count < 2_000; count++) recorder.add(row(16_384))
    await recorder.stop()
    assert.ok(seen.dropped > 900 && seen.dropped < 1_100, String(seen.dropped))
  })
})
