import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { S3_CREDENTIALS, startS3 } from '../../../test/fakes/s3.ts'
import { blobLocation } from './url.ts'

export type BlobPlace = { url: string; spool: string; leave(): Promise<void> }

/** The stores that must keep the same promises. */
export const BLOB_STORES: { name: string; enter(dataDir: string): Promise<BlobPlace> }[] = [
  { name: 'a folder', enter: enterFolder },
  process.env['BLOB_CONTRACT_URL']
    ? { name: 'the bucket of BLOB_CONTRACT_URL', enter: enterBucket }
    : { name: 'an S3 bucket', enter: enterS3 },
]

async function enterFolder(dataDir: string): Promise<BlobPlace> {
  return { url: `file://${dataDir}/kept`, spool: join(dataDir, 'kept/spool'), async leave() {} }
}

async function enterS3(dataDir: string): Promise<BlobPlace> {
  Object.assign(process.env, S3_CREDENTIALS)
  const server = await startS3(join(dataDir, 's3'))
  return { url: server.url, spool: join(dataDir, 'spool'), leave: () => server.close() }
}

async function enterBucket(dataDir: string): Promise<BlobPlace> {
  const url = new URL(process.env['BLOB_CONTRACT_URL'] ?? '')
  url.pathname += `/contract-${randomUUID()}`
  const { openS3Store } = await import('./s3.ts')
  const leave = async () => {
    const location = blobLocation(url.href, dataDir)
    if (location.kind === 's3') await openS3Store(location).remove('check')
  }
  return { url: url.href, spool: join(dataDir, 'spool'), leave }
}

const KEEPER = `
  import { randomBytes } from 'node:crypto'
  import { Readable } from 'node:stream'
  import { openBlobs } from '${new URL('blobs.ts', import.meta.url)}'
  import { openDb } from '${new URL('../database/db.ts', import.meta.url)}'
  const { url, dataDir, databaseUrl } = JSON.parse(process.argv[1])
  const db = openDb({ url: databaseUrl, poolSize: 2 })
  const blobs = await openBlobs({ url, dataDir })
  const keepOn = async () => {
    for (;;) {
      const staged = await blobs.stage(Readable.from([randomBytes(200_000), randomBytes(200_000)]), { bytesMax: 1e6 })
      process.stdout.write((await blobs.keep(db, staged)).sha256 + '\\n')
    }
  }
  await Promise.all(Array.from({ length: 8 }, keepOn))
`

/** A process of its own keeps one blob after the other and is killed soon after the first. Returns what it confirmed. */
export async function keepUntilKilled(settings: {
  url: string
  dataDir: string
  databaseUrl: string
}): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', KEEPER, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const confirmed: string[] = []
  for await (const sha256 of createInterface(child.stdout)) {
    if (confirmed.length === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 100)
    confirmed.push(sha256)
  }
  return confirmed
}
