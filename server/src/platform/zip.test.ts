import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { zipOf } from '../../test/fakes/business-gateway/files.ts'
import { listZip } from './zip.ts'

const LIMITS = { entriesMax: 3, entryBytesMax: 10, unpackedBytesMax: 15 }
const file = (name: string, size = 4) => ({ name, bytes: Buffer.alloc(size, name) })

/** Where the first file says how long it is, at both places. */
function announcing(zip: Buffer, size: number): Buffer {
  const lying = Buffer.from(zip)
  lying.writeUInt32LE(size, 22)
  lying.writeUInt32LE(size, lying.indexOf('PK\x01\x02') + 24)
  return lying
}

describe('listZip', () => {
  it('gives the files as they were packed, without folders', async () => {
    const files = [file('register.pdf'), file('folder/plan.pdf', 9)]
    const entries = await listZip(zipOf([file('folder/', 0), ...files]), LIMITS)
    const found = await Promise.all(
      entries.map(async ({ name, open }) => ({ name, bytes: await buffer(await open()) })),
    )
    assert.deepEqual(found, files)
  })

  for (const [what, zip] of [
    ['too many files', zipOf([file('a'), file('b'), file('c'), file('d')])],
    ['a file that is too large', zipOf([file('a', 11)])],
    ['too many bytes together', zipOf([file('a', 8), file('b', 8)])],
    ['a name that leaves its folder', zipOf([file('../a')])],
    ['an absolute name', zipOf([file('/etc/a')])],
    ['a name with a backslash', zipOf([file('..\\a')])],
    ['what is no ZIP', Buffer.from('PK\x03\x04 and no more')],
  ] as const) {
    it(`refuses ${what}`, () => assert.rejects(listZip(zip, LIMITS)))
  }

  it('does not give more bytes than a file announced', async () => {
    const lying = announcing(zipOf([file('a', 9)]), 5)
    await assert.rejects(async () => {
      for (const { open } of await listZip(lying, LIMITS)) await buffer(await open())
    })
  })
})
