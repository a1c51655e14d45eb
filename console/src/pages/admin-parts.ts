import type { View, Visit } from '../page.ts'
import { hidden } from '../ui/fields.ts'
import { errorSummary, onceKey, type Refused, signInAgain } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'

// What the pages of operators share.

/** The title of a page, what is wrong with the form that was sent, and whether changes are possible. */
export const adminView = (
  visit: Visit,
  title: string,
  main: Markup,
  more: { refused?: Refused | undefined; fields?: readonly string[] } & Pick<View, 'crumbs' | 'live'> = {},
): View => {
  const { refused, fields, crumbs, live } = more
  return {
    title,
    ...(crumbs && { crumbs }),
    live,
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, fields)}${signInAgain(visit, refused)}${main}`,
  }
}

export const mayChange = ({ session }: Visit): boolean => session.decides === 'now'

/** Said before something is filled in, so that nothing is lost. */
export function changesNeed({ session, url }: Visit): Markup | undefined {
  if (session.decides === 'now') return undefined
  if (session.decides === 'never')
    return html`<p class="notice">You came in by a link: you can look, and change nothing. To make changes, sign in at the identity provider.</p>`
  const address = `/console/step-up?returnTo=${encodeURIComponent(url.pathname + url.search)}`
  return html`<p class="notice">Your sign-in is too old for changes. <a href="${address}">Sign in again</a></p>`
}

type Act = {
  /** The name of what is done, for the page. */
  act: string
  /** On the button: what it does, and to what. */
  button: string
  values?: Readonly<Record<string, string>>
  fields?: Markup | readonly Markup[]
}

/** A form of one act. The page does what `act` names. */
export const actForm = ({ act, button, values = {}, fields }: Act, kind = ''): Markup =>
  html`<form method="post">${onceKey()}${hidden({ act, ...values })}${fields}
<p class="actions"><button${kind && html` class="${kind}"`}>${button}</button></p></form>`

/** One that hurts: folded, with its consequence in front of the button and on it. */
export const destructive = (summary: string, consequence: string, act: Act): Markup =>
  html`<details id="${act.act}"><summary>${summary}</summary><p>${consequence}</p>${actForm(act, 'danger')}</details>`

/** Something that nobody can read again. It is in no address, and no cache keeps the page. */
export const shownOnce = (
  title: string,
  rows: readonly (readonly [label: string, value: string])[],
  next: Markup,
): Markup =>
  html`<h1>${title}</h1><p class="notice"><strong>Shown only once.</strong> Copy it now to where it is kept: nobody can read it again.</p>
<dl class="summary">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd><code class="secret">${value}</code></dd></div>`)}</dl>
<p class="actions">${next}</p>`

export const keyOf = ({ form }: Visit): string => form.get('key') ?? ''

export const none = (what: string): Markup => html`<p class="notice">${what}</p>`
