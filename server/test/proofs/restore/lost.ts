import { type Asked, type Audited, isWrite, WRITES } from '../failover/history.ts'

// What of the acknowledged changes a restored database has. Times are those of `performance.now()`.

export type Comparison = {
  acknowledged: number
  found: number
  lost: number
  /** How long before the disaster the oldest lost change was acknowledged. */
  lostSeconds: number
  /** Acknowledged by the point in time, and not there. */
  lostBefore: string[]
  /** Sent after the point in time, and there. */
  foundAfter: string[]
  /** Lost, although it was acknowledged before one that is there was sent: the log has a gap. */
  lostOutOfOrder: string[]
}

const MARGIN_MS = 50 // the clocks of database and client may differ by this

type Times = { disaster: number; point?: number }

export function compareWithRestored(
  asked: readonly Asked[],
  audited: readonly Audited[],
  { disaster, point }: Times,
): Comparison {
  const done = new Set(audited.map(({ id, action }) => `${id} ${action}`))
  const acknowledged = asked.filter(isWrite).flatMap(({ id, kind, attempts }) => {
    const good = attempts.find(({ answer }) => answer !== 'unknown' && answer.status < 300)
    if (!good) return []
    const isFound = done.has(`${id} ${WRITES[kind].done}`)
    return [{ name: `${kind} ${id}`, isFound, sentAt: attempts[0]?.startedAt ?? 0, at: good.endedAt }]
  })
  const [found, lost] = [acknowledged.filter((one) => one.isFound), acknowledged.filter((one) => !one.isFound)]
  const newestSentAt = Math.max(0, ...found.map(({ sentAt }) => sentAt))
  const oldestLostAt = Math.min(disaster, ...lost.map(({ at }) => at))
  const named = (some: readonly { name: string }[]) => some.map(({ name }) => name)
  return {
    acknowledged: acknowledged.length,
    found: found.length,
    lost: lost.length,
    lostSeconds: Math.round((disaster - oldestLostAt) / 100) / 10,
    lostBefore: named(point === undefined ? [] : lost.filter(({ at }) => at <= point - MARGIN_MS)),
    foundAfter: named(point === undefined ? [] : found.filter(({ sentAt }) => sentAt > point + MARGIN_MS)),
    lostOutOfOrder: named(lost.filter(({ at }) => at < newestSentAt)),
  }
}
