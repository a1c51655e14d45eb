import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkNoneRuns, checkNotOneself, type DeadFilter, matchingJobs, searchedTime } from './rules.ts'

describe('matchingJobs', () => {
  const dead = (id: string, job: string, error: string | null, correlationId: string | null) => ({
    id,
    job,
    error,
    correlationId,
  })
  const JOBS = [dead('1', 'a.b', 'It timed out.', 'x'), dead('2', 'a.b', null, null), dead('3', 'c.d', 'Refused', 'x')]
  const CASES: [filter: DeadFilter, ids: string][] = [
    [{}, '123'],
    [{ id: '2' }, '2'],
    [{ job: 'a.b' }, '12'],
    [{ job: 'a' }, ''],
    [{ error: 'TIMED' }, '1'],
    [{ correlation_id: 'x', job: 'c.d' }, '3'],
  ]
  for (const [filter, ids] of CASES) {
    it(`finds "${ids}" for ${JSON.stringify(filter)}`, () => {
      const found = matchingJobs(JOBS, filter).map(({ id }) => id)
      assert.equal(found.join(''), ids)
    })
  }
})

describe('searchedTime', () => {
  it('is a day in London, or all of the time of an id', () => {
    const summer = searchedTime(undefined, '2026-07-01')?.map((time) => time.toISOString())
    assert.deepEqual(summer, ['2026-06-30T23:00:00.000Z', '2026-07-01T23:00:00.000Z'])
    assert.equal(searchedTime('an id', undefined), undefined)
    assert.throws(() => searchedTime(undefined, undefined), /day is needed/)
  })
})

describe('an operator', () => {
  it('changes nobody’s rights of their own', () => {
    assert.throws(() => checkNotOneself('a', 'a'), /Ask another operator/)
    checkNotOneself('a', 'b')
  })

  it('verifies the audit once at a time, and again when one never ended', () => {
    const at = (minutes: number) => new Date(minutes * 60_000)
    assert.throws(() => checkNoneRuns({ askedAt: at(0), endedAt: null }, at(29)), /is being verified/)
    checkNoneRuns({ askedAt: at(0), endedAt: null }, at(31))
    checkNoneRuns({ askedAt: at(0), endedAt: at(1) }, at(2))
    checkNoneRuns(undefined, at(0))
  })
})
