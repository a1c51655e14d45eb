import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { sessionCookie } from '../server/src/people/cookies.ts'
import { addPerson } from '../server/src/people/manage.ts'
import { insertSession } from '../server/src/people/store-sessions.ts'
import { newToken } from '../server/src/people/tokens.ts'
import type { Transaction } from '../server/src/platform/database/db.ts'
import { readRequests } from './copies.ts'
import { type Measurement, runHttp } from './harness.ts'
import { open, requestBytes } from './load.ts'
import type { Testbed } from './testbed.ts'

const CONNECTIONS = 32
const TABS = 50

/** Partners' reads while people have pages of the console open, each of which watches for changes. */
export async function watchedReads(testbed: Testbed): Promise<Measurement> {
  const { service } = testbed
  const httpLoad = { requests: await readRequests(testbed), connections: CONNECTIONS }
  const cookie = await testbed.owner.transaction((tx) => signIn(tx, testbed.callers[0]?.subscriberId))
  return {
    name: 'watching',
    title: `read a workspace while ${TABS} pages watch`,
    service: {
      name: `${TABS} pages watch`,
      run: async (seconds) => {
        const tabs = await Promise.all(Array.from({ length: TABS }, () => watch(service.url, cookie)))
        try {
          return await runHttp(service, httpLoad, seconds)
        } finally {
          for (const tab of tabs) tab.destroy()
        }
      },
    },
    limits: [{ name: 'nobody watches', run: (seconds) => runHttp(service, httpLoad, seconds), goal: 0.95 }],
  }
}

/** Adds a person of a subscriber who is signed in, and returns the cookie. */
export async function signIn(tx: Transaction, subscriberId: string | undefined): Promise<string> {
  const actor = { actingUser: 'bench', correlationId: 'bench', at: new Date() }
  const { token, tokenHash } = newToken()
  const sessionId = randomUUID()
  const person = { name: 'A handler', email: `${sessionId}@bench.example`, roles: ['viewer'], subscriberId }
  const personId = await addPerson(tx, person, actor)
  insertSession(
    tx,
    { tokenHash, sessionId, personId, way: 'LINK', authenticatedAt: undefined, browser: '' },
    { sessionHours: 1 },
  )
  return `${sessionCookie(false).name}=${token}`
}

async function watch(url: string, cookie: string): Promise<Socket> {
  const tab = await open(url)
  tab.write(requestBytes('GET', '/console/live?topic=matters', { Cookie: cookie, Accept: 'text/event-stream' }))
  const [head] = await once(tab, 'data')
  if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`A page cannot watch: ${head}`)
  tab.resume()
  return tab
}
