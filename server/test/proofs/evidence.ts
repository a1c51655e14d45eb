import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { verifyPack } from '../../src/evidence/verify.ts'
import { PEOPLE } from '../../src/sandbox/accounts.ts'
import { aBrowser } from '../fixtures/browser.ts'
import { filesPath, offer } from '../fixtures/documents.ts'
import { eventually } from '../fixtures/eventually.ts'
import { aPdf, upload } from '../fixtures/multipart.ts'
import type { ServiceProcess } from '../fixtures/process.ts'
import { callerOf } from '../fixtures/service.ts'
import { aCreation, CREATE, WORKSPACES } from '../fixtures/workspaces.ts'

const DOCUMENT_BYTES = 40_000_000
const FIRM = 'sandbox-law-firm'

export type EvidenceFigures = {
  megabytes: number
  documents: number
  idleMegabytes: number
  /** The most that the process had while it sent the pack, beyond what it had before. */
  aboveIdleMegabytes: number
  seconds: number
  findings: string[]
}

type Asked = { megabytes: number; by: 'interface' | 'console' }

/** The evidence of a matter with so many bytes of documents, asked from a service that was just started. */
export async function proveEvidence(service: ServiceProcess, { megabytes, by }: Asked): Promise<EvidenceFigures> {
  await service.start()
  const { call, tokenOf } = callerOf(service.url)
  const operationOf = async (id: string) => {
    const headers = { authorization: `Bearer ${await tokenOf(FIRM)}` }
    return () => fetch(`${service.url}${WORKSPACES}/${id}/evidence`, { headers })
  }
  const { body } = await call<{ workspaceId: string }>('POST', CREATE, { as: 'sandbox-lender', json: aCreation() })
  const hashes = []
  for (let left = megabytes * 1e6; left > 0; left -= DOCUMENT_BYTES) {
    const file = aPdf(randomBytes(Math.min(left, DOCUMENT_BYTES) / 2).toString('hex'))
    hashes.push(createHash('sha256').update(file).digest('hex'))
    const { status, text } = await upload({ call }, filesPath(body.workspaceId), { as: FIRM, fields: offer(), file })
    assert.equal(status, 202, text)
  }
  const settled = `select from files where status = 'PENDING'`
  await eventually(async () => (await service.query(settled)).length === 0, 60_000)
  await service.kill('SIGTERM')
  await service.start()

  const ask = by === 'console' ? await pageOf(service.url, body.workspaceId) : await operationOf(body.workspaceId)
  const idle = await memoryOf(service.pid())
  await writeFile(`/proc/${service.pid()}/clear_refs`, '5') // the highest is counted from here
  const startedAt = performance.now()
  const path = join(service.dataDir, 'evidence.zip')
  const response = await ask()
  assert.equal(response.status, 200)
  await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(path))
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  const { highest } = await memoryOf(service.pid())

  const { findings, manifest } = await verifyPack(path)
  const packed = manifest?.files.flatMap(({ fileId, sha256 }) => (fileId ? [sha256] : []))
  assert.deepEqual(packed?.sort(), hashes.sort())
  const figures = { megabytes, documents: hashes.length, idleMegabytes: idle.now, seconds, findings }
  return { ...figures, aboveIdleMegabytes: Math.round(highest - idle.now) }
}

/** The button of the console, by somebody who is signed in. */
async function pageOf(url: string, workspaceId: string): Promise<() => Promise<Response>> {
  const browser = aBrowser()
  const person = PEOPLE.find(({ name }) => name === 'Sam Reid')?.id ?? ''
  await browser.post(`${url}/console/sign-in`, { person, returnTo: '/console/me' })
  return () => browser.send(`${url}/console/matters/${workspaceId}/evidence`)
}

async function memoryOf(pid: number): Promise<{ now: number; highest: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') }
}
