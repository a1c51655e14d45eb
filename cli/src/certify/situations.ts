import type { Schemas } from '../../../client/src/index.ts'

// What a client meets when it runs for real, and how the request log shows that it handled it.

export type Result = 'PASSED' | 'FAILED' | 'NOT_SEEN'

/** What was seen, what to do about it, and by which ids it can be found. */
export type Finding = { result: Result; seen: string; advice?: string; evidence: string[] }

/** A call of the client, with what the log has of its headers and its answer. */
export type Seen = Pick<
  Schemas['RequestDetail'],
  'requestId' | 'at' | 'durationMs' | 'method' | 'operation' | 'status' | 'correlationId' | 'workspaceId' | 'fault'
> & { headers?: Record<string, string>; answer?: { text: string } }

type Context = {
  /** Of the command that was run, if there is one. */
  exitCode?: number | undefined
  /** The matter that the situation is about. */
  workspaceId?: string | undefined
}

export type Situation = {
  name: string
  title: string
  /** What the client must do now. */
  task: string
  faults: Schemas['FaultRequest'][]
  /** The scenario that is played first. */
  scenario?: { name: string; until: string }
  check(calls: readonly Seen[], context: Context): Finding
}

const RETRY_AFTER_SECONDS = 2
/** Clocks and timers are not exact. */
const TOLERANCE_MS = 100

export const SITUATIONS: readonly Situation[] = [
  {
    name: 'token-renewal',
    title: 'The token expires',
    task: 'Make any call.',
    faults: [{ kind: 'EXPIRED_TOKEN', times: 1 }],
    check: (calls) =>
      metWith(calls, 'EXPIRED_TOKEN', (first, later) => {
        const good = later.find(isGood)
        if (good) return passed('It fetched a new token and repeated the call.', first, good)
        const advice = 'Fetch a new token when a call answers 401, and send the call once more with it.'
        const again = later.filter(({ status }) => status === 401)
        if (again.length === 0) return failed('It gave up after the 401.', advice, first)
        return failed(`It sent the expired token again, ${times(again.length)}.`, advice, first, ...again)
      }),
  },
  {
    name: 'too-many',
    title: 'Too many requests',
    task: 'Make any call.',
    faults: [{ kind: 'TOO_MANY', times: 1, retryAfterSeconds: RETRY_AFTER_SECONDS }],
    check: (calls) =>
      metWith(calls, 'TOO_MANY', (first, later) => {
        const next = later.find(({ operation }) => operation === first.operation)
        const advice = 'After a 429 wait for as many seconds as Retry-After says, then send the same call again.'
        if (!next) return failed('It gave up after the 429.', advice, first)
        const waitedMs = startOf(next) - startOf(first) - first.durationMs
        const waited = `It waited for ${(waitedMs / 1_000).toFixed(1)} s; Retry-After was ${RETRY_AFTER_SECONDS} s`
        if (waitedMs < RETRY_AFTER_SECONDS * 1_000 - TOLERANCE_MS) return failed(`${waited}.`, advice, first, next)
        return passed(`${waited}, and the call was repeated.`, first, next)
      }),
  },
  {
    name: 'lost-answer',
    title: 'An answer is lost',
    task: 'Make a POST that creates something, such as an order.',
    faults: [{ kind: 'LOST_ANSWER', times: 1, methods: ['POST'] }],
    check: (calls) =>
      metWith(calls, 'LOST_ANSWER', (first, later) => {
        const repeated = later.filter(({ operation }) => operation === first.operation)
        const advice = 'Send each POST with an Idempotency-Key, and repeat it with the same key when no answer came.'
        const [next] = repeated
        if (!next) return failed('It gave up. It does not know that the work was done.', advice, first)
        const key = keyOf(first)
        if (key === undefined)
          return failed('It sent no Idempotency-Key, and the work was done twice.', advice, first, next)
        if (keyOf(next) !== key)
          return failed('It used another Idempotency-Key, and the work was done twice.', advice, first, next)
        return passed('It repeated the request with the same Idempotency-Key, and it was done once.', first, next)
      }),
  },
  {
    name: 'new-field',
    title: 'An answer has a new field',
    task: 'Read something, such as a list of workspaces.',
    faults: [{ kind: 'NEW_FIELD', methods: ['GET'] }],
    check: (calls, context) => survived(calls, 'NEW_FIELD', 'Ignore fields that you do not know.', context),
  },
  {
    name: 'new-value',
    title: 'An answer has an unknown status',
    task: 'Read something that has a status, such as a list of workspaces.',
    faults: [{ kind: 'NEW_VALUE', methods: ['GET'] }],
    check: (calls, context) =>
      survived(calls, 'NEW_VALUE', 'Treat a value that you do not know as “something else”, and go on.', context),
  },
  {
    name: 'rejected-lodgement',
    title: 'The registry rejects a case',
    task: 'Find out that the case was rejected, and read it.',
    faults: [],
    scenario: { name: 'rejection', until: 'reject' },
    check: (calls, { workspaceId = '' }) => {
      const read = calls.find((call) => call.workspaceId === workspaceId && call.answer?.text.includes(REJECTED))
      if (read) return passed(`It read the rejection (${read.operation}).`, read)
      if (calls.length === 0) return notSeen(NO_CALL)
      const advice =
        'Register for LODGEMENT_REJECTED or read the feed, and then the case: GET …/lodgement-cases?workspace_id= has the reasons.'
      return failed(`It did not read the rejected case of the workspace ${workspaceId}.`, advice, ...calls)
    },
  },
]

const REJECTED = 'REGISTRATION_REJECTED'
const NO_CALL = 'No call of the client was seen.'

/** Looks at what the client did after the first call that met the fault. */
function metWith(calls: readonly Seen[], fault: string, check: (first: Seen, later: Seen[]) => Finding): Finding {
  const index = calls.findIndex((call) => call.fault?.includes(fault))
  const first = calls[index]
  if (first) return check(first, calls.slice(index + 1))
  return notSeen(calls.length === 0 ? NO_CALL : 'No call was seen that this situation is about.')
}

/** The log does not show what a client does with an answer: only its end, or that it went on. */
const survived = (calls: readonly Seen[], fault: string, advice: string, { exitCode }: Context): Finding =>
  metWith(calls, fault, (first, later) => {
    if (exitCode) return failed(`It ended with the exit code ${exitCode}.`, advice, first)
    const next = later.find(isGood)
    if (exitCode === 0) return passed('It ended with the exit code 0.', first)
    if (next) return passed('It went on with another call.', first, next)
    return notSeen(
      'It read the answer. Whether it could use it cannot be seen: use --run, or make another call after it.',
      first,
    )
  })

const isGood = ({ status }: Seen) => status < 300
const startOf = ({ at }: Seen) => Date.parse(at)
const keyOf = ({ headers }: Seen) => headers?.['idempotency-key']
const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
const idsOf = (calls: readonly Seen[]) => calls.flatMap(({ correlationId }) => correlationId ?? [])

const passed = (seen: string, ...calls: Seen[]): Finding => ({ result: 'PASSED', seen, evidence: idsOf(calls) })
const failed = (seen: string, advice: string, ...calls: Seen[]): Finding => ({
  result: 'FAILED',
  seen,
  advice,
  evidence: idsOf(calls),
})
export const notSeen = (seen: string, ...calls: Seen[]): Finding => ({
  result: 'NOT_SEEN',
  seen,
  evidence: idsOf(calls),
})
