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

type Status = Schemas['Workspace']['status']

/** Who may change the part, and in which statuses of the matter. As a rule the law firm, while it is being prepared. */
type Open = { openIn?: readonly Status[]; by?: readonly Kind[] }
type Kind = NonNullable<Visit['session']['person']['subscriber']>['kind']

export function partOf({ session }: Visit, workspace: Schemas['Workspace'], open: Open = {}): Part {
  const { openIn = ['CREATED'], by = ['LAW_FIRM'] } = open
  const address = `/console/matters/${workspace.workspaceId}`
  const { status } = workspace
  return {
    workspace,
    address,
    crumbs: [[address, workspace.reference]],
    closed: openIn.includes(status) ? closedFor(session, workspace, by) : lockedAs(status, address),
  }
}

function lockedAs(status: Status, address: string): Markup | undefined {
  if (status === 'CREATED') return undefined
  if (status === 'PREPARED') {
    return html`<p class="notice"><strong>Approved.</strong> To change this, <a href="${address}">take back an approval</a> first.</p>`
  }
  return html`<p class="notice"><strong>Locked.</strong> ${LOCKED[status]}</p>`
}

function closedFor({ person, ...session }: Visit['session'], { participants }: Part['workspace'], by: readonly Kind[]) {
  const firm = participants.find(({ role }) => role === 'CONVEYANCER')?.name ?? 'the law firm'
  if (!person.subscriber || !by.includes(person.subscriber.kind)) {
    return html`<p class="notice">Only ${firm} can change this.</p>`
  }
  if (!hasRole({ person, ...session }, 'preparer')) {
    return html`<p class="notice">You can read this. A person of ${person.subscriber.name} with the role <em>preparer</em> can change it.</p>`
  }
  return undefined
}

const LOCKED: Record<Exclude<Status, 'CREATED' | 'PREPARED'>, string> = {
  FUNDS_AUTHORISED: 'Funds are authorised, so nothing here can change.',
  FUNDS_EXCHANGED: 'The money has moved, so nothing here can change.',
  LODGED: 'The case is at the registry, so nothing here can change.',
  REQUISITIONED: 'The case is at the registry, so nothing here can change.',
  CLOSED: 'The matter is closed.',
  CANCELLED: 'The matter was cancelled.',
}
