import { PassThrough } from 'node:stream'
import { collectedOutput } from '../../server/test/fixtures/terminal.ts'
import { createProgram, runProgram } from '../src/program.ts'
import type { Terminal } from '../src/terminal.ts'

// Runs a command in this process, with streams and an environment of its own.

export type Ran = { code: number; output: string; errors: string; browsed: string[] }

export type Given = {
  env?: Record<string, string>
  /** What is typed, or piped in. */
  input?: string
  isTTY?: boolean
  now?: Date
  fetch?: typeof globalThis.fetch
  interrupted?: AbortSignal
  /** Called with all output so far. */
  onOutput?: (text: string) => void
}

export async function lodgeway(words: readonly string[], given: Given = {}): Promise<Ran> {
  const { env = {}, input = '', isTTY = false, now, fetch = globalThis.fetch } = given
  const stdin = Object.assign(new PassThrough(), { isTTY })
  stdin.end(input)
  const browsed: string[] = []
  const terminal = {
    env,
    stdin,
    stdout: collectedOutput({ isTTY, columns: 100, onWrite: given.onOutput }),
    stderr: collectedOutput({ isTTY, columns: 100 }),
    now: () => now ?? new Date(),
    fetch,
    browse: async (address: string) => void browsed.push(address),
    interrupted: () => given.interrupted ?? new AbortController().signal,
  } satisfies Terminal
  const code = await runProgram(createProgram(terminal), words)
  return { code, output: terminal.stdout.text(), errors: terminal.stderr.text(), browsed }
}
