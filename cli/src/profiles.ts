import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { misused } from './failure.ts'
import { isLoopback } from './loopback.ts'
import type { Terminal } from './terminal.ts'

// Who calls which service: an address, a client id and its secret under a name. They come from the command line, then from
// the environment, then from a file of the user's own, and for a sandbox on this machine they are known.

type Environment = Terminal['env']

/** As in the file. A `secretCommand` prints the secret: that of a keychain or a vault. */
export type StoredProfile = { url: string; clientId: string; clientSecret?: string; secretCommand?: string }

export type Profile = StoredProfile & {
  name: string
  source: 'built in' | 'file' | 'environment'
}

type ProfilesFile = { current?: string; profiles: Record<string, StoredProfile> }

export const SANDBOX_URL = 'http://127.0.0.1:8080'
const DEFAULT = 'sandbox-law-firm'
const ENVIRONMENT = 'environment'
const PRIVATE_MODE = 0o600
const NAME = /^[\w.-]{1,50}$/

/** docs/guide/sandbox.md lists the clients of a sandbox. */
const BUILT_IN: Readonly<Record<string, StoredProfile>> = Object.fromEntries(
  ['sandbox-lender', 'sandbox-law-firm'].map((clientId) => [
    clientId,
    { url: SANDBOX_URL, clientId, clientSecret: `${clientId}-secret` },
  ]),
)

/** `--profile` and `--url` as they were typed. */
export type Chosen = { profile?: string | undefined; url?: string | undefined }

export function chooseProfile(env: Environment, chosen: Chosen): Profile {
  const { current, profiles } = readProfiles(env)
  const { LODGEWAY_URL: sandbox = '', LODGEWAY_PROFILE: preferred } = env
  const all = fromEnvironment(env)
  const isWhole = chosen.profile === undefined && all.url && all.clientId && all.clientSecret
  const name = chosen.profile ?? preferred ?? (isWhole ? ENVIRONMENT : (current ?? DEFAULT))
  const stored = name === ENVIRONMENT ? undefined : (ownOf(profiles, name) ?? ownOf(BUILT_IN, name))
  if (!stored && !(name === ENVIRONMENT && isWhole)) throw unknown(name, profiles)
  const isBuiltIn = stored !== undefined && !ownOf(profiles, name)
  // Named on the command line, a profile is taken as it is stored. Only a sandbox on this machine may have another port.
  const named = isBuiltIn && isLoopback(sandbox) ? { url: sandbox } : {}
  const given = chosen.profile === undefined ? all : named
  const merged = { url: '', clientId: '', ...stored, ...given, ...(chosen.url && { url: chosen.url }) }
  const profile: Profile = {
    ...merged,
    url: checkUrl(merged.url),
    name,
    source: isBuiltIn ? 'built in' : stored ? 'file' : 'environment',
  }
  if (isBuiltIn && !isLoopback(profile.url)) {
    throw misused(
      `The profile ${name} is for a sandbox on this machine, not for ${profile.url}. \`lodgeway login\` adds one.`,
    )
  }
  return profile
}

/** All of them, those of the file first. */
export function listProfiles(env: Environment): Profile[] {
  const { profiles } = readProfiles(env)
  const all = [
    ...Object.entries(profiles).map(([name, one]) => ({ ...one, name, source: 'file' as const })),
    ...Object.entries(BUILT_IN).map(([name, one]) => ({ ...one, name, source: 'built in' as const })),
  ]
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}

/** Keeps a profile, or forgets it, and says which one is used from now on. */
export function saveProfile(env: Environment, name: string, profile: StoredProfile | undefined): void {
  if (!NAME.test(name)) throw misused('The name of a profile has up to 50 letters, digits, dots and dashes.')
  const { [name]: _, ...others } = readProfiles(env).profiles
  const profiles = profile ? { ...others, [name]: profile } : others
  const current = profile ? name : Object.keys(others)[0]
  writeProfiles(env, { ...(current && { current }), profiles })
}

export function useProfile(env: Environment, name: string): void {
  const file = readProfiles(env)
  if (!ownOf(file.profiles, name) && !ownOf(BUILT_IN, name)) throw unknown(name, file.profiles)
  writeProfiles(env, { ...file, current: name })
}

/** The secret, which a command may print. */
export async function secretOf({ name, clientSecret, secretCommand }: Profile): Promise<string> {
  if (clientSecret !== undefined) return clientSecret
  if (secretCommand === undefined) throw misused(`The profile ${name} has neither clientSecret nor secretCommand.`)
  const { execFile } = await import('node:child_process')
  const { promisify } = await import('node:util')
  const shell = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c']
  const [program = '', flag = ''] = shell
  const { stdout } = await promisify(execFile)(program, [flag, secretCommand]).catch((error: Error) => {
    throw misused(`The secretCommand of the profile ${name} failed: ${error.message}`)
  })
  return stdout.trim()
}

export const profilesPath = (env: Environment): string =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'lodgeway', 'profiles.json')

function readProfiles(env: Environment): ProfilesFile {
  const path = profilesPath(env)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return { profiles: {} }
  const mode = found.mode & 0o777
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw misused(`${path} holds secrets, and others may read it (mode ${mode.toString(8)}). Run: chmod 600 ${path}`)
  }
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProfilesFile>
    return { ...file, profiles: file.profiles ?? {} }
  } catch (error) {
    throw misused(`${path} is not JSON: ${(error as Error).message}`)
  }
}

function writeProfiles(env: Environment, file: ProfilesFile): void {
  const path = profilesPath(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(file, null, 2)}\n`, { mode: PRIVATE_MODE })
  renameSync(beside, path)
}

function fromEnvironment(env: Environment): Partial<StoredProfile> {
  const { LODGEWAY_URL: url, LODGEWAY_CLIENT_ID: clientId, LODGEWAY_CLIENT_SECRET: clientSecret } = env
  return { ...(url && { url }), ...(clientId && { clientId }), ...(clientSecret && { clientSecret }) }
}

function checkUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw misused(`"${url}" is not an address such as https://api.example.`)
  }
  return url.replace(/\/+$/, '')
}

const ownOf = (profiles: Readonly<Record<string, StoredProfile>>, name: string): StoredProfile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined

function unknown(name: string, profiles: ProfilesFile['profiles']): Error {
  const names = [...new Set([...Object.keys(profiles), ...Object.keys(BUILT_IN)])]
  return misused(`There is no profile ${name}: there are ${names.join(', ')}. \`lodgeway login\` adds one.`)
}
