import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type CountingRelay = {
  url: string
  /** How often something was sent on a connection after the answer to what was sent before. */
  roundTrips(): number
  close(): Promise<void>
}

/** Between the nodes and PostgreSQL, only to count. */
export async function startCountingRelay(databaseUrl: string): Promise<CountingRelay> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let isAnswered = true
    client.on('data', () => {
      if (isAnswered) roundTrips += 1
      isAnswered = false
    })
    database.on('data', () => {
      isAnswered = true
    })
    client.pipe(database)
    database.pipe(client)
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    roundTrips: () => roundTrips,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
