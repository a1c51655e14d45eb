import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { misused } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import type { Place } from './place.ts'
import type { Progress } from './window.ts'

// What a listener keeps on disk: one file for each profile and address, and a secret for each profile.

/** An event that the receiver did not take, although it was sent several times. */
export type Failed = { id: string; type: string; reason: string }

export type ListenState = Progress & { failed: readonly Failed[] }

const VERSION = 1
const FAILED_MAX = 1_000

type Environment = Terminal['env']

const folderOf = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'lodgeway', 'listen')

export const stateFile = (env: Environment, { service, profile, address }: Place): string =>
  join(folderOf(env), `${digest(`${service}\n${profile}\n${address}`)}.json`)

/** Undefined if nothing was ever stored. */
export async function readState(file: string): Promise<ListenState | undefined> {
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  try {
    const { version, cursor, settled, failed } = JSON.parse(text)
    if (version !== VERSION || !Array.isArray(settled) || !Array.isArray(failed)) throw new Error()
    return { ...(typeof cursor === 'string' && { cursor }), settled, failed }
  } catch {
    throw misused(`${file} is not what this version has written. Delete it to listen from now on.`)
  }
}

/** A process that is killed leaves the old file or the new one, never a part. */
export async function writeState(file: string, place: Place, { failed, ...state }: ListenState): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const text = JSON.stringify({ version: VERSION, ...place, ...state, failed: failed.slice(-FAILED_MAX) })
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

/** Made once, so that the settings of a receiver stay right. */
export async function sharedSecretOf(env: Environment, { service, profile }: Omit<Place, 'address'>): Promise<string> {
  const file = join(folderOf(env), `${digest(`${service}\n${profile}`)}.secret`)
  const known = await readIfThere(file)
  if (known) return known.trim()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const made = `${file}.${randomUUID()}`
  await writeFile(made, `whsec_${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  // Of two listeners that start at the same time, one makes the secret of both.
  await link(made, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(made)
  return (await readFile(file, 'utf8')).trim()
}

/** One write at a time; those that wait share the next one. */
export function createSaver(write: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      running = write()
      return running
    })
    return next
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
