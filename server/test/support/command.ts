import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const MAIN = resolve(import.meta.dirname, '../../src/main.ts')

export type Outcome = { code: number | null; output: string; complaint: string }

/** `lodgeway` with these words and this environment, as a process of its own. */
export async function runCommand(command: string, env: Record<string, string>): Promise<Outcome> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [MAIN, ...command.split(' ').filter(Boolean)], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output, complaint }
}
