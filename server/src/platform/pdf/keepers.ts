import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CheckLimits } from './children.ts'
import type { KeeperQuestion, KeeperReply } from './keeper.ts'
import type { PdfLimits, PdfVerdict } from './pdf.ts'

/** The process that keeps those which judge. */
export type Keeper = {
  /** Undefined where it ended before it had an answer. */
  ask(path: string): Promise<PdfVerdict | undefined>
  isAlive(): boolean
  end(): Promise<void>
}

export type Given = { limits: PdfLimits; checkLimits: CheckLimits }

const ENTRY = join(import.meta.dirname, 'keeper.ts')

// To start a process is to be copied first, which halts a large one for tens of milliseconds. So the service starts one
// that is small, and that starts all others.
export function startKeeper(given: Given): Keeper {
  const keeper = fork(ENTRY, [JSON.stringify(given)], {
    execArgv: [],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting = new Map<number, PromiseWithResolvers<PdfVerdict | undefined>>()
  let questions = 0
  keeper.on('message', (reply: KeeperReply) => {
    if ('verdict' in reply) waiting.get(reply.id)?.resolve(reply.verdict)
    else waiting.get(reply.id)?.reject(new Error(reply.failure))
  })
  keeper.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(error)
  })
  keeper.on('exit', () => {
    for (const { resolve } of waiting.values()) resolve(undefined)
  })
  const hasEnded = () => keeper.exitCode !== null || keeper.signalCode !== null
  const isAlive = () => keeper.pid !== undefined && keeper.connected && !hasEnded()
  letGo()

  return {
    isAlive,

    async ask(path) {
      const id = questions++
      const answer = Promise.withResolvers<PdfVerdict | undefined>()
      waiting.set(id, answer)
      keeper.ref()
      keeper.channel?.ref()
      keeper.send({ id, path } satisfies KeeperQuestion, (error) => error && answer.resolve(undefined))
      try {
        return await answer.promise
      } finally {
        waiting.delete(id)
        if (waiting.size === 0) letGo()
      }
    },

    async end() {
      if (!isAlive()) return
      keeper.ref()
      keeper.disconnect()
      await once(keeper, 'exit')
    },
  }

  /** One that waits keeps nobody from ending. */
  function letGo(): void {
    keeper.unref()
    keeper.channel?.unref()
  }
}
