import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../platform/errors.ts'
import { writeCursor } from '../platform/http/page.ts'
import { openVault } from '../platform/vault.ts'
import { feedOf, readPosition } from './feed.ts'
import { type Attempt, nextReminder, outcomeOf, secretExpiryOf } from './rules.ts'

const AT = new Date('2026-03-02T12:00:00.000Z')
const answered = (status: number): Attempt => ({ at: AT.toISOString(), durationMs: 1, status })
const unanswered: Attempt = { at: AT.toISOString(), durationMs: 5_000, error: 'The connection was refused.' }

describe('outcomeOf', () => {
  it('is done with any 2xx and nothing else', () => {
    for (const status of [200, 201, 204, 299]) assert.equal(outcomeOf(answered(status), 1, AT).status, 'DELIVERED')
    for (const status of [199, 300, 301, 302, 307, 400, 410, 500, 503]) {
      assert.equal(outcomeOf(answered(status), 1, AT).status, 'PENDING')
    }
    assert.equal(outcomeOf(unanswered, 1, AT).status, 'PENDING')
  })

  it('comes again after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, and is dead after that', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => {
      const { nextAttemptAt } = outcomeOf(unanswered, tries, AT)
      return nextAttemptAt && (nextAttemptAt.getTime() - AT.getTime()) / 1000
    })
    assert.deepEqual(waits, [5, 300, 1_800, 7_200, 18_000, 36_000, null])
    assert.equal(outcomeOf(unanswered, 7, AT).status, 'DEAD')
  })
})

describe('nextReminder', () => {
  it('comes 30, 7 and 1 days before a secret of 365 days expires', () => {
    const expiresAt = secretExpiryOf(AT)
    assert.equal(expiresAt.toISOString(), '2027-03-02T12:00:00.000Z')
    const found: string[] = []
    for (let at = nextReminder(expiresAt, AT); at; at = nextReminder(expiresAt, at)) found.push(at.toISOString())
    assert.deepEqual(found, ['2027-01-31T12:00:00.000Z', '2027-02-23T12:00:00.000Z', '2027-03-01T12:00:00.000Z'])
  })
})

describe('a position in the feed', () => {
  const vault = openVault('p'.repeat(32))
  const subscriber = { subscriberId: '10000000-0000-4000-8000-000000000001' }
  const read = (after: string) => readPosition(vault, after, subscriber)

  it('is read as it was written, for its subscriber alone', () => {
    for (const position of [0, 1, 42, 999_999_999_999]) {
      assert.equal(read(writeCursor(vault, position, feedOf(subscriber))), position)
    }
    assert.throws(() => read(writeCursor(vault, 42, feedOf({ subscriberId: 'another' }))), Refusal)
  })

  it('is read in the form of version 1.0.0 too, which readers may have stored', () => {
    assert.equal(read(Buffer.from('e1042').toString('base64url')), 1_042)
  })

  it('is nothing else', () => {
    for (const text of ['', 'x', 'MQ', '1', Buffer.from('e-1').toString('base64url')]) {
      assert.throws(
        () => read(text),
        (error) => error instanceof Refusal && error.fieldErrors[0]?.field === 'after',
      )
    }
  })
})
