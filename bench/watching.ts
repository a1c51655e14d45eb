import { once } from 'node:events'
import type { Socket } from 'node:net'
import { addLink, addPerson } from '../server/src/people/manage.ts'
import { type Measurement, runHttp } from './harness.ts'
import { exchange, open, requestBytes } from './load.ts'
import { rowRequests } from './read.ts'
import type { Testbed } from './testbed.ts'

const CONNECTIONS = 32
const TABS = 50

/** Partners' reads while people have pages of the console open, each of which watches for changes. */
export async function watchedReads(testbed: Testbed): Promise<Measurement> {
  const { service } = testbed
  const httpLoad = { requests: await rowRequests(testbed), connections: CONNECTIONS }
  const cookie = await signIn(testbed)
  return {
    name: 'watching',
    title: `read one row while ${TABS} pages watch`,
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

async function signIn({ owner, callers, service }: Testbed): Promise<string> {
  const actor = { actingUser: 'bench', correlationId: 'bench', at: new Date() }
  const email = 'handler@bench.example'
  const path = await owner.transaction(async (tx) => {
    await addPerson(tx, { name: 'A handler', email, roles: ['viewer'], subscriberId: callers[0]?.subscriberId }, actor)
    return addLink(tx, email, 'LINK', actor)
  })
  const { status, headers } = await exchange(
    service.url,
    requestBytes('POST', path, { 'Sec-Fetch-Site': 'same-origin', 'Content-Length': '0' }),
  )
  const [, cookie = ''] = headers.find(([name]) => name === 'set-cookie') ?? []
  if (status !== 303) throw new Error(`Nobody could sign in to the console: ${status}`)
  return cookie.split(';')[0] ?? ''
}

async function watch(url: string, cookie: string): Promise<Socket> {
  const tab = await open(url)
  tab.write(requestBytes('GET', '/console/live?topic=matters', { Cookie: cookie, Accept: 'text/event-stream' }))
  const [head] = await once(tab, 'data')
  if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`A page cannot watch: ${head}`)
  tab.resume()
  return tab
}
