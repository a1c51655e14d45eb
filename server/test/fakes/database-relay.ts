import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

// A relay between the service and PostgreSQL that fails like networks and failovers do. It reads only as much of the
// protocol as it needs to find a COMMIT.

/** Whether COMMIT never arrives at the server, or its answer never arrives at the service. */
export type Cut = 'before COMMIT' | 'after COMMIT'

export type Relay = {
  url: string
  /** Nothing passes any more on the connections that are open; new ones work. */
  freeze(): void
  /** Cuts the connection that commits next, or none. With `failOver`, the server then shows another timeline. */
  cutNext(cut: Cut | undefined, then?: { failOver: boolean }): void
  /** How many were cut so far. */
  cuts(): number
  close(): Promise<void>
}

type Plan = { cut: Cut; failOver: boolean }

export async function startRelay(databaseUrl: string): Promise<Relay> {
  const target = new URL(databaseUrl)
  const pairs = new Set<readonly [Socket, Socket]>()
  let plan: Plan | undefined
  let failovers = 0
  let cuts = 0

  function relay(client: Socket): void {
    const server = connect(Number(target.port || 5432), target.hostname)
    const pair = [client, server] as const
    const isCommit = commitFinder()
    const timeline = failovers
    let losing: Plan | undefined
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    const cut = ({ failOver }: Plan) => {
      cuts++
      end()
      if (!failOver) return
      failovers++
      // The server that failed takes all its connections with it.
      for (const other of pairs) for (const socket of other) socket.destroy()
    }
    pairs.add(pair)
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end)

    client.on(
      'data',
      byMessage((message) => {
        if (isCommit(message) && plan) {
          const current = plan
          plan = undefined
          if (current.cut === 'before COMMIT') return cut(current)
          losing = current
        }
        server.write(message)
      }),
    )
    server.on('data', (bytes) => {
      if (losing && bytes.includes('COMMIT\0')) cut(losing)
      else client.write(timeline ? withTimeline(bytes, timeline) : bytes)
    })
  }

  const listener = createServer(relay).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    freeze() {
      for (const pair of pairs) for (const socket of pair) socket.removeAllListeners('data').pause()
    },
    cutNext(cut, { failOver } = { failOver: false }) {
      plan = cut && { cut, failOver }
    },
    cuts: () => cuts,
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** Splits what a client sends into whole messages. The first one has no type before its length. */
function byMessage(take: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let lengthAt = 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= lengthAt + 4) {
      const end = lengthAt + rest.readInt32BE(lengthAt)
      if (rest.length < end) return
      take(rest.subarray(0, end))
      rest = rest.subarray(end)
      lengthAt = 1
    }
  }
}

/** Finds the COMMIT of a transaction that writes to the audit, as every change of a request does and no other work. */
function commitFinder(): (message: Buffer) => boolean {
  const texts = new Map<string, string>()
  let isAudited = false
  return (message) => {
    const type = String.fromCharCode(message[0] ?? 0)
    const [first = '', second = ''] = message.toString('latin1', 5).split('\0')
    if (type === 'P') texts.set(first, second)
    if (type === 'B') isAudited ||= texts.get(second)?.includes('audit_entries') === true
    if (type !== 'Q') return false
    const isCommit = first === 'commit' && isAudited
    isAudited = false
    return isCommit
  }
}

/** Shown where `platform/database/commit.ts` asks for it: behind the number of the server. */
function withTimeline(bytes: Buffer, timeline: number): Buffer {
  const shown = `F${String(timeline).padStart(7, '0')}`
  return Buffer.from(
    bytes.toString('latin1').replace(/(\d{15,}:)[0-9A-F]{8}/, (_, server) => server + shown),
    'latin1',
  )
}
