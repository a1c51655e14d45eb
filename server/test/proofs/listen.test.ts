import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runSql } from '../fixtures/database.ts'
import { testService } from '../fixtures/service.ts'
import { proveListen } from './listen.ts'

// A small run; `npm run proof -- listen` makes the large one.

describe('kill -9 of lodgeway listen before a receiver that fails every third time', () => {
  it('has every event delivered and signed, in order for each matter', async () => {
    const { url, env } = await testService()
    const query = (text: string) => runSql(env['DATABASE_OWNER_URL'] ?? '', text)
    const { delivered, outOfOrder, badSignatures } = await proveListen({ url, query }, { kills: 1, events: 40 })
    assert.deepEqual({ delivered, outOfOrder, badSignatures }, { delivered: 40, outOfOrder: 0, badSignatures: 0 })
  })
})
