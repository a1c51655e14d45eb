import type { Answer, Context } from './answers.ts'
import { type Holding, holdingOf } from './titles.ts'

const TITLE_NUMBER = /^([A-Z]{0,3}[1-9][0-9]{0,5}|[A-Z]{1,3}[1-9][0-9]{0,3}Z)$/

const STATUSES: Readonly<Record<Holding['status'], string>> = {
  VALID: 'Title number is valid.',
  CLOSED_OR_CANCELLED: 'According to our records, this title number has been closed or cancelled.',
  CLOSED_AND_CONTINUED:
    'According to our records, this title number has been closed and continued under another title number.',
  PENDING_NEW_TITLE: 'This is pending a new title.',
}

/** `GET /v1/titles/{title_number}/registered-proprietor-names`. Its errors have a form of their own. */
export function proprietorNames(context: Context, titleNumber: string): Answer {
  if (!TITLE_NUMBER.test(titleNumber))
    return failure(context, 400, 'BG40001', 'Malformed invalid schema. Title is invalid.')
  const holding = holdingOf(titleNumber)
  if (!holding) return failure(context, 404, 'BG40002', 'Title is not found.')
  const proprietors = holding.status === 'VALID' ? holding.register.proprietors : []
  const data = {
    title_status: STATUSES[holding.status],
    title_status_code: holding.status,
    title_number: titleNumber,
    ...(holding.status !== 'VALID' &&
      holding.continuedUnder && { continued_under_title_number: holding.continuedUnder }),
    proprietors: proprietors.map((one, index) =>
      one.type === 'INDIVIDUAL'
        ? {
            sequence: index + 1,
            proprietor_name: `${one.forenames} ${one.surname}`.trim(),
            forenames: one.forenames,
            surname: one.surname,
            proprietor_type: 'PRIVATE_INDIVIDUAL',
          }
        : {
            sequence: index + 1,
            proprietor_name: one.organisationName,
            organisation_type: 'LIMITED_COMPANY_OR_PUBLIC_LIMITED_COMPANY',
            company_location: 'ENGLAND_OR_WALES',
            proprietor_type: 'ORGANISATION',
          },
    ),
  }
  return { status: 200, body: { data } }
}

function failure({ control }: Context, status: number, code: string, message: string): Answer {
  const error = {
    timestamp: control.now().toISOString(),
    http_status: String(status),
    error_code: code,
    error_message: message,
  }
  return { status, body: { errors: [error] } }
}
