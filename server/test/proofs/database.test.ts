import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDb } from '../../src/platform/database/db.ts'
import { type Relay, startRelay } from '../fakes/database-relay.ts'
import { atEnd } from '../fixtures/at-end.ts'
import { testService } from '../fixtures/service.ts'
import { proveCommit } from './commit.ts'
import { proveFreeze } from './freeze.ts'
import { proveLocks } from './locks.ts'
import type { Relayed } from './relayed.ts'

// Small runs; `npm run proof -- freeze | locks | commit` makes the large ones, whose figures are in docs/reliability.md.

const PAUSE_MS = 100
const NOTHING_WRONG = { acknowledgedAndLost: 0, refusedAndDone: 0, otherThan201And503: 0 }

describe('the database behind a service under load', () => {
  let parts: Relayed
  before(async () => {
    let relay: Relay | undefined
    const startOne = async (url: string) => {
      relay = await startRelay(url)
      return relay
    }
    const { url, env } = await testService({ relay: startOne })
    assert.ok(relay)
    const db = openDb({ url: env['DATABASE_OWNER_URL'] ?? '' })
    atEnd(() => db.close())
    parts = { url, relay, db }
  })

  it('loses connections at their COMMIT: what was acknowledged is there, what was refused is not', async () => {
    const figures = await proveCommit(parts, { cuts: 30 })
    assert.deepEqual({ ...figures, ...NOTHING_WRONG }, figures)
    assert.ok(figures.acknowledged > 0 && figures.refused > 0)
  })

  it('has a locked table, then a locked workspace: those who need it get 503, all others are served', async () => {
    const { tableLocked, workspaceLocked } = await proveLocks(parts, { heldMs: 1_000, pauseMs: PAUSE_MS })
    assert.deepEqual(Object.keys(tableLocked.statuses).toSorted(), ['read 200', 'stuck 503', 'token 200'])
    assert.deepEqual(Object.keys(workspaceLocked.statuses).toSorted(), ['create 202', 'read 200', 'stuck 503'])
  })

  it('goes silent: what was acknowledged is there, what was refused is not, and new requests are served', async () => {
    const { reads, writes, otherReads, ...figures } = await proveFreeze(parts, { freezes: 1, pauseMs: PAUSE_MS })
    assert.deepEqual({ ...figures, ...NOTHING_WRONG }, figures)
    assert.equal(otherReads, 0)
    assert.ok(reads.good > 0 && writes.good > 0)
  })
})
