import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Reply, type Seen, startStub } from './support/stub.ts'

/** Seven workspaces, three to a page. */
function workspaces({ url }: Seen): Reply {
  const from = Number(new URL(url, 'http://x').searchParams.get('cursor') ?? 0)
  const records = Array.from({ length: Math.min(3, 7 - from) }, (_, index) => ({ reference: `R${from + index}` }))
  return { json: { records, ...(from + 3 < 7 && { nextCursor: String(from + 3) }) } }
}

/** Four events; the cursor is how many were read. */
function events({ url }: Seen): Reply {
  const from = Number(new URL(url, 'http://x').searchParams.get('after') ?? 0)
  const records = Array.from({ length: Math.min(3, 4 - from) }, (_, index) => ({ id: `E${from + index}` }))
  return { json: { records, nextCursor: String(from + records.length) } }
}

describe('records', () => {
  it('returns those of all pages, with the same filters', async () => {
    const { lodgeway, seen } = await startStub(workspaces)
    const found: string[] = []
    for await (const { reference } of lodgeway.records('listWorkspaces', { query: { status: 'CREATED' } }))
      found.push(reference)
    assert.deepEqual(found, ['R0', 'R1', 'R2', 'R3', 'R4', 'R5', 'R6'])
    assert.equal(seen.length, 3)
    assert.ok(seen.every(({ url }) => url.includes('status=CREATED')))
  })

  it('fetches no page that is not needed', async () => {
    const { lodgeway, seen } = await startStub(workspaces)
    for await (const { reference } of lodgeway.records('listWorkspaces')) if (reference === 'R2') break
    assert.equal(seen.length, 1)
  })
})

describe('pages', () => {
  it('starts at the given cursor', async () => {
    const { lodgeway } = await startStub(workspaces)
    const sizes: number[] = []
    for await (const { records } of lodgeway.pages('listWorkspaces', { query: { cursor: '3' } }))
      sizes.push(records.length)
    assert.deepEqual(sizes, [3, 1])
  })

  it('reads the event feed to its end, with the cursor to continue from', async () => {
    const { lodgeway } = await startStub(events)
    const cursors: string[] = []
    for await (const { nextCursor } of lodgeway.pages('readEvents')) cursors.push(nextCursor)
    assert.deepEqual(cursors, ['3', '4'])
    for await (const _ of lodgeway.pages('readEvents', { query: { after: '4' } })) assert.fail('there is nothing new')
  })
})
