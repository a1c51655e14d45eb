import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FoundMatter, reasonToKeep, yearsBefore } from './rules.ts'
import { readRetention } from './settings.ts'

const NOW = new Date('2033-06-01T12:00:00Z')

describe('yearsBefore', () => {
  const TIMES: [now: string, years: number, before: string][] = [
    ['2033-06-01T12:00:00.000Z', 7, '2026-06-01T12:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 1, '2027-03-01T00:00:00.000Z'],
    ['2032-02-29T00:00:00.000Z', 4, '2028-02-29T00:00:00.000Z'],
  ]
  for (const [now, years, before] of TIMES) {
    it(`${years} years before ${now}`, () => assert.equal(yearsBefore(new Date(now), years).toISOString(), before))
  }
})

describe('reasonToKeep', () => {
  const ended = { status: 'CLOSED', endedAt: new Date('2027-05-31'), blocks: [], holdReason: null }
  const MATTERS: [what: string, facts: Partial<FoundMatter>, kept: RegExp | undefined, until?: string][] = [
    ['six years after it closed', {}, undefined],
    ['six years after it was cancelled', { status: 'CANCELLED' }, undefined],
    ['a day too early', { endedAt: new Date('2027-06-02') }, /^it ended on 2027-06-02 .* 6 years/, '2033-06-02'],
    ['while it is live', { status: 'LODGED' }, /^the matter is live: its status is LODGED$/],
    ['while it is held', { blocks: ['HELD'], holdReason: 'claim 7' }, /^a legal hold is on it: claim 7$/],
    ['with work under way', { blocks: ['JOB', 'FILE'] }, /^a job .*; a file has not been checked yet$/],
  ]
  for (const [what, facts, kept, until] of MATTERS) {
    it(what, () => {
      const found = reasonToKeep({ ...ended, ...facts }, { requiredYears: 6 }, NOW)
      if (kept) assert.match(found?.reason ?? '', kept)
      else assert.equal(found, undefined)
      assert.equal(found?.until, until)
    })
  }
})

describe('readRetention', () => {
  const read = (years: Record<string, number>) => ({
    integer: (name: string, fallback: number) => years[name] ?? fallback,
  })

  it('refuses to erase matters before the time that they must be kept', () => {
    const problems: string[] = []
    readRetention(read({}), problems)
    assert.deepEqual(problems, [])
    readRetention(read({ RETENTION_CANCELLED_YEARS: 5 }), problems)
    assert.match(problems.join(), /^RETENTION_REQUIRED_YEARS must not exceed/)
  })
})
