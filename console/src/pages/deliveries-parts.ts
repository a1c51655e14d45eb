import type { Schemas } from '../../../client/src/index.ts'
import type { Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { DELIVERY_WORDS } from '../words.ts'

// What the pages about webhooks have in common.

export const DELIVERIES = '/console/deliveries'
export const REGISTRATIONS = `${DELIVERIES}/registrations`
export const SIGNATURE = `${DELIVERIES}/signature`
export const LISTENERS = `${DELIVERIES}/listeners`

type Delivery = Schemas['Notification']
type Attempt = Schemas['NotificationAttempt']

const PAGES = [
  [DELIVERIES, 'Deliveries'],
  [REGISTRATIONS, 'Registrations'],
  [LISTENERS, 'Listeners'],
  [SIGNATURE, 'Check a signature'],
] as const

export const tabs = ({ url }: Pick<Visit, 'url'>): Markup =>
  html`<nav aria-label="Webhooks"><ul class="tabs">${PAGES.map(
    ([address, label]) =>
      html`<li><a href="${address}"${url.pathname === address && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`

const TONES: Record<Delivery['status'], string> = { PENDING: 'is-warn', DELIVERED: 'is-good', DEAD: 'is-bad' }

/** One that has not failed yet is only on its way. */
export const statusTag = ({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Markup =>
  status === 'PENDING' && attempts.length === 0
    ? html`<span class="tag">On its way</span>`
    : html`<span class="tag ${TONES[status]}">${status === 'PENDING' ? 'Failed' : DELIVERY_WORDS[status]}</span>`

/** "503 in 87 ms", "no response: The connection was refused." */
export const answerOf = ({ status, durationMs, error }: Attempt): string => {
  const took = `${durationMs} ms`
  if (status === undefined) return `no response in ${took}: ${error ?? ''}`
  return `${status} in ${took}${error ? `: ${error}` : ''}`
}
