import { fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import type { PdfLimits, PdfResult } from './pdf.ts'
import type { SupervisorReply, SupervisorRequest } from './supervisor-process.ts'
import type { CheckLimits } from './worker.ts'

/** The process that starts the workers. */
export type Supervisor = {
  /** Undefined where the process ended before it had a result. */
  check(path: string): Promise<PdfResult | undefined>
  isAlive(): boolean
  end(): Promise<void>
}

export type SupervisorOptions = { limits: PdfLimits; checkLimits: CheckLimits }

const ENTRY = join(import.meta.dirname, 'supervisor-process.ts')

// Starting a process copies the one that starts it, which stops a large process for tens of milliseconds. So the service
// starts only this small one, which starts all others.
export function startSupervisor(options: SupervisorOptions): Supervisor {
  const compiled = getCompileCacheDir() // loading TypeScript takes four times as long without it
  const supervisor = fork(ENTRY, [JSON.stringify(options)], {
    execArgv: [],
    env: compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const pending = new Map<number, PromiseWithResolvers<PdfResult | undefined>>()
  let requests = 0
  supervisor.on('message', (reply: SupervisorReply) => {
    if ('result' in reply) pending.get(reply.id)?.resolve(reply.result)
    else pending.get(reply.id)?.reject(new Error(reply.failure))
  })
  supervisor.on('error', (error) => {
    for (const { reject } of pending.values()) reject(error)
  })
  supervisor.on('exit', () => {
    for (const { resolve } of pending.values()) resolve(undefined)
  })
  const hasEnded = () => supervisor.exitCode !== null || supervisor.signalCode !== null
  const isAlive = () => supervisor.pid !== undefined && supervisor.connected && !hasEnded()
  unref()

  return {
    isAlive,

    async check(path) {
      const id = requests++
      const result = Promise.withResolvers<PdfResult | undefined>()
      pending.set(id, result)
      supervisor.ref()
      supervisor.channel?.ref()
      supervisor.send({ id, path } satisfies SupervisorRequest, (error) => {
        if (!error) return
        if (supervisor.connected) supervisor.disconnect() // it is gone, before its end was reported
        result.resolve(undefined)
      })
      try {
        return await result.promise
      } finally {
        pending.delete(id)
        if (pending.size === 0) unref()
      }
    },

    async end() {
      if (!isAlive()) return
      supervisor.ref()
      supervisor.disconnect()
      await once(supervisor, 'exit')
    },
  }

  /** An idle supervisor does not keep the service's process alive. */
  function unref(): void {
    supervisor.unref()
    supervisor.channel?.unref()
  }
}
