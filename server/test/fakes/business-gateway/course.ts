import { onBusinessDay } from '../../../src/jurisdiction/business-days.ts'
import { londonDate } from '../../../src/jurisdiction/london.ts'
import type { Register } from '../../../src/registry/register.ts'
import type { Context, FieldProblem } from './answers.ts'
import { titleNumbersOf } from './application-data.ts'
import { registerWith } from './registration.ts'
import type { Application, Reply } from './state.ts'
import { holdingOf } from './titles.ts'

/** What happens to an application. Each has a notification, except what the gateway does not announce. */
export type Step = { at: Date } & (
  | { kind: 'awaiting priority' }
  | { kind: 'protected'; priorityAt: Date }
  | { kind: 'validation failed'; errors: FieldProblem[] }
  | { kind: 'system error' }
  | { kind: 'correspondence' }
  | { kind: 'cancelled' }
  | { kind: 'completed'; isEarly: boolean }
  | { kind: 'discharged' }
  | { kind: 'attached'; reply: Reply; failure?: string }
)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const after = (at: Date, ms: number) => new Date(at.getTime() + ms)
/** As in the sandbox's registry, so that a case takes equally long with both. */
const wholeMinute = (at: Date) => new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)

/** Titles whose first application meets something. They are those of the sandbox's registry. */
const EARLY_COMPLETION = 'ST500679'
const REQUISITION = 'RQ100001'
const LETTER_ALONE = 'LT100001'
const CANCELLATION = 'CX100001'
const DEED_UNKNOWN = 'VF100001'
const SYSTEM_ERRORS = 'SE100001'
const DAY_LIST_CLOSED = 'SL100001'
const ERRORS_IN_A_ROW = 2

/** All steps of an application so far decided, in order. They depend on what is stored and on the day list alone. */
export function stepsOf(context: Context, application: Application): Step[] {
  const main = mainSteps(context, application)
  const attached = application.replies.map((reply): Step => attachment(context, application, reply))
  return [...main, ...attached].toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function mainSteps({ control }: Context, application: Application): Step[] {
  const receivedAt = wholeMinute(application.receivedAt)
  const title = titleNumbersOf(application.data)[0] ?? ''
  if (title === SYSTEM_ERRORS && isDueToFail(application)) {
    return [{ kind: 'system error', at: after(receivedAt, HOUR_MS) }]
  }
  const decidedAt = after(receivedAt, DAY_MS)
  const errors = [...application.errors, ...(title === DEED_UNKNOWN ? deedErrors(application) : [])]
  if (errors.length) return [{ kind: 'validation failed', at: decidedAt, errors }]

  const priorityAt = control.onDayList(decidedAt)
  const waiting =
    title === DAY_LIST_CLOSED ? after(receivedAt, HOUR_MS) : priorityAt === decidedAt ? undefined : decidedAt
  const awaiting: Step[] = waiting ? [{ kind: 'awaiting priority', at: waiting }] : []
  if (!priorityAt) return awaiting
  return [...awaiting, { kind: 'protected', at: priorityAt, priorityAt }, ...outcome(application, title, priorityAt)]
}

function outcome(application: Application, title: string, at: Date): Step[] {
  const registeredAt = onBusinessDay(after(at, 5 * DAY_MS))
  const isDischarge = Object.values(application.data.transactions).every(({ type }) => type === 'DIS')
  if (isDischarge) return [{ kind: 'completed', at: after(at, 4 * DAY_MS), isEarly: false }]
  switch (application.earlier.others.length ? '' : title) {
    case EARLY_COMPLETION:
      return [
        { kind: 'completed', at: registeredAt, isEarly: true },
        { kind: 'discharged', at: after(registeredAt, 14 * DAY_MS) },
      ]
    case REQUISITION: {
      const askedAt = after(at, 2 * DAY_MS)
      const answer = application.replies.find((one) => one.at >= askedAt)
      const asked: Step = { kind: 'correspondence', at: askedAt }
      if (!answer) return [asked]
      return [asked, { kind: 'completed', at: after(wholeMinute(answer.at), 6 * DAY_MS), isEarly: false }]
    }
    case LETTER_ALONE:
      return [
        { kind: 'correspondence', at: after(at, 2 * DAY_MS) },
        { kind: 'completed', at: registeredAt, isEarly: false },
      ]
    case CANCELLATION:
      return [{ kind: 'cancelled', at: after(at, 2 * DAY_MS) }]
    default:
      return [{ kind: 'completed', at: registeredAt, isEarly: false }]
  }
}

const isDueToFail = ({ earlier }: Application) => earlier.others.length === 0 && earlier.failed < ERRORS_IN_A_ROW
export const endedInSystemError = (application: Application): boolean =>
  titleNumbersOf(application.data)[0] === SYSTEM_ERRORS && isDueToFail(application)

/** The deed of the first application is unknown, until another is named. */
function deedErrors({ data, earlier }: Application): FieldProblem[] {
  const [first] = earlier.others
  const deeds = (one: Application['data']) => Object.values(one.transactions).map(({ details }) => details?.mdref)
  const unknown = new Set(first ? deeds(first.data) : deeds(data))
  return Object.entries(data.transactions).flatMap(([reference, { details }]) =>
    details?.mdref !== undefined && unknown.has(details.mdref)
      ? [
          {
            type: 'mdref-on-record',
            detail: `MD Ref ${details.mdref} does not exist on record`,
            pointer: `/data/transactions/${reference}/details/mdref`,
          },
        ]
      : [],
  )
}

function attachment({ state }: Context, { account }: Application, reply: Reply): Step {
  const at = after(reply.at, MINUTE_MS)
  const upload = reply.kind === 'document' ? state.uploads.get(reply.documentId) : undefined
  if (reply.kind === 'message' || (upload?.bytes && upload.account === account)) return { kind: 'attached', at, reply }
  return { kind: 'attached', at, reply, failure: `Failed to get document '${reply.documentId}'.` }
}

/**
 * The register of a title now. It shows the applications of one customer reference only, so that any number of cases can
 * use one title, as with the sandbox's registry.
 */
export function registerNow(context: Context, titleNumber: string, reference: string): Register | undefined {
  const holding = holdingOf(titleNumber)
  if (holding?.status !== 'VALID') return undefined
  let register = structuredClone(holding.register)
  const now = context.control.now()
  for (const application of context.state.applications.values()) {
    const { data } = application
    if (data.customer_reference !== reference || !titleNumbersOf(data).includes(titleNumber)) continue
    const steps = stepsOf(context, application).filter(({ at }) => at <= now)
    const accepted = steps.find(({ kind }) => kind === 'protected')
    const done = steps.findLast(({ kind }) => kind === 'completed' || kind === 'discharged')
    if (!accepted || !done) continue
    const dates = { appliedOn: londonDate(accepted.at), registeredOn: londonDate(done.at) }
    register = registerWith(register, data, dates, done.kind === 'completed' && done.isEarly ? 'early' : 'in full')
  }
  return register
}
