import { createReadStream, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from './helper.ts'
import type { HttpResponse } from './load.ts'

// The limit of anything over HTTP here: plain `node:http`, which reads the request and sends fixed bytes, or a file.

let fixed: { status: number; headers: string[]; body: Buffer }
let file: string | undefined

const server = createServer((request, response) => {
  if (request.method === 'GET') return send(response)
  request.resume()
  request.once('end', () => send(response))
})

function send(response: ServerResponse): void {
  if (file !== undefined) {
    response.writeHead(200, { 'content-length': statSync(file).size })
    return void createReadStream(file).pipe(response)
  }
  response.writeHead(fixed.status, fixed.headers)
  response.end(fixed.body)
}

serveParent({
  start: async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
  respondWith: async ({ status, headers, body }: HttpResponse) => {
    const sent = headers.filter(([name]) => !ADDED_BY_NODE.has(name.toLowerCase()))
    file = undefined
    fixed = { status, headers: sent.flat(), body: Buffer.from(body) }
  },
  stream: async (path: string) => {
    file = path
  },
})

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive'])
