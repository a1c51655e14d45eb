import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { openBlobs } from '../../src/platform/blobs/blobs.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { filesPath, offer } from '../fixtures/documents.ts'
import { aPdf, fieldParts, filePart, formOf, formType } from '../fixtures/multipart.ts'
import type { ServiceProcess } from '../fixtures/process.ts'
import { callerOf } from '../fixtures/service.ts'
import { aCreation, CREATE } from '../fixtures/workspaces.ts'

const AGAIN_MS = 100
const LIFE_MS = { least: 200, most: 2_000 }

/** So many senders at once, of files up to so many bytes. */
export type UploadSize = { kills: number; senders: number; bytesMax: number }

export type UploadFigures = {
  kills: number
  accepted: number
  megabytes: number
  /** Uploads that were cut off and sent again with the same key. */
  repeated: number
  lost: number
  twice: number
  withoutBytes: number
  otherBytes: number
  /** What the kills left of uploads that were never accepted: stored bytes and spooled bytes. */
  orphans: number
  leftAfterSweep: number
  slowestRestartMs: number
}

/** Uploads while the whole service is killed with -9 at random: each row has its bytes, complete. */
export async function proveUploads(service: ServiceProcess, size: UploadSize): Promise<UploadFigures> {
  const { kills, senders, bytesMax } = size
  await service.start()
  const { call, tokenOf } = callerOf(service.url)
  const { body } = await call<{ workspaceId: string }>('POST', CREATE, { as: 'sandbox-lender', json: aCreation() })
  const url = service.url + filesPath(body.workspaceId)
  const progress: Progress = { sent: new Map(), repeated: 0, bytes: 0, isOver: false }
  const token = await tokenOf('sandbox-law-firm')
  const sending = Array.from({ length: senders }, (_, sender) => sendMany({ url, token, sender, bytesMax }, progress))
  const end = () => {
    progress.isOver = true
  }
  const [slowestRestartMs] = await Promise.all([
    killAtRandom(service, kills, progress).finally(end),
    Promise.all(sending).finally(end),
  ])
  await service.kill('SIGTERM')
  const { repeated, bytes, sent } = progress
  const figures = { kills, accepted: sent.size, megabytes: Math.round(bytes / 1e6), repeated, slowestRestartMs }
  return { ...figures, ...(await inspect(service, sent)) }
}

type Sender = { url: string; token: string; sender: number; bytesMax: number }

/** `sent`: the hash of each file that was accepted, by the id of its request. */
type Progress = { sent: Map<string, string>; repeated: number; bytes: number; isOver: boolean }

/** Every upload is repeated, with its key, until it is answered, so that every outcome is known. */
async function sendMany({ url, token, sender, bytesMax }: Sender, progress: Progress): Promise<void> {
  for (let turn = 0; !progress.isOver; turn++) {
    const file = aPdf(randomBytes(Math.ceil((Math.random() * bytesMax) / 2)).toString('hex'))
    const id = `proof-${sender}-${turn}`
    const headers = { 'idempotency-key': id, 'x-request-correlation-id': id, 'content-type': formType() }
    const body = new Uint8Array(formOf([...fieldParts(offer()), filePart(file)]))
    for (let attempt = 1; !(await send(url, { ...headers, authorization: `Bearer ${token}` }, body)); attempt++) {
      if (attempt === 1) progress.repeated += 1
      await delay(AGAIN_MS)
    }
    progress.sent.set(id, createHash('sha256').update(file).digest('hex'))
    progress.bytes += file.length
  }
}

/** False if the service was down; a refusal is a mistake of the proof. */
async function send(url: string, headers: Record<string, string>, body: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const answer = await fetch(url, { method: 'POST', headers, body })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => undefined)
  if (answer === undefined || answer.status === 503 || answer.text.includes('Idempotency-Key')) return false
  assert.equal(answer.status, 202, answer.text)
  return true
}

async function killAtRandom(service: ServiceProcess, kills: number, progress: Progress): Promise<number> {
  let slowestRestartMs = 0
  for (let kill = 0; kill < kills; kill++) {
    const before = progress.sent.size
    await delay(LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least))
    while (progress.sent.size === before && !progress.isOver) await delay(5) // a service that accepts nothing shows nothing
    if (progress.isOver) break // a sender failed
    await delay(Math.random() * LIFE_MS.least)
    await service.kill('SIGKILL')
    const killedAt = performance.now()
    await service.start()
    slowestRestartMs = Math.max(slowestRestartMs, Math.round(performance.now() - killedAt))
  }
  return slowestRestartMs
}

async function inspect(service: ServiceProcess, sent: ReadonlyMap<string, string>) {
  const { dataDir } = service
  const postgres = await service.postgres()
  const db = openDb({ url: postgres.ownerUrl, poolSize: 2 })
  const blobs = await openBlobs({ url: undefined, dataDir })
  try {
    const rows = await db.query<{ id: string; sha256: string; size: number }>(
      `select correlation_id as id, sha256, size from files where correlation_id like 'proof-%'`,
    )
    const hashes = new Map(rows.map(({ id, sha256 }) => [id, sha256]))
    const stored = await bytesIn(join(dataDir, 'blobs'))
    const spooled = stored.filter((path) => path.includes('/spool/'))
    const kept = new Map(stored.filter((path) => !path.includes('/spool/')).map((path) => [basename(path), path]))
    const named = new Set(await namedBlobs(db))
    const orphans = [...kept.keys()].filter((sha256) => !named.has(sha256)).length + spooled.length
    const otherBytes = await Promise.all([...kept].map(async ([sha256, path]) => (await hashOf(path)) !== sha256))
    await blobs.sweep(db, { ageMs: 0 })
    const left = (await bytesIn(join(dataDir, 'blobs'))).map((path) => basename(path))
    return {
      lost: [...sent].filter(([id, sha256]) => hashes.get(id) !== sha256).length,
      twice: rows.length - hashes.size,
      withoutBytes: rows.filter(({ sha256 }) => !kept.has(sha256)).length,
      otherBytes: otherBytes.filter(Boolean).length,
      orphans,
      leftAfterSweep:
        left.filter((name) => !named.has(name)).length + [...named].filter((one) => !left.includes(one)).length,
    }
  } finally {
    blobs.close()
    await db.close()
    await postgres.stop()
  }
}

/** Every blob that a row of any table names. */
async function namedBlobs(db: Db): Promise<string[]> {
  const rows = await db.query<{ sha256: string }>(
    `select sha256 from files union select sha256 from title_documents where sha256 is not null
     union select sha256 from reports where sha256 is not null`,
  )
  return rows.map(({ sha256 }) => sha256)
}

async function bytesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
