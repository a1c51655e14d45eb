import { setTimeout as delay } from 'node:timers/promises'
import { callerOf } from '../fixtures/service.ts'
import { LENDER, WORKSPACES } from '../fixtures/workspaces.ts'
import { compare, type Relayed, type Written, write } from './relayed.ts'

const WRITERS = 8
const READERS = 4
const BEFORE_MS = 1_000
const AFTER_MS = 12_000 // longer than any limit: what has not recovered by then shows

type FreezeSize = { freezes: number; pauseMs: number }

/** All connections to the database go silent under load, again and again; new ones work. */
export async function proveFreeze({ url, relay, db }: Relayed, { freezes, pauseMs }: FreezeSize) {
  const written: Written[] = []
  const read: Omit<Written, 'name' | 'isUnknown'>[] = []
  const frozenAt: number[] = []
  let isOver = false
  const { call, tokenOf } = callerOf(url)
  await tokenOf(LENDER.as)
  const readOn = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const { status } = await call('GET', WORKSPACES, LENDER)
      const at = performance.now()
      read.push({ status, seconds: (at - startedAt) / 1000, at })
      if (pauseMs) await delay(pauseMs)
    }
  }
  const load = [
    ...Array.from({ length: WRITERS }, (_, writer) =>
      write(url, `Frozen ${writer}`, written, { isOver: () => isOver, pauseMs }),
    ),
    ...Array.from({ length: READERS }, readOn),
  ]
  for (let freeze = 0; freeze < freezes; freeze++) {
    await delay(BEFORE_MS)
    relay.freeze()
    frozenAt.push(performance.now())
    await delay(AFTER_MS)
  }
  isOver = true
  await Promise.all(load)
  return {
    freezes,
    reads: timesOf(read, frozenAt),
    writes: timesOf(written, frozenAt),
    otherReads: read.filter(({ status }) => status !== 200 && status !== 503).length,
    ...(await compare(db, written)),
  }
}

/** After a freeze: when the first 503 came, when the last, and how long the slowest answer took. */
function timesOf(answers: readonly { status: number; seconds: number; at: number }[], frozenAt: readonly number[]) {
  const bad = answers.filter(({ status }) => status === 503)
  const since = (at: number) => (at - (frozenAt.findLast((time) => time <= at) ?? at)) / 1000
  const rounded = (seconds: number) => Math.round(seconds * 10) / 10
  return {
    good: answers.length - bad.length,
    first503Seconds: rounded(Math.min(...bad.map(({ at }) => since(at)))),
    recoveredSeconds: rounded(Math.max(...bad.map(({ at }) => since(at)))),
    slowestSeconds: rounded(Math.max(...answers.map(({ seconds }) => seconds))),
  }
}
