import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fit, judge, type Sample } from './rules.ts'
import { proveSoak } from './soak.ts'

// The rules by tables, then a small run; `npm run proof -- soak` makes the large one.

const MINUTES = 40

/** A sample for each minute: everything grows with the matters, and nothing else does. */
const steady = (change: (one: Sample, minute: number) => void = () => {}): Sample[] =>
  Array.from({ length: MINUTES }, (_, index) => {
    const minute = index + 1
    const noise = (minute * 7) % 5
    const sample: Sample = {
      at: minute * 60,
      nodes: { serve1: { usedMb: 60 + noise / 2, rssMb: 200 + noise * 4, handles: 50 + noise, cpuMs: 0 } },
      connections: 60 + noise,
      backlog: noise * 100,
      tables: {
        files: { rows: minute * 1_000, bytes: minute * 1_000_000, indexBytes: minute * 500_000, dead: 100 },
        due: { rows: 20, bytes: 90_000, indexBytes: 60_000, dead: 900 },
      },
      temporaryFiles: 3,
      logBytes: minute * 400_000,
      requests: minute * 1_000,
      matters: minute * 20,
      kills: minute,
    }
    change(sample, minute)
    return sample
  })

const broken = (samples: Sample[]) => judge(samples, ['serve1']).flatMap(({ rule, isKept }) => (isKept ? [] : [rule]))
const node = ({ nodes }: Sample) => nodes['serve1'] ?? assert.fail()
const table = ({ tables }: Sample, name: string) => tables[name] ?? assert.fail()
const isLate = (minute: number) => minute > MINUTES / 2

describe('the rules of the soak', () => {
  const cases: [what: string, change: (one: Sample, minute: number) => void, expected: string[]][] = [
    ['what grows with the matters, and noise', () => {}, []],
    ['memory that grows at first', (one, minute) => (node(one).usedMb += Math.min(minute, 15) * 4), []],
    [
      'memory that grows by 12 MB an hour',
      (one, minute) => (node(one).usedMb += minute / 5),
      ['memory in use after a collection of serve1'],
    ],
    [
      'resident memory that grows by 120 MB an hour',
      (one, minute) => (node(one).rssMb += minute * 2),
      ['resident memory of serve1'],
    ],
    ['file handles', (one, minute) => (node(one).handles += minute * 2), ['file handles of serve1']],
    ['connections', (one, minute) => (one.connections += minute * 2), ['connections to PostgreSQL']],
    [
      'a backlog that only rises',
      (one, minute) => (one.backlog = minute * 10),
      ['backlog of jobs, events and deliveries'],
    ],
    ['files of kills', (one) => (one.temporaryFiles = 100), []],
    ['files of nothing', (one) => (one.temporaryFiles = 1_000), ['temporary files']],
    [
      'rows that are never deleted',
      (one, minute) => (table(one, 'due').rows = minute * minute * 10),
      ['rows for each matter'],
    ],
    [
      'a table that is never vacuumed',
      (one, minute) => (table(one, 'due').bytes = minute * 500_000),
      ['bytes of a table for its rows'],
    ],
    [
      'indexes that grow faster than rows',
      (one, minute) => (table(one, 'files').indexBytes *= isLate(minute) ? 2 : 1),
      ['bytes of indexes for the rows'],
    ],
    ['dead rows', (one) => (table(one, 'due').dead = 20_000), ['dead rows']],
    [
      'a log that says more',
      (one, minute) => (one.logBytes *= isLate(minute) ? 2 : 1),
      ['bytes of log for each request'],
    ],
  ]
  for (const [what, change, expected] of cases) {
    it(`${expected.length ? 'are broken by' : 'allow'} ${what}`, () =>
      assert.deepEqual(broken(steady(change)), expected))
  }

  it('ask for no trend of a short run', () => {
    const short = steady((one, minute) => (node(one).usedMb += minute)).slice(0, 10)
    assert.deepEqual(broken(short), [])
  })

  it('fit a line', () => {
    const { slope, error } = fit([1, 2, 3, 4].map((x) => [x, 3 * x + 1]))
    assert.ok(Math.abs(slope - 3) < 1e-9 && error < 1e-6)
  })
})

describe('a load with faults', () => {
  it('ends with every matter registered, and nothing left behind', { timeout: 600_000 }, async () => {
    const pace = { matterMs: 2_500, readMs: 200, pageMs: 500, streams: 2 }
    const { matters, faults, findings } = await proveSoak({
      hours: 8 / 3_600,
      pace,
      sampleMs: 4_000,
      faultMs: 2_000,
      names: ['serve1', 'work2'],
      say: () => {},
    })
    assert.ok(matters > 0 && (faults['worker killed'] ?? 0) > 0)
    assert.deepEqual(
      findings.filter(({ limit, isKept }) => limit === 'none' && !isKept),
      [],
    )
  })
})
