import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Scans for viruses. Throws if there is no clear result, so that nothing passes unchecked. */
export type Scanner = { scan(source: Readable): Promise<ScanResult> }

/** `finding` is the scanner's own name for what it found. */
export type ScanResult = { clean: true } | { clean: false; finding: string }

const SILENCE_MS_MAX = 180_000 // by default clamd scans for two minutes at most
const LAST_WORD_MS_MAX = 1_000
const ANSWER_CHARACTERS_MAX = 4_096
const PORT_DEFAULT = 3310

/** clamd at `tcp://host:port` or `unix:/path`. Each scan has its own connection. */
export function openScanner(url: string): Scanner {
  const address = addressOf(url)
  return {
    async scan(source) {
      const socket = connect(address)
      for (const stream of [source, socket]) stream.on('error', () => {}) // reading throws it, also if it failed before
      socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy(new Error('clamd did not answer in time.')))
      try {
        await once(socket, 'connect')
        const sent = send(source, socket).then(undefined, (cause: unknown) => {
          socket.setTimeout(LAST_WORD_MS_MAX) // before it stopped listening it has said why
          return { cause }
        })
        const answer = await readAnswer(socket).catch((error: unknown) => {
          throw source.errored ?? error // clamd does not answer if the file could not be read to its end
        })
        const failure = await sent
        if (failure) throw new Error(`clamd did not take the whole file: ${answer || 'no answer'}`, failure)
        return resultOf(answer)
      } finally {
        source.destroy()
        socket.destroy()
      }
    },
  }
}

function addressOf(url: string): { path: string } | { host: string; port: number } {
  const { protocol, hostname, port, pathname } = new URL(url)
  if (protocol === 'unix:') return { path: decodeURIComponent(pathname) }
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || PORT_DEFAULT }
}

// INSTREAM: chunks with their length in front, and an empty one at the end.
async function send(source: Readable, socket: Socket): Promise<void> {
  const closing = new AbortController()
  socket.once('close', () => closing.abort())
  const put = async (bytes: Uint8Array | string) => {
    if (!socket.writable) throw new Error('clamd stopped listening.')
    if (!socket.write(bytes)) await once(socket, 'drain', { signal: closing.signal })
  }
  await put('zINSTREAM\0')
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    await put(lengthOf(chunk.byteLength))
    await put(chunk)
  }
  await put(lengthOf(0))
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

async function readAnswer(socket: Socket): Promise<string> {
  let answer = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    answer += chunk
    if (answer.endsWith('\0') || answer.length > ANSWER_CHARACTERS_MAX) break
  }
  return answer.replace(/\0$/, '')
}

function resultOf(answer: string): ScanResult {
  if (answer === 'stream: OK') return { clean: true }
  const [, finding] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (finding === undefined) throw new Error(`clamd gave no result: ${answer || 'no answer'}`)
  return { clean: false, finding }
}
