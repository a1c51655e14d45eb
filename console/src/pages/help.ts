import type { Page } from '../page.ts'
import { html } from '../ui/html.ts'
import { ROLE_WORDS, STATUS_WORDS } from '../words.ts'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['?', 'This help'],
  ['/', 'Search the matters'],
  ['g w', 'Go to the worklist'],
  ['g c', 'Go to the completions'],
  ['g m', 'Go to the matters'],
  ['g r', 'Go to the requests, for developers'],
  ['g d', 'Go to the deliveries, for developers'],
  ['Ctrl K', 'Find a matter, a page, or what can be done here'],
  ['[, ]', 'Previous and next matter of the list that you came from'],
  ['j, k', 'Next and previous row of a list'],
  ['Enter', 'Open the row'],
]

const STATUS_MEANINGS: Record<keyof typeof STATUS_WORDS, string> = {
  CREATED: 'The law firm finds the title, compares the names and prepares the case and the money.',
  PREPARED: 'Case and money are approved. The lender authorises the funds.',
  FUNDS_AUTHORISED: 'The money moves on completion day at 9:00.',
  FUNDS_EXCHANGED: 'The money has moved. The case goes to the registry.',
  LODGED: 'The registry has accepted the case, and examines it.',
  REQUISITIONED: 'The registry has a question. The law firm answers it before its date.',
  CLOSED: 'The registry has completed the case.',
  CANCELLED: 'The matter has ended without registration.',
}

export const help: Page = {
  show: async ({ session }) => ({
    title: 'Help',
    main: html`<h1>Help</h1>
<section><h2>Keys</h2>
<p>They work while no field has the focus. <label class="inline"><input type="checkbox" id="keys-on" checked disabled> Use keys on this computer</label></p>
<dl class="summary">${KEYS.map(
      ([keys, does]) =>
        html`<div><dt>${keys.split(/,? /).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${does}</dd></div>`,
    )}</dl></section>
<section><h2>What the states mean</h2>
<dl class="summary">${Object.entries(STATUS_WORDS).map(
      ([status, words]) =>
        html`<div><dt>${words} <code>${status}</code></dt><dd>${STATUS_MEANINGS[status as keyof typeof STATUS_WORDS]}</dd></div>`,
    )}</dl></section>
<section><h2>Who may do what</h2>
<p>You have ${session.person.roles.length === 1 ? 'this role' : 'these roles'}: ${session.person.roles.map((role) => ROLE_WORDS[role].name).join(', ')}. Nobody can approve what they changed last.</p>
<dl class="summary">${Object.values(ROLE_WORDS).map(({ name, may }) => html`<div><dt>${name}</dt><dd>${may}</dd></div>`)}</dl></section>
<section><h2>For developers</h2>
<p>Each page shows at its end the calls to the interface that it is made of. Copy one as <code>curl</code> or TypeScript and
use it in your own software. <a href="/docs">The reference</a> describes all of them.</p></section>`,
  }),
}
