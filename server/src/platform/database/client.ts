import { Socket } from 'node:net'
import pg from 'pg'
import type { Server } from './commit.ts'

const CLOSING_MS_MAX = 2_000
// The function of PostgreSQL that waits. Its only warnings say that it stopped waiting, in any language.
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

/** A connection on our own socket, which can be cut when there is no answer. */
export class DbClient extends pg.Client {
  /** The server that it is connected to, if that matters. */
  server: Server | undefined
  /** The server has stopped waiting for its standby: what was committed on this connection may be lost in a failover. */
  isUnreplicated = false
  readonly #socket: GatheringSocket

  constructor(config: pg.ClientConfig = {}) {
    const socket = new GatheringSocket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
    this.on('error', () => {}) // the statements on the connection fail, and each of them handles it
    this.on('notice', ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.isUnreplicated = true
    })
  }

  /** Every statement on it fails at once. The server notices by its own time limits, if not sooner. */
  cut(): void {
    this.#socket.destroy()
  }

  /** Cuts it when nothing was sent or received for this time. */
  cutWhenSilent(ms: number): void {
    this.#socket.setTimeout(ms, () => this.cut())
  }

  /** Closes it properly, but does not wait for a server that no longer answers. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.cut(), CLOSING_MS_MAX)
    await this.end()
    clearTimeout(timer)
  }
}

/** Sends all writes of one turn of the event loop together: one system call for the statements of many requests. */
class GatheringSocket extends Socket {
  #gathering = false

  constructor() {
    super()
    // If the other side never closes, an ended socket would stay open for ever.
    this.once('finish', () => setTimeout(() => this.destroy(), CLOSING_MS_MAX).unref())
  }

  override cork(): void {
    if (this.#gathering) return
    this.#gathering = true
    super.cork()
    setImmediate(() => {
      this.#gathering = false
      super.uncork()
    })
  }

  override uncork(): void {}
}
