import type { Lodgeway } from '../../client/src/index.ts'
import type { Forward, Retrieve } from './api.ts'
import type { Doors, Role, Session } from './doors.ts'
import type { Operator } from './operator.ts'
import type { Markup } from './ui/html.ts'

/** A request for a page, by anybody. */
export type OpenVisit = {
  request: Request
  url: URL
  /** The named parts of the address. */
  params: Readonly<Record<string, string>>
  /** The fields of a form; empty for a GET. */
  form: URLSearchParams
  /** Business time: the sandbox's clock, or the real one. */
  now: Date
  correlationId: string
  doors: Doors
  session: Session | undefined
}

/** A request by a person who is signed in and has the role of the page. */
export type Visit = OpenVisit & {
  session: Session
  api: Lodgeway
  forward: Forward
  retrieve: Retrieve
  operator: Operator
}

/** What a page shows. The shell adds everything that all pages have. */
export type View = {
  /** For the window: "NBS-1018 names". */
  title: string
  main: Markup
  status?: number
  /** The pages above this one: address and label. */
  crumbs?: readonly (readonly [address: string, label: string])[]
  /** What the page watches: it is read again when that changes. */
  live?: Topic | undefined
  /** A script that only this page has. */
  script?: 'sums.js' | 'upload.js'
  headers?: Readonly<Record<string, string>>
  /** The time at the top, where the page has moved the clock. */
  now?: Date
}

/** One matter; all matters, requests or deliveries of the person's subscriber; the service, for operators; or a scenario that runs. */
export type Topic = `matter:${string}` | 'matters' | 'requests' | 'deliveries' | 'service' | `run:${string}`

/** A page: how it is shown, and what happens when its form is sent. One with a file goes to `upload`, unread. */
export type Page<V = Visit> = {
  show(visit: V): Promise<View | Response>
  change?(visit: V): Promise<View | Response>
  upload?(visit: V): Promise<View | Response>
}

export type Route = { path: string; nav?: string; onlySandbox?: true } & (
  | { role: 'anybody'; page: Page<OpenVisit> }
  /** `change` is the role for sending the form, if that needs more than reading. */
  | { role: Role | 'signed in'; change?: Role; page: Page }
)

/** After a change: a page is read, so that a reload does not send the form again. */
export const goTo = (address: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status: 303, headers: { ...headers, location: address } })

/** Those who prepare or approve may read, too. */
export const hasRole = ({ person: { roles } }: Session, role: Role | 'signed in'): boolean => {
  if (role === 'signed in') return true
  if (role === 'viewer') return roles.some((one) => one === 'viewer' || one === 'preparer' || one === 'approver')
  return roles.includes(role)
}
