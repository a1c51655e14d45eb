import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { generateSigningKey } from '../../../src/auth/keys.ts'
import { lodgeway } from '../../cluster/parts.ts'
import type { Processes } from '../../cluster/processes.ts'
import { freePort } from '../../fixtures/ports.ts'
import { isReady } from '../../fixtures/process.ts'
import type { ArchivedPostgres } from './archived-postgres.ts'

const run = promisify(execFile)
const CODE = resolve(import.meta.dirname, '../../../..')
const READY_MS_MAX = 180_000

/** Both are the same bytes: the store has them in a folder. */
export type Files = { env: Record<string, string>; inFolder: Record<string, string> }

export async function openFiles(folder: string, versitygw: string | undefined, processes: Processes): Promise<Files> {
  const inFolder = { BLOB_URL: `file://${join(folder, 'store/files/blobs')}` }
  await mkdir(join(folder, 'store/files/blobs'), { recursive: true })
  if (!versitygw) return { env: inFolder, inFolder }
  const [address, key, secret] = [`127.0.0.1:${await freePort()}`, 'lodgeway', 'proof-of-restore']
  const command = [versitygw, '--port', address, 'posix', join(folder, 'store')]
  await processes.start('store', { command, env: { ROOT_ACCESS_KEY: key, ROOT_SECRET_KEY: secret }, cwd: folder })
  const BLOB_URL = `s3://files/blobs?endpoint=http://${address}`
  return { env: { BLOB_URL, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret }, inFolder }
}

type Place = { folder: string; processes: Processes; files: Files }

export type Service = Awaited<ReturnType<typeof serviceOn>>

/** `serve` and `work` on whichever database there is. */
export async function serviceOn({ folder, processes, files }: Place) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const secrets = {
    SECRET_PEPPER: 'a pepper of the proof, for nothing else',
    SIGNING_KEYS: JSON.stringify(await generateSigningKey()),
  }
  const shared = { ...files.env, ...secrets, PUBLIC_URL: url, REGISTRY: 'simulator', PAYMENTS: 'simulator' }
  const envOn = ({ url: DATABASE_URL }: ArchivedPostgres, part: string) => ({
    ...shared,
    DATABASE_URL,
    DATA_DIR: join(folder, 'service', part),
    RATE_LIMIT_PER_MINUTE: '0',
    ADMIN_PORT: '0',
    PORT: String(port),
    HOST: '127.0.0.1',
  })
  const partOf = (...args: string[]) => lodgeway({ node: process.execPath, code: CODE }, ...args)
  const commandWith = async (env: Record<string, string>, postgres: ArchivedPostgres, ...args: string[]) => {
    const [file = '', ...rest] = partOf(...args)
    const owner = { DATABASE_OWNER_URL: postgres.ownerUrl }
    const all = { PATH: process.env['PATH'] ?? '', ...envOn(postgres, 'commands'), ...owner, ...env }
    return (await run(file, rest, { env: all })).stdout
  }
  return {
    url,
    commandWith,
    command: (postgres: ArchivedPostgres, ...args: string[]) => commandWith({}, postgres, ...args),
    async start(postgres: ArchivedPostgres): Promise<void> {
      for (const part of ['serve', 'work']) {
        await processes.start(part, { command: partOf(part), env: envOn(postgres, part), cwd: folder })
      }
      const deadline = performance.now() + READY_MS_MAX
      while (!(await isReady(url))) {
        if (performance.now() > deadline || !(await processes.runs('serve'))) throw new Error('serve does not start.')
        await delay(50)
      }
    },
  }
}
