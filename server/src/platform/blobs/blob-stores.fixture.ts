import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { S3_CREDENTIALS, startS3 } from '../../../test/fakes/s3.ts'
import { blobLocation } from './url.ts'

export type TestStore = { url: string; spool: string; close(): Promise<void> }

/** The stores that must pass the same tests. */
export const BLOB_STORES: { name: string; open(dataDir: string): Promise<TestStore> }[] = [
  { name: 'a folder', open: openFolder },
  process.env['BLOB_CONTRACT_URL']
    ? { name: 'the bucket of BLOB_CONTRACT_URL', open: openBucket }
    : { name: 'an S3 bucket', open: openS3 },
]

async function openFolder(dataDir: string): Promise<TestStore> {
  return { url: `file://${dataDir}/kept`, spool: join(dataDir, 'kept/spool'), async close() {} }
}

async function openS3(dataDir: string): Promise<TestStore> {
  Object.assign(process.env, S3_CREDENTIALS)
  const server = await startS3(join(dataDir, 's3'))
  return { url: server.url, spool: join(dataDir, 'spool'), close: () => server.close() }
}

async function openBucket(dataDir: string): Promise<TestStore> {
  const url = new URL(process.env['BLOB_CONTRACT_URL'] ?? '')
  url.pathname += `/contract-${randomUUID()}`
  const { openS3Store } = await import('./s3.ts')
  const close = async () => {
    const location = blobLocation(url.href, dataDir)
    if (location.kind === 's3') await openS3Store(location).remove('check')
  }
  return { url: url.href, spool: join(dataDir, 'spool'), close }
}

const WRITER = `
  import { randomBytes } from 'node:crypto'
  import { Readable } from 'node:stream'
  import { openBlobs } from '${new URL('blobs.ts', import.meta.url)}'
  import { openDb } from '${new URL('../database/db.ts', import.meta.url)}'
  const { url, dataDir, databaseUrl } = JSON.parse(process.argv[1])
  const db = openDb({ url: databaseUrl, poolSize: 2 })
  const blobs = await openBlobs({ url, dataDir })
  const writeOn = async () => {
    for (;;) {
      const staged = await blobs.stage(Readable.from([randomBytes(200_000), randomBytes(200_000)]), { bytesMax: 1e6 })
      process.stdout.write((await blobs.keep(db, staged)).sha256 + '\\n')
    }
  }
  await Promise.all(Array.from({ length: 8 }, writeOn))
`

/** Another process keeps one blob after the other and is killed soon after the first. Returns what it confirmed. */
export async function keepUntilKilled(settings: {
  url: string
  dataDir: string
  databaseUrl: string
}): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const confirmed: string[] = []
  for await (const sha256 of createInterface(child.stdout)) {
    if (confirmed.length === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 100)
    confirmed.push(sha256)
  }
  return confirmed
}
