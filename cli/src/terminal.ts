import type { Readable, Writable } from 'node:stream'

/** What a command has from the process that it runs in. A test gives its own. */
export type Terminal = {
  env: Readonly<Record<string, string | undefined>>
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  now(): Date
  fetch: typeof globalThis.fetch
  /** Starts a program that shows this address. */
  browse(address: string): Promise<void>
  /**
   * Aborted by the first Ctrl-C, so that a command that asks for it can end what it does; the second one ends it. A command
   * that does not ask ends at once.
   */
  interrupted(): AbortSignal
}

export type Output = Writable & { isTTY?: boolean; columns?: number }

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  // The reader has gone, as in `lodgeway events | head`.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  let controller: AbortController | undefined
  return {
    env,
    stdin,
    stdout,
    stderr,
    now: () => new Date(),
    fetch: (...args) => globalThis.fetch(...args),
    browse,
    interrupted() {
      if (!controller) process.once('SIGINT', () => controller?.abort())
      controller ??= new AbortController()
      return controller.signal
    },
  }
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }

async function browse(address: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const child = spawn(OPENERS[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true })
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  child.unref()
}
