import type { Outcome, Person } from '../doors.ts'
import { goTo, type OpenVisit, type Page, type View } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { ROLE_WORDS } from '../words.ts'

// How people come in and go out. The server decides; these pages ask and show the outcome.

export const signIn: Page<OpenVisit> = {
  async show({ url, doors: { signIn: ways } }) {
    const returnTo = url.searchParams.get('returnTo') ?? ''
    const people = (await ways.people?.()) ?? []
    return {
      title: 'Sign in',
      main: html`<h1>Sign in</h1>
${url.searchParams.has('invited') && html`<p class="good">Your invitation is accepted. Sign in once more, and this account is yours.</p>`}
${
  ways.provider &&
  html`<p class="actions"><a class="button" href="/console/sign-in/provider?returnTo=${encodeURIComponent(returnTo)}">Continue with ${ways.provider.name}</a></p>`
}
${people.length > 0 && pick(people, returnTo)}
${!ways.provider && people.length === 0 && html`<p>You sign in with a link that works once. Ask the operator of the service for one.</p>`}`,
    }
  },
  change: async ({ request, correlationId, form, doors }) =>
    afterwards(
      await doors.signIn.pick({ request, correlationId }, form.get('person') ?? '', form.get('returnTo') ?? ''),
    ),
}

const pick = (people: readonly Person[], returnTo: string): Markup =>
  html`<h2>People of the sandbox</h2>
<form method="post" action="/console/sign-in"><input type="hidden" name="returnTo" value="${returnTo}">
<ul class="people">${people.map(
    ({ id, name, roles, subscriber }) =>
      html`<li><button class="secondary" name="person" value="${id}">${name}</button>
<span>${subscriber && html`<b>${subscriber.name}</b> · `}${roles.map((role) => ROLE_WORDS[role].may).join(' ')}</span></li>`,
  )}</ul></form>`

/** To the provider. A link leads here, because a form may send nobody to another site. */
export const toProvider: Page<OpenVisit> = {
  show: async ({ request, correlationId, url, doors }) =>
    afterwards(await doors.signIn.begin({ request, correlationId }, url.searchParams.get('returnTo') ?? '')),
}

/** The same for a person who is signed in and is about to decide. */
export const stepUp: Page = {
  show: async ({ request, correlationId, url, doors, session }) =>
    afterwards(await doors.signIn.begin({ request, correlationId }, url.searchParams.get('returnTo') ?? '', session)),
}

/** Back from the provider. */
export const signedIn: Page<OpenVisit> = {
  show: async ({ request, correlationId, doors }) => afterwards(await doors.signIn.finish({ request, correlationId })),
}

/** A link that works once. Only its form uses it, so that no program that looks at links uses it up. */
export const link: Page<OpenVisit> = {
  async show({ params, doors }) {
    const found = await doors.signIn.link(params['token'] ?? '')
    if (!found)
      return refused('This link was used already, or is too old. Ask the operator of the service for another.')
    const { name, subscriber } = found.person
    return {
      title: 'Come in',
      main: html`<h1>Welcome, ${name}</h1>
<p>This link is for ${name}${subscriber && html` of ${subscriber.name}`}. It works once.</p>
<form method="post" class="actions"><button>Continue as ${name}</button></form>`,
    }
  },
  change: async ({ request, correlationId, params, doors }) =>
    afterwards(await doors.signIn.useLink({ request, correlationId }, params['token'] ?? '')),
}

export const signedOut: Page<OpenVisit> = {
  async show({ doors: { signIn: ways } }) {
    const address = await ways.provider?.signOutAddress().catch(() => undefined)
    return {
      title: 'Signed out',
      main: html`<h1>You are signed out</h1>
<p class="actions"><a class="button" href="/console/sign-in">Sign in again</a>
${address && html`<a href="${address}">Sign out of ${ways.provider?.name}, too</a>`}</p>`,
    }
  },
  async change({ request, correlationId, session, doors }) {
    if (!session) return goTo('/console/out')
    const cookie = await doors.sessions.end({ request, correlationId }, session, session.id)
    return goTo('/console/out', { 'set-cookie': cookie, 'clear-site-data': '"cache"' })
  },
}

function afterwards(outcome: Outcome): View | Response {
  if ('refused' in outcome) return refused(outcome.refused)
  const response = goTo(outcome.location)
  for (const cookie of outcome.cookies) response.headers.append('set-cookie', cookie)
  return response
}

const refused = (why: string): View => ({
  status: 403,
  title: 'Not signed in',
  main: html`<h1>You are not signed in</h1><p>${why}</p><p><a href="/console/sign-in">Sign in</a></p>`,
})
