import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'

/** What the pages about one thing of a matter have in common. */
export type Part = {
  workspace: Schemas['Workspace']
  /** Of the matter's own page. */
  address: string
  crumbs: readonly (readonly [string, string])[]
  /** Why this person cannot change it here and now; undefined for one who can. */
  closed: Markup | undefined
}

/** `who` is the one law firm that may change the part; the lender reads it. */
export function partOf({ session }: Visit, workspace: Schemas['Workspace']): Part {
  const address = `/console/matters/${workspace.workspaceId}`
  return {
    workspace,
    address,
    crumbs: [[address, workspace.reference]],
    closed: closedFor(session, workspace, address),
  }
}

function closedFor(session: Visit['session'], { status, participants }: Part['workspace'], address: string) {
  const firm = participants.find(({ role }) => role === 'CONVEYANCER')?.name ?? 'the law firm'
  if (status === 'PREPARED') {
    return html`<p class="notice"><strong>Approved.</strong> To change this, <a href="${address}">take back an approval</a> first.</p>`
  }
  if (status !== 'CREATED') return html`<p class="notice"><strong>Locked.</strong> ${LOCKED[status]}</p>`
  if (session.person.subscriber?.kind !== 'LAW_FIRM') {
    return html`<p class="notice">Only ${firm} can change this.</p>`
  }
  if (!hasRole(session, 'preparer')) {
    return html`<p class="notice">You can read this. A person of ${firm} with the role <em>preparer</em> can change it.</p>`
  }
  return undefined
}

const LOCKED: Record<Exclude<Schemas['Workspace']['status'], 'CREATED' | 'PREPARED'>, string> = {
  FUNDS_AUTHORISED: 'Funds are authorised, so nothing here can change.',
  FUNDS_EXCHANGED: 'The money has moved, so nothing here can change.',
  LODGED: 'The case is at the registry, so nothing here can change.',
  REQUISITIONED: 'The case is at the registry, so nothing here can change.',
  CLOSED: 'The matter is closed.',
  CANCELLED: 'The matter was cancelled.',
}
