import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Looks for viruses. Throws where it cannot tell, so that nothing passes unseen. */
export type Scanner = { scan(source: Readable): Promise<ScanVerdict> }

/** `finding` is the scanner's own name for what it found. */
export type ScanVerdict = { clean: true } | { clean: false; finding: string }

const SILENCE_MS_MAX = 180_000 // it scans for two minutes at most, unless told otherwise
const LAST_WORD_MS_MAX = 1_000
const ANSWER_CHARACTERS_MAX = 4_096
const PORT_DEFAULT = 3310

/** clamd at `tcp://host:port` or `unix:/path`. Each scan has a connection of its own. */
export function openScanner(url: string): Scanner {
  const place = placeOf(url)
  return {
    async scan(source) {
      const socket = connect(place)
      socket.on('error', () => {}) // reading tells of it
      socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy(new Error('clamd fell silent.')))
      try {
        await once(socket, 'connect')
        const sent = send(source, socket).then(undefined, (cause: unknown) => {
          socket.setTimeout(LAST_WORD_MS_MAX) // where it stopped listening it has said why
          return { cause }
        })
        const answer = await readAnswer(socket).catch((error: unknown) => {
          throw source.errored ?? error // clamd falls silent, too, over a file that could not be read to its end
        })
        const failure = await sent
        if (failure) throw new Error(`clamd did not take the whole file: ${answer || 'no answer'}`, failure)
        return verdictOf(answer)
      } finally {
        source.destroy()
        socket.destroy()
      }
    },
  }
}

function placeOf(url: string): { path: string } | { host: string; port: number } {
  const { protocol, hostname, port, pathname } = new URL(url)
  if (protocol === 'unix:') return { path: decodeURIComponent(pathname) }
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || PORT_DEFAULT }
}

// INSTREAM: pieces that each say their length first, and one of no length at the end.
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

function verdictOf(answer: string): ScanVerdict {
  if (answer === 'stream: OK') return { clean: true }
  const [, finding] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (finding === undefined) throw new Error(`clamd gave no result: ${answer || 'no answer'}`)
  return { clean: false, finding }
}
