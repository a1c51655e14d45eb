import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeIdleClients } from '../http/connections.ts'
import type { Readiness } from './health.ts'
import type { Metrics } from './metrics.ts'

export type AdminOptions = {
  host: string
  port: number
  metrics: Pick<Metrics, 'registry'>
  readiness: Readiness
  nodeId: string
  /** The adapter behind each external port, as the settings name it. */
  adapters?: Readonly<Record<string, string | undefined>>
}

export type Admin = { address: AddressInfo; stop(): Promise<void> }

/** The operator's port, which no partner can reach: metrics and health. It answers as long as the process runs. */
export async function startAdmin({ host, port, metrics, readiness, nodeId, adapters }: AdminOptions): Promise<Admin> {
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/livez': async (response) => answerJson(response, 200, { status: 'live', nodeId }),
    '/readyz': async (response) => {
      const { ready, checks } = await readiness()
      answerJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks, adapters })
    },
    '/metrics': async (response) => {
      const text = await metrics.registry.metrics()
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text)
    },
  }
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const answer = request.method === 'GET' || request.method === 'HEAD' ? answers[path] : undefined
    if (!answer) return answerJson(response, 404, { status: 'There is nothing at this path.' })
    answer(response).catch(() => answerJson(response, 500, { status: 'Something went wrong on our side.' }))
  })
  closeIdleClients(server)
  server.listen(port, host)
  await once(server, 'listening')

  return {
    address: server.address() as AddressInfo,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
