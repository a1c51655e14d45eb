// What was asked, how each attempt was answered, and whether the database holds what these answers promise.

/** The audit entry that a request makes at once, and the one that its job makes once, if it was accepted for later. */
export const WRITES = {
  create: { done: 'workspace created', ended: 'title received' },
  represent: { done: 'representation queued', ended: 'representation processed' },
  upload: { done: 'file uploaded', ended: 'file processed' },
  update: { done: 'workspace updated', ended: undefined },
} as const

export type WriteKind = keyof typeof WRITES
export type Kind = WriteKind | 'read' | 'list' | 'download' | 'events'

/** Times are those of `performance.now()`. */
export type Attempt = { startedAt: number; endedAt: number; answer: Answer }

/** No answer, or one that says that the outcome is unknown, is `unknown`. */
export type Answer = { status: number } | 'unknown'

/** One call of the client: the attempts that it made for it. Its id is the correlation id, which the audit has too. */
export type Asked = {
  id: string
  kind: Kind
  attempts: Attempt[]
  end: 'done' | 'failed' | 'under way'
  message?: string
}

/** How often the audit has an action under a correlation id. */
export type Audited = { id: string; action: string; count: number }

export type Findings = {
  acknowledged: number
  acknowledgedAndLost: string[]
  acceptedAndNotEnded: string[]
  /** It was done more often than attempts succeeded or had an unknown outcome: one that promised that nothing was done did it. */
  refusedAndDone: string[]
  twice: string[]
  /** A PATCH has no key. One whose answer was lost, and that is repeated after another change, is done again. */
  patchesDoneAgain: number
  unknown: number
  unknownAndDone: number
  /** Attempts by answer, those that succeeded left out. */
  otherAnswers: Record<string, number>
}

export function compare(asked: readonly Asked[], audited: readonly Audited[]): Findings {
  const counts = new Map(audited.map(({ id, action, count }) => [`${id} ${action}`, count]))
  const countOf = (id: string, action: string | undefined) => counts.get(`${id} ${action}`) ?? 0
  const writes = asked.filter(isWrite)
  const nameOf = ({ id, kind }: Asked) => `${kind} ${id}`
  const isDone = ({ id, kind }: Asked & { kind: WriteKind }) => countOf(id, WRITES[kind].done) > 0
  const acknowledged = writes.filter(({ attempts }) => attempts.some(isSuccess))
  const again = writes.filter(({ id, kind }) => kind === 'update' && countOf(id, WRITES.update.done) > 1)
  const others = writes.filter(({ attempts }) => !attempts.some(isSuccess))
  const unknown = others.filter(({ attempts, end }) => end === 'under way' || attempts.some(isUnknown))
  return {
    acknowledged: acknowledged.length,
    acknowledgedAndLost: acknowledged.filter((one) => !isDone(one)).map(nameOf),
    acceptedAndNotEnded: acknowledged
      .filter(({ id, kind }) => WRITES[kind].ended && countOf(id, WRITES[kind].ended) === 0)
      .map(nameOf),
    refusedAndDone: writes
      .filter(({ id, kind, attempts, end }) => {
        const possible = attempts.filter((one) => isSuccess(one) || isUnknown(one)).length
        return end !== 'under way' && countOf(id, WRITES[kind].done) > possible
      })
      .map(nameOf),
    twice: audited
      .filter(({ id, count }) => count > 1 && !again.some((one) => one.id === id))
      .map(({ id, action }) => `${action} ${id}`),
    patchesDoneAgain: again.length,
    unknown: unknown.length,
    unknownAndDone: unknown.filter(isDone).length,
    otherAnswers: countAnswers(asked),
  }
}

export const isWrite = (asked: Asked): asked is Asked & { kind: WriteKind } => asked.kind in WRITES

const isUnknown = ({ answer }: Attempt) => answer === 'unknown'
const isSuccess = ({ answer }: Attempt) => answer !== 'unknown' && answer.status < 300

function countAnswers(asked: readonly Asked[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const attempt of asked.flatMap(({ attempts }) => attempts)) {
    if (isSuccess(attempt)) continue
    const name = attempt.answer === 'unknown' ? 'unknown' : String(attempt.answer.status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** A time in which something was broken. */
export type Window = { fault: string; from: number; to: number }

/** How long it took until a write that was sent after the fault succeeded, and the longest time without any success. */
export function interruptionOf(asked: readonly Asked[], { from, to }: Window): { firstMs: number; gapMs: number } {
  const good = asked
    .filter(isWrite)
    .flatMap(({ attempts }) => attempts)
    .filter((one) => isSuccess(one) && one.endedAt >= from)
  const firstMs = Math.min(...good.filter(({ startedAt }) => startedAt >= from).map(({ endedAt }) => endedAt - from))
  const ends = good.map(({ endedAt }) => endedAt).sort((one, other) => one - other)
  let gapMs = 0
  let last = from
  for (const end of ends) {
    if (last >= to) break
    gapMs = Math.max(gapMs, end - last)
    last = end
  }
  return { firstMs: Math.round(firstMs), gapMs: Math.round(gapMs) }
}

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? Number.NaN
