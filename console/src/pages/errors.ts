import { isApiError } from '../../../client/src/index.ts'
import type { Role } from '../doors.ts'
import { goTo, type OpenVisit, type View } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { ROLE_WORDS } from '../words.ts'

// What is shown instead of a page.

const REFRESH_SECONDS = 10

const message = (
  status: number,
  title: string,
  text: Markup,
  headers: Readonly<Record<string, string>> = {},
): View => ({
  status,
  title,
  headers,
  main: html`<h1>${title}</h1>${text}`,
})

/** The same bytes for a matter of somebody else and for one that does not exist. */
export const notFound = (): View =>
  message(
    404,
    'There is nothing here',
    html`<p>The address is wrong, or it belongs to something that you may not see.</p>
      <p><a href="/console/matters">Search the matters</a></p>`,
  )

/** `whose` narrows it to one side: "of the law firm". */
export const forbidden = (role: Role | 'signed in', whose?: string): View =>
  message(
    403,
    'You cannot do this',
    html`<p>It is for ${role === 'signed in' ? 'people who are signed in' : ROLE_WORDS[role].who}${whose && ` ${whose}`}. Ask a colleague who has this
      role, or the operator of the service to give it to you.</p><p><a href="/console/me">See your roles</a></p>`,
  )

/** For pages of the other side of a matter. */
export const wrongSide = (why: string): View =>
  message(403, 'You cannot do this', html`<p>${why}</p><p><a href="/console/">Go to the worklist</a></p>`)

/** Somebody who prints links could be two people. */
export const undecided = (): View =>
  message(
    403,
    'You cannot decide now',
    html`<p>You came in by a link. To approve, authorise or confirm, sign in at the identity provider of your organisation.</p>
      <p><a href="/console/">Go to the worklist</a></p>`,
  )

export const forged = (): View =>
  message(
    403,
    'Nothing was done',
    html`<p>The form was not sent from a page of this service. If you sent it yourself, open the page again and send it from there.</p>
      <p><a href="/console/">Go to the worklist</a></p>`,
  )

/** An error that no page expected. */
export function errorView(error: unknown, { request, correlationId, doors }: OpenVisit): View | Response {
  if (isApiError(error, 401)) return goTo('/console/sign-in')
  // What a page was asked for cannot exist.
  if (isApiError(error, 404) || (isApiError(error, 400) && request.method === 'GET')) return notFound()
  if (isApiError(error, 403)) return message(403, 'You cannot do this', html`<p>${error.errors[0]?.message}</p>`)
  if (isApiError(error, 429, 503)) {
    const seconds = Math.max(error.retryAfterSeconds ?? REFRESH_SECONDS, 1)
    const isRead = request.method !== 'POST'
    return message(
      503,
      'The service cannot answer at the moment',
      html`<p>${error.errors[0]?.message}</p><p>${
        isRead
          ? html`This page tries again in ${seconds} seconds.`
          : html`Nothing was done. Please try again in ${seconds} seconds.`
      }</p>`,
      { 'retry-after': String(seconds), ...(isRead && { refresh: String(seconds) }) },
    )
  }
  doors.report(error)
  return message(
    500,
    'Something went wrong on our side',
    html`<p>Please try again. If it happens again, quote this number when you ask for help:
      <code>${correlationId}</code></p><p><a href="">Try again</a></p>`,
  )
}
