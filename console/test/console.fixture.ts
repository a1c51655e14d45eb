import assert from 'node:assert/strict'
import { createRequestWatch } from '../../server/src/requests/watch.ts'
import { specimens } from '../../server/src/scenarios/specimens.ts'
import { passesOf, sessionOf } from '../../server/test/fixtures/people.ts'
import { type TestService, testService } from '../../server/test/fixtures/service.ts'
import { FIRM_ID, LENDER_ID, OTHER_FIRM_ID } from '../../server/test/fixtures/workspaces.ts'
import { createConsole } from '../src/console.ts'
import type { Change, Doors, Person, Role, Session } from '../src/doors.ts'

// The console over the real service. Who is signed in is what a test says, by a cookie with the name of the person.

const person = (name: string, subscriber: Person['subscriber'], ...roles: Role[]): Person => ({
  id: `person-${name}`,
  name,
  email: `${name.toLowerCase()}@harbour.example`,
  roles,
  ...(subscriber && { subscriber }),
})

const HARBOUR = { id: FIRM_ID, name: 'Harbour Conveyancing LLP', kind: 'LAW_FIRM' } as const
const NORTHGATE = { id: LENDER_ID, name: 'Northgate Building Society', kind: 'LENDER' } as const
const QUAYSIDE = { id: OTHER_FIRM_ID, name: 'Quayside Law Ltd', kind: 'LAW_FIRM' } as const

const PEOPLE = {
  Sam: person('Sam', HARBOUR, 'preparer'),
  Jo: person('Jo', HARBOUR, 'approver'),
  Alex: person('Alex', HARBOUR, 'preparer', 'approver'),
  Vic: person('Vic', HARBOUR, 'viewer'),
  Pat: person('Pat', NORTHGATE, 'preparer'),
  Kim: person('Kim', NORTHGATE, 'approver'),
  Kit: person('Kit', QUAYSIDE, 'preparer', 'approver'),
  Dev: person('Dev', HARBOUR, 'developer'),
  // What operators do is recorded in a chain of theirs, so this one is somebody whom the sandbox knows.
  Ola: sessionOf('Toni Grant').person,
}

export type Name = keyof typeof PEOPLE

const CLIENTS: Record<string, string> = {
  [FIRM_ID]: 'sandbox-law-firm',
  [LENDER_ID]: 'sandbox-lender',
  [OTHER_FIRM_ID]: 'sandbox-other-firm',
}

export type Shown = {
  status: number
  headers: Headers
  text: string /** Without markup, each run of spaces as one. */
  words: string
}

/** With a file it is a `FormData`. */
type Form = Record<string, string> | [string, string][] | FormData

export type TestConsole = {
  service: TestService
  get(path: string, as?: Name, headers?: Record<string, string>): Promise<Shown>
  post(path: string, form: Form, as?: Name, headers?: Record<string, string>): Promise<Shown>
  /** As the feed of events would, if the subscriber is watched. */
  announce(subscriberId: string, change: Change): void
  /** As a scenario would after each step. */
  announceRun(runId: string): void
  /** Answers the next calls to paths that match, instead of the service. */
  failing(pattern: RegExp, status: number, message?: string): void
  /** Resolves when the interface is called at a path that matches. */
  nextCall(pattern: RegExp): Promise<void>
  reported: unknown[]
  /** A call of an operator, without a page. */
  asOperator: typeof fetch
  answer(request: Request): Promise<Response>
  stop(): void
}

export async function testConsole(): Promise<TestConsole> {
  const passes = passesOf()
  const service = await testService({ extra: passes.extra })
  const requestWatch = createRequestWatch(service.deps)
  const watchers = new Set<{ subscriberId: string; onChange: (change: Change) => void }>()
  const runWatchers = new Set<(runId: string) => void>()
  const refuse = async () => ({ refused: 'Nobody signs in here.' })
  const reported: unknown[] = []
  const awaited: { pattern: RegExp; resolve: () => void }[] = []
  let broken: { pattern: RegExp; status: number; message: string } | undefined
  const doors: Doors = {
    publicUrl: service.url,
    async signedIn(request) {
      const [, name = ''] = /person=(\w+)/.exec(request.headers.get('cookie') ?? '') ?? []
      const found = Object.entries(PEOPLE).find(([one]) => one === name)?.[1]
      const decides = /decides=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? 'now'
      return found && { id: `session-${name}`, person: found, decides: decides as Session['decides'] }
    },
    isFromOurPages: (request) => request.headers.get('sec-fetch-site') === 'same-origin',
    fetchAs: (session) => async (input, init) => {
      for (const { pattern, resolve } of awaited) if (pattern.test(String(input))) resolve()
      if (broken?.pattern.test(String(input))) return failure(broken)
      const headers = new Headers(init?.headers)
      const { subscriber } = session.person
      if (!subscriber) return passes.fetchAs(session)(input, init)
      headers.set('authorization', `Bearer ${await service.tokenOf(CLIENTS[subscriber.id] ?? '')}`)
      return fetch(input, { ...init, headers })
    },
    fetchAsClient: (_, clientId) => async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${await service.tokenOf(clientId)}`)
      return fetch(input, { ...init, headers })
    },
    sandboxClock: async () => {
      const { body } = await service.call<{ now: string }>('GET', '/sandbox/v1/clock')
      return new Date(body.now)
    },
    sandbox: {
      specimens: specimens(),
      watchRuns(onChange) {
        runWatchers.add(onChange)
        return () => runWatchers.delete(onChange)
      },
    },
    isUnderMaintenance: () => false,
    watch(subscriberId, onChange) {
      const watcher = { subscriberId, onChange }
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    watchRequests: requestWatch.watch,
    report: (error) => void reported.push(error),
    signIn: { pick: refuse, begin: refuse, finish: refuse, useLink: refuse, link: async () => undefined },
    sessions: { list: async () => [], end: async () => '' },
  }
  const { answer, stop } = await createConsole(doors)
  const ask = async (path: string, as: Name | undefined, init: RequestInit & { headers: Record<string, string> }) => {
    const headers = { ...(as && { cookie: `person=${as}` }), ...init.headers }
    const response = await answer(new Request(service.url + path, { ...init, headers }), 'test-correlation-id')
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, words: wordsOf(text) }
  }
  return {
    service,
    get: (path, as = 'Sam', headers = {}) => ask(path, as, { headers }),
    post: (path, form, as = 'Sam', headers = { 'sec-fetch-site': 'same-origin' }) =>
      ask(path, as, { method: 'POST', body: form instanceof FormData ? form : new URLSearchParams(form), headers }),
    announce(subscriberId, change) {
      for (const one of watchers) if (one.subscriberId === subscriberId) one.onChange(change)
    },
    announceRun(runId) {
      for (const onChange of runWatchers) onChange(runId)
    },
    failing(pattern, status, message = `Answered ${status} on purpose.`) {
      broken = status === 0 ? undefined : { pattern, status, message }
    },
    nextCall: (pattern) => new Promise((resolve) => void awaited.push({ pattern, resolve })),
    reported,
    asOperator: passes.fetchAs({ id: 'session-Ola', person: PEOPLE.Ola, decides: 'now' }),
    answer: (request) => answer(request, 'test-correlation-id'),
    stop,
  }
}

const failure = ({ status, message }: { status: number; message: string }) =>
  Response.json({ errors: [{ message }] }, { status, headers: { 'retry-after': '7' } })

const wordsOf = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The value of a hidden field. */
export function fieldOf({ text }: Shown, name: string): string {
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(text) ?? []
  assert.ok(value !== undefined, `There is no field ${name}.`)
  return value
}
