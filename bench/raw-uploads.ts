import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { serveParent } from './helper.ts'

// The limit of uploads and downloads: plain `node:http` that hashes the upload and pipes it to a file, synced before the
// response; and that pipes a file to the caller.

let folder = ''
let served = { path: '', size: 0 }

const server = createServer((request, response) => {
  const work = request.method === 'GET' ? download(response) : upload(request, response)
  work.catch((error: Error) => response.destroy(error))
})

async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hash = createHash('sha256')
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(request, hashed, createWriteStream(join(folder, randomUUID()), { flush: true }))
  const body = JSON.stringify({ sha256: hash.digest('hex') })
  response.writeHead(202, { 'content-length': String(body.length) })
  response.end(body)
}

async function download(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-length': String(served.size) })
  await pipeline(createReadStream(served.path), response)
}

serveParent(
  {
    start: async () => {
      folder = await mkdtemp(join(tmpdir(), 'lodgeway-raw-'))
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    serve: async (file: typeof served) => {
      served = file
    },
    sweep: async () => {
      for (const name of await readdir(folder)) await rm(join(folder, name))
    },
  },
  () => rm(folder, { recursive: true, force: true }),
)
