import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { endRows } from './csv.ts'

/** A table as COPY writes it: cells quoted where needed, quotes doubled, a line feed after each row. */
const copied = (rows: readonly (readonly string[])[], end = '\n') =>
  rows.map((cells) => cells.map(quoted).join(',') + end).join('')

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

async function passed(text: string, sizes: readonly number[]): Promise<{ text: string; rows: number }> {
  const counted = { rows: 0 }
  const bytes = await Array.fromAsync(endRows(chunksOf(Buffer.from(text), sizes), counted))
  return { text: Buffer.concat(bytes).toString(), rows: counted.rows }
}

async function* chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

describe('endRows', () => {
  it('ends each row with CR and LF, and counts them', async () => {
    assert.deepEqual(await passed('a,b\nc,d\n', [64]), { text: 'a,b\r\nc,d\r\n', rows: 2 })
  })

  it('keeps line feeds inside a cell', async () => {
    const text = 'a,"first\nsecond"\n"""\n""",d\n'
    assert.deepEqual(await passed(text, [64]), { text: 'a,"first\nsecond"\r\n"""\n""",d\r\n', rows: 2 })
  })

  it('writes nothing for an empty input', async () => {
    assert.deepEqual(await passed('', [64]), { text: '', rows: 0 })
  })

  it('does so for any table, wherever it is cut into chunks', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r', ',', '£', '-') })
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }))
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(table, sizes, async (rows, cuts) => {
        assert.deepEqual(await passed(copied(rows), cuts), { text: copied(rows, '\r\n'), rows: rows.length })
      }),
    )
  })
})
