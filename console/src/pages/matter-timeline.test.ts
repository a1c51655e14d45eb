import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timeline } from './matter-timeline.ts'

const at = (time: string) => `2026-06-${time}.000Z`
const happened = (time: string, message: string, by = 'sam@harbour.example') =>
  ({ at: at(time), type: 'WORKSPACE_UPDATED', by, correlationId: 'one', message }) as const

const visit = { url: new URL('http://localhost/console/matters/1') } as never

describe('the timeline of a matter', () => {
  it('keeps what one request caused together, and its later consequences apart, newest first', () => {
    const records = [
      happened('01T09:00:00', 'Approved.'),
      happened('01T09:00:01', 'Prepared.'),
      happened('01T09:00:02', 'Sent.', 'system'),
      happened('04T10:00:00', 'Accepted.', 'system'),
    ]
    const { text } = timeline(visit, { data: records }, { data: [] })
    const entries = [...text.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, entry = '']) =>
      entry.replaceAll(/\s*<[^>]*>/g, ' '),
    )
    assert.deepEqual(
      entries.map((entry) => entry.replaceAll(/\s+/g, ' ').trim()),
      [
        'Accepted. 4 Jun 2026, 11:00 · by itself',
        'Sent. 1 Jun 2026, 10:00 · by itself',
        'Prepared. Approved. 1 Jun 2026, 10:00 · sam@harbour.example',
      ],
    )
  })

  it('gives entries of the same moment ids of their own', () => {
    const records = ['Ada', 'Ben', 'Cy'].map((by) => happened('01T09:00:00', 'Changed.', by))
    const { text } = timeline(visit, { data: records }, { data: [] })
    const ids = [...text.matchAll(/<li id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, 3, String(ids))
  })
})
