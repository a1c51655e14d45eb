import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { html, type Markup } from './html.ts'

// Who may decide, said before the button.

type Approver = Schemas['Approver']

/** A person's name where it is known, else what the record has. */
export const namesIn =
  (people: readonly Approver[]) =>
  (by: string): string =>
    people.find(({ email }) => email === by.toLowerCase())?.name ?? by

/** Why this person cannot decide now, and who can; undefined for one who can. */
export function undecidedBy(
  { session, url }: Visit,
  people: readonly Approver[],
  decision: Approver['mayDecide'][number],
): Markup | undefined {
  const { name, email } = session.person
  const me = people.find((one) => one.email === email.toLowerCase())
  const others = people
    .filter((one) => one !== me && one.mayDecide.includes(decision))
    .map((one) => one.name ?? one.email)
  const ask = others.length
    ? `Ask ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(others)}.`
    : 'Nobody else of your organisation may: ask the operator of the service to give somebody the role of approver.'
  if (!hasRole(session, 'approver')) return html`<p class="notice">You are ${name}, and not an approver. ${ask}</p>`
  if (me?.changed.some((one) => one === decision) && !me.mayDecide.includes(decision))
    return html`<p class="notice"><strong>You changed this yourself</strong>, so somebody else must approve it. ${ask}</p>`
  if (session.decides === 'never')
    return html`<p class="notice">You came in by a link. To decide, sign in at the identity provider of your organisation.</p>`
  if (session.decides === 'again') {
    const address = `/console/step-up?returnTo=${encodeURIComponent(url.pathname)}`
    return html`<p>You are ${name}. To decide, <a class="button" href="${address}">sign in again</a></p>`
  }
  return undefined
}
