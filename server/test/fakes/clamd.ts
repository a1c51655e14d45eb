import { createServer, type Socket } from 'node:net'
import { atEnd } from '../fixtures/at-end.ts'

export type FakeClamd = {
  url: string
  /** What it was sent, scan by scan. */
  scans: Buffer[]
  /** How it answers from now on: by looking for the word EICAR, with an error, or not at all. */
  mood: 'looks' | 'errs' | 'hangs up' | 'takes no more'
}

/** The part of clamd's protocol that the service uses: INSTREAM. */
export async function fakeClamd(at: { path: string } | undefined = undefined): Promise<FakeClamd> {
  const clamd: FakeClamd = { url: '', scans: [], mood: 'looks' }
  const server = createServer((socket) => answer(socket, clamd))
  atEnd(() => server.close())
  await new Promise<void>((done) => (at ? server.listen(at.path, done) : server.listen(0, '127.0.0.1', done)))
  const address = server.address()
  clamd.url = typeof address === 'string' ? `unix:${address}` : `tcp://127.0.0.1:${address?.port}`
  return clamd
}

const COMMAND = Buffer.from('zINSTREAM\0')

function answer(socket: Socket, clamd: FakeClamd): void {
  let received = Buffer.of()
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    if (clamd.mood === 'hangs up') socket.destroy()
    else if (clamd.mood === 'takes no more') socket.end('INSTREAM size limit exceeded. ERROR\0')
    else scan(socket, clamd, contentOf(received))
  })
}

function scan(socket: Socket, { scans, mood }: FakeClamd, content: Buffer | undefined): void {
  if (!content) return
  scans.push(content)
  if (mood === 'errs') socket.end('stream: Can’t allocate memory ERROR\0')
  else socket.end(content.includes('EICAR') ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0')
}

/** Undefined until the empty piece has arrived. */
function contentOf(received: Buffer): Buffer | undefined {
  if (!received.subarray(0, COMMAND.length).equals(COMMAND)) throw new Error('Not INSTREAM.')
  const pieces: Buffer[] = []
  for (let at = COMMAND.length; received.length >= at + 4; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(pieces)
    pieces.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
