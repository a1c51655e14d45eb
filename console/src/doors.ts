import type { Readable } from 'node:stream'

// What the server gives to the console. The console has no other way to it.

export const ROLES = ['viewer', 'preparer', 'approver', 'developer', 'operator'] as const

export type Role = (typeof ROLES)[number]

export type Person = {
  id: string
  name: string
  email: string
  roles: readonly Role[]
  /** An operator belongs to none. */
  subscriber?: { id: string; name: string; kind: 'LENDER' | 'LAW_FIRM' }
}

export type Session = {
  id: string
  person: Person
  /** Whether this person may approve, authorise and confirm: now, after signing in again, or not with this session. */
  decides: 'now' | 'again' | 'never'
}

export type Doors = {
  /**
   * The session that the cookie of a request names, if it is still valid. Requests that no person made, for `/console/live`
   * or with the header `x-refresh`, must not prolong it.
   */
  signedIn(request: Request): Promise<Session | undefined>
  /** Whether an unsafe request came from a page of ours: by `Sec-Fetch-Site`, else by `Origin`. */
  isFromOurPages(request: Request): boolean
  /** Calls the partner interface in this process, in the name of the person; for an operator `/operator/v1` alone. */
  fetchAs(session: Session): typeof fetch
  /** What such an answer is made from, if it is large: piped to a reader it costs little memory, and read it a lot. */
  sourceOf?: (response: Response) => Readable | undefined
  /**
   * The same as a client of the person's subscriber, to send a call again. Undefined outside the sandbox. What was not sent by
   * a client is sent in the name of the person.
   */
  fetchAsClient?: (session: Session, clientId: string) => typeof fetch
  /** The address of the service, without a slash at its end. */
  publicUrl: string
  /** Undefined outside the sandbox. */
  sandboxClock?: () => Promise<Date>
  /** What only the sandbox has, besides its interface. Undefined outside it. */
  sandbox?: {
    specimens: Specimens
    /** Calls back after each step of a scenario that runs, until the returned function is called. */
    watchRuns(onChange: (runId: string) => void): () => void
  }
  /** Then everything can be read, and nothing changed. */
  isUnderMaintenance(): boolean
  /** Calls back after each change that this subscriber may see, until the returned function is called. */
  watch(subscriberId: string, onChange: (change: Change) => void): () => void
  /** The same after requests of this subscriber were logged. */
  watchRequests(subscriberId: string, onChange: () => void): () => void
  /** Logs an error that nobody expected. */
  report(error: unknown): void
  signIn: SignIn
  sessions: {
    list(session: Session): Promise<readonly ListedSession[]>
    /** Ends one of this person's sessions, and returns the cookie that a browser then gets. */
    end(visitor: Visitor, session: Session, sessionId: string): Promise<string>
  }
}

/** The numbers that decide what the registry and the bank of the sandbox do. */
export type Specimens = {
  titles: readonly { titleNumber: string; proprietors: readonly string[]; address: string; happens: string }[]
  accounts: readonly { accountNumber: string; happens: string }[]
}

export type ListedSession = {
  id: string
  way: 'PROVIDER' | 'LINK' | 'SANDBOX'
  browser: string
  createdAt: Date
  lastSeenAt: Date
}

export type Change = { workspaceId?: string | undefined }

/** A request of a browser, and the id under which it is logged and audited. */
export type Visitor = { request: Request; correlationId: string }

/** Where the browser goes next, with which cookies; or why nothing came of it. */
export type Outcome = { location: string; cookies: readonly string[] } | { refused: string }

/** What the pages for signing in need. */
export type SignIn = {
  /** Who can be picked in the sandbox. Undefined outside it. */
  people?: () => Promise<readonly Person[]>
  pick(visitor: Visitor, personId: string, returnTo: string): Promise<Outcome>
  /** Undefined if there is no identity provider. */
  provider?: { name: string; signOutAddress(): Promise<string | undefined> }
  /** To the provider; with a session, so that the same person signs in again. */
  begin(visitor: Visitor, returnTo: string, session?: Session): Promise<Outcome>
  finish(visitor: Visitor): Promise<Outcome>
  /** Whom a link is for, while it works. */
  link(token: string): Promise<{ person: Person } | undefined>
  useLink(visitor: Visitor, token: string): Promise<Outcome>
}
