import { createServer } from 'node:net'
import { addressOf, type Config } from './config.ts'
import { describeError } from './platform/errors.ts'

// Where a server listens, and what is said where it cannot: which setting is wrong, why, and a command that works.

/** `start` is what a person types to start it. */
export type Listener = { setting: 'PORT' | 'ADMIN_PORT'; host: string; port: number; start: string }

export const listenerOf = (config: Config, setting: Listener['setting'], command: 'serve' | 'work'): Listener => ({
  setting,
  ...(setting === 'PORT'
    ? { host: config.host, port: config.port }
    : { host: config.adminHost, port: config.adminPort }),
  start: config.sandbox ? 'npm start' : `npx lodgeway ${command}`,
})

const HOSTS = { PORT: 'HOST', ADMIN_PORT: 'ADMIN_HOST' } as const
const PORT_MAX = 65_535
const PORTS_APART = 10 // PORT and ADMIN_PORT are usually neighbours
const FIRST_FOR_ALL = 8080
const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT']
const RESPONSE_MS_MAX = 2_000

/** Why nothing can listen there; undefined where it can. */
export function whyTaken({ host, port }: Pick<Listener, 'host' | 'port'>): Promise<NodeJS.ErrnoException | undefined> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>()
  const server = createServer()
  server.once('error', resolve)
  server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  return promise
}

/** Throws what a person can act on, before anything else is done that takes long. */
export async function checkListener(listener: Listener): Promise<void> {
  const error = await whyTaken(listener)
  if (error) throw await cannotListen(listener, error)
}

export async function cannotListen(listener: Listener, cause: unknown): Promise<Error> {
  const { message, fix } = await adviceOn(listener, cause)
  return new Error(`${message} ${fix}`, { cause })
}

export async function adviceOn(listener: Listener, error: unknown): Promise<{ message: string; fix: string }> {
  const { setting, host, port, start } = listener
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    const other = (await nodeAt(listener)) === undefined ? 'program' : 'Lodgeway'
    const fix = `Stop that, or use another port: ${setting}=${await freePort(host, port + PORTS_APART)} ${start}`
    return { message: `${setting} ${port} is in use by another ${other}.`, fix }
  }
  if (code === 'EACCES') {
    const fix = `Ports from 1024 on are for everybody: ${setting}=${await freePort(host, FIRST_FOR_ALL)} ${start}`
    return { message: `This user may not listen on ${setting} ${port}.`, fix }
  }
  if (NO_ADDRESS.includes(code)) {
    const name = HOSTS[setting]
    const fix = `Use 127.0.0.1 for this machine alone, or 0.0.0.0 for every network: ${name}=127.0.0.1 ${start}`
    return { message: `${name} ${host} is not an address of this machine.`, fix }
  }
  const fix = `Set them to an address and a port of this machine: docs/operations.md.`
  return { message: `Cannot listen where ${HOSTS[setting]} and ${setting} say: ${describeError(error)}.`, fix }
}

async function freePort(host: string, first: number): Promise<number> {
  for (let port = first; port < PORT_MAX; port += PORTS_APART) if (!(await whyTaken({ host, port }))) return port
  return 0 // any
}

/** The id of the node that answers there; empty for one that does not say, undefined where it is no Lodgeway. */
export async function nodeAt({ host, port }: Pick<Listener, 'host' | 'port'>): Promise<string | undefined> {
  const address = addressOf(host === '0.0.0.0' ? '127.0.0.1' : host, { port })
  try {
    const response = await fetch(`${address}/livez`, { signal: AbortSignal.timeout(RESPONSE_MS_MAX) })
    const { status, nodeId = '' } = (await response.json()) as { status?: string; nodeId?: string }
    return status === 'live' ? nodeId : undefined
  } catch {
    return undefined
  }
}
