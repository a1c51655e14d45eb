import type { Command } from 'commander'
import type { Program } from './program.ts'
import type { Session } from './session.ts'

// Every command in the order of the help. A command's file is loaded when the command is used.

/** Adds what a command takes and does to it: description, arguments, options, examples and action. */
export type Define = (command: Command, run: Run, program: Program) => void

/** Makes an action of what a command does: it opens the session and closes with an exit code. */
export type Run = <Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<void>,
) => (...args: unknown[]) => Promise<void>

export type Entry = {
  name: string
  summary: string
  load(): Promise<{ define: Define }>
  /** Needs no profile. */
  isLocal?: true
}

const entry = (name: string, summary: string, load: Entry['load']): Entry => ({ name, summary, load })
const local = (name: string, summary: string, load: Entry['load']): Entry => ({ name, summary, load, isLocal: true })

export const COMMANDS: readonly Entry[] = [
  entry('login', 'keep the credentials of a client', () => import('./commands/login.ts')),
  local('profiles', 'list the profiles, choose or forget one', () => import('./commands/profiles.ts')),
  entry('whoami', 'which subscriber, scopes and service', () => import('./commands/whoami.ts')),
  entry('workspace', 'list workspaces, and show one', () => import('./commands/workspace.ts')),
  entry('upload', 'upload a document to a workspace', () => import('./commands/upload.ts')),
  entry('reports', 'fetch the nightly reports', () => import('./commands/reports.ts')),
  entry('call', 'call any operation of the interface', () => import('./commands/call.ts')),
  entry('webhooks', 'register, test and verify webhooks', () => import('./commands/webhooks.ts')),
  entry('listen', 'send your events to a receiver on this machine', () => import('./commands/listen.ts')),
  entry('events', 'print what happens in your matters', () => import('./commands/events.ts')),
  entry('replay', 'send events again', () => import('./commands/replay.ts')),
  entry('logs', 'print your own calls, and why they failed', () => import('./commands/logs.ts')),
  entry('trigger', 'play a matter in the sandbox', () => import('./commands/trigger.ts')),
  entry('clock', 'show or move the clock of the sandbox', () => import('./commands/clock.ts')),
  entry('certify', 'check that your client is ready to go live', () => import('./commands/certify.ts')),
  entry('open', 'open the console or the reference', () => import('./commands/open.ts')),
  entry('mcp', 'tools for AI assistants', () => import('./commands/mcp.ts')),
  entry('doctor', 'check the connection to the service', () => import('./commands/doctor.ts')),
  local('completion', 'complete commands in bash, zsh and fish', () => import('./commands/completion.ts')),
]
