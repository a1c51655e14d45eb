import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { londonDate } from '../../../src/jurisdiction/london.ts'
import { type Answer, badRequest, type Context, type Inbound, jsonOf, problem } from './answers.ts'
import { type ApplicationData, titleNumbersOf } from './application-data.ts'
import { APPLICATION } from './application-schema.ts'
import { endedInSystemError, registerNow, type Step, stepsOf } from './course.ts'
import { lettersOf, listed } from './letters.ts'
import { secondRules } from './rules.ts'
import { firstRules } from './rules-first.ts'
import { misfits } from './schemas.ts'
import type { Application } from './state.ts'
import { findUpload } from './uploads.ts'
import { warningsOf } from './warnings.ts'

/** `POST /v1/applications` and `/v2/applications`. */
export function submit(context: Context, account: string, inbound: Inbound, version: 'v1' | 'v2'): Answer {
  const { control, state } = context
  const key = inbound.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') {
    return badRequest(context, [{ type: 'OCV_L1A_000', detail: 'The header Idempotency-Key must be provided' }])
  }
  const json = jsonOf(inbound)
  const misfit = misfits(APPLICATION[version], json)
  if (misfit.length) return badRequest(context, misfit)
  const { data } = json as { data: ApplicationData }
  const now = control.now()
  const problems = firstRules(data, version, londonDate(now))
  if (problems.length) return badRequest(context, problems)

  const all = [...state.applications.values()].filter((one) => one.account === account)
  const known = all.find(({ idempotencyKey }) => idempotencyKey === key)
  if (known) {
    if (context.options.repeatedKey === 'conflict' || !isDeepStrictEqual(known.data, data)) {
      return problem(context, 409, 'The Idempotency-Key was used before.')
    }
    return accepted(known, version)
  }
  const application: Application = {
    id: randomUUID(),
    account,
    idempotencyKey: key,
    data,
    receivedAt: now,
    hmlrReference: referenceOf(state.applications.size + 1),
    errors: [],
    warnings: [],
    earlier: earlierThan(data, all),
    replies: [],
    notified: 0,
  }
  const registerOf = (title: string) => registerNow(context, title, data.customer_reference)
  application.warnings = warningsOf(data, registerOf)
  application.errors = secondRules({
    data,
    registerOf,
    uploadOf: (documentId) => findUpload(context, account, documentId),
  })
  state.applications.set(application.id, application)
  return accepted(application, version)
}

function earlierThan(data: ApplicationData, all: Application[]): Application['earlier'] {
  const titles = titleNumbersOf(data)
  const same = all.filter(
    (one) =>
      one.data.customer_reference === data.customer_reference &&
      titleNumbersOf(one.data).some((it) => titles.includes(it)),
  )
  const others = same.filter((one) => !endedInSystemError(one))
  return { failed: same.length - others.length, others }
}

/** The contract of version 2 shows the answer without `data` around it. */
const accepted = ({ id }: Application, version: 'v1' | 'v2'): Answer => ({
  status: 202,
  headers: { location: `/v1/applications/${id}/information` },
  body: version === 'v1' ? { data: { application_request_id: id } } : { application_request_id: id },
})

/** `GET /v1/applications/{id}/information`, by its id or by the registry's reference. */
export function information(context: Context, account: string, id: string): Answer {
  const application = findApplication(context, id)
  if (application?.account !== account) return notFound(context, id)
  const now = context.control.now()
  const steps = stepsOf(context, application).filter(({ at }) => at <= now)
  const priority = steps.find((one) => one.kind === 'protected')
  const failed = steps.find((one) => one.kind === 'validation failed')
  const records = steps
    .map((step) => ({ step, documents: lettersOf(context, application, step) }))
    .filter(({ documents }) => documents.length)
    .map(({ step, documents }) => ({ record_id: step.at.toISOString(), documents: documents.map(listed) }))
  const isGuide = context.control.dialect === 'guide'
  const isKnown = statusOf(steps).startsWith('ACCEPTED') || priority !== undefined
  const data = {
    application_request_id: application.id,
    status: statusOf(steps),
    ...optional('hmlr_reference', isKnown ? application.hmlrReference : undefined, isGuide),
    ...optional('priority_timestamp', priority?.priorityAt.toISOString(), isGuide),
    ...(isGuide ? { correspondence: records } : { correspondences: isKnown ? records : null }),
    errors: failed?.errors ?? [],
    warnings: application.warnings,
  }
  return { status: 200, body: { data } }
}

/** The guide leaves out what is not known, the stubs show null. */
const optional = (name: string, value: string | undefined, isLeftOut: boolean) =>
  value === undefined && isLeftOut ? {} : { [name]: value ?? null }

export function statusOf(steps: readonly Step[]): string {
  const kinds = new Set(steps.map(({ kind }) => kind))
  if (kinds.has('completed')) return 'COMPLETED'
  if (kinds.has('cancelled')) return 'CANCELLED'
  if (kinds.has('protected')) return 'ACCEPTED_PRIORITY_PROTECTED'
  if (kinds.has('awaiting priority')) return 'ACCEPTED_AWAITING_PRIORITY'
  if (kinds.has('validation failed')) return 'VALIDATION_FAILED'
  return kinds.has('system error') ? 'SYSTEM_ERROR' : 'VALIDATING'
}

export const findApplication = ({ state }: Context, id: string): Application | undefined =>
  state.applications.get(id) ?? [...state.applications.values()].find(({ hmlrReference }) => hmlrReference === id)

export const notFound = (context: Context, id: string): Answer =>
  problem(context, 404, 'Not found.', [
    { type: 'OC200', detail: `Order creation request not found in the system for request id '${id}'`, pointer: null },
  ])

const LETTERS = 'BDFGHJKLRTWXZ' // no reference ends like those of the published stubs

/** A letter, three digits and three letters. */
function referenceOf(number: number): string {
  const letter = (place: number) => LETTERS.charAt(Math.floor(number / LETTERS.length ** place) % LETTERS.length)
  return `${letter(3)}${String(number % 1000).padStart(3, '0')}${letter(2)}${letter(1)}${letter(0)}`
}
