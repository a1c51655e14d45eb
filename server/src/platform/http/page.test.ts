import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../errors.ts'
import { openVault } from '../vault.ts'
import { type Bounds, type Key, keyedPageOf, pageOf, readCursor, writeCursor } from './page.ts'

const PEPPER = 'p'.repeat(32)
const vault = openVault(PEPPER)
const PLACE = '/workspaces of a lender'

describe('a cursor', () => {
  it('opens on every node, only for its own list and subscriber, and not if it was changed', () => {
    const cursor = writeCursor(vault, 1_042, PLACE)
    assert.equal(readCursor(openVault(PEPPER), cursor, PLACE), 1_042)
    assert.equal(readCursor(vault, cursor, '/workspaces of another lender'), undefined)
    const changed = cursor.slice(0, 30) + (cursor[30] === 'A' ? 'B' : 'A') + cursor.slice(31)
    assert.equal(readCursor(vault, changed, PLACE), undefined)
    assert.equal(readCursor(vault, 'MTA0Mg', PLACE), undefined)
  })

  it('reveals neither its number nor how large that is', () => {
    const cursors = [1, 1, 42, 999_999_999_999].map((seq) => writeCursor(vault, seq, PLACE))
    assert.equal(new Set(cursors).size, 4)
    for (const cursor of cursors) {
      assert.match(cursor, /^[A-Za-z0-9_-]{59}$/)
      assert.doesNotMatch(Buffer.from(cursor, 'base64url').toString('latin1'), /42|0000|9999/)
    }
  })
})

describe('pageOf', () => {
  const rows = [1, 2, 3, 4, 5].map((seq) => ({ seq }))
  const list = async ({ after, rows: most }: Bounds) => rows.filter(({ seq }) => seq > (after ?? 0)).slice(0, most)
  const page = (query: { cursor?: string; limit?: number }, url = '/x', subscriberId = 'a') =>
    pageOf(vault, { query, caller: { subscriberId }, routeOptions: { url } }, list, ({ seq }) => seq)

  it('gives each row once, and no cursor on the last page', async () => {
    const first = await page({ limit: 3 })
    assert.deepEqual(first.records, [1, 2, 3])
    assert.deepEqual(await page({ limit: 3, cursor: first.nextCursor ?? '' }), { records: [4, 5] })
    assert.deepEqual(await page({ limit: 5 }), { records: [1, 2, 3, 4, 5] })
  })

  it('can be in the order of a text', async () => {
    const named = ['a', 'b', 'b', 'c'].map((name, index) => ({ key: [name, String(index)] as const }))
    const isAfter = ([name = '', id = '']: Key, [otherName = '', otherId = '']: Key) =>
      name > otherName || (name === otherName && id > otherId)
    const list = async ({ after, rows: most }: Bounds<Key>) =>
      named.filter(({ key }) => !after || isAfter(key, after)).slice(0, most)
    const request = (query: object) => ({ query, caller: { subscriberId: 'a' }, routeOptions: { url: '/x' } })
    const { records, nextCursor } = await keyedPageOf(vault, request({ limit: 2 }), 'name', list, ({ key }) => key[1])
    assert.deepEqual(records, ['0', '1'])
    const next = request({ cursor: nextCursor })
    assert.deepEqual(await keyedPageOf(vault, next, 'name', list, ({ key }) => key[1]), { records: ['2', '3'] })
    await assert.rejects(
      keyedPageOf(vault, next, 'age', list, ({ key }) => key[1]),
      Refusal,
    )
    await assert.rejects(page({ cursor: nextCursor ?? '' }), Refusal)
  })

  it('refuses a cursor of another list or another subscriber', async () => {
    const { nextCursor: cursor = '' } = await page({ limit: 3 })
    for (const [url, subscriberId] of [
      ['/y', 'a'],
      ['/x', 'b'],
    ]) {
      await assert.rejects(
        page({ cursor }, url, subscriberId),
        (error) => error instanceof Refusal && error.reason === 'invalid' && error.fieldErrors[0]?.field === 'cursor',
      )
    }
  })
})
