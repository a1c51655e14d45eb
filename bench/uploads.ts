import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PARTNER_PATH } from '../server/src/workspaces/path.ts'
import { aPdf, fieldParts, filePart, formOf, formType } from '../server/test/fixtures/multipart.ts'
import { type Copies, sharedCopies } from './copies.ts'
import { type HttpLoad, type Measurement, runHttp, type Side } from './harness.ts'
import { type Helper, startHelper } from './helper.ts'
import { exchange, load, requestBytes } from './load.ts'
import type { Testbed } from './testbed.ts'

// Uploads: a file is received as a form, hashed, spooled, checked and synced, and its row is written. And downloads.

const MB = 1_000_000
const UPLOAD_MB_MAX = 40
const GROWN_MB_MAX = 64
const MEMORY_UPLOADS = 32
const MEMORY_EVERY_MS = 100
const DOWNLOAD_CONNECTIONS = 32
const FIELDS = { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' }
const MARK = '0123456789abcdef'

type Setup = { raw: Helper & { url: string }; copies: Copies }
let setup: Promise<Setup> | undefined

function prepare(testbed: Testbed): Promise<Setup> {
  setup ??= (async () => {
    const helper = startHelper('raw-uploads.ts')
    testbed.onStop(() => helper.stop())
    return { raw: { ...helper, url: await helper.ask<string>('start') }, copies: await sharedCopies(testbed) }
  })()
  return setup
}

/** Requests of one size, one for each workspace. Each time a request is sent it contains a different file. */
export function uploadRequests(lender: string, workspaceIds: readonly string[], megabytes: number): HttpLoad {
  const size = aPdf(MARK).length
  const form = formOf([...fieldParts(FIELDS), filePart(aPdf(MARK + 'x'.repeat(megabytes * MB - size)))])
  const headers = { Authorization: `Bearer ${lender}`, Accept: 'application/json', 'Content-Type': formType() }
  const requests = workspaceIds.map((id) => {
    const path = `${PARTNER_PATH}/workspaces/${id}/files`
    return Buffer.concat([requestBytes('POST', path, { ...headers, 'Content-Length': String(form.length) }), form])
  })
  const markAt = requests[0]?.indexOf(MARK) ?? 0
  let turn = 0
  const renew = (request: Buffer) => void request.write(String(turn++).padStart(MARK.length, '0'), markAt)
  return { requests, connections: requests.length, renew }
}

/** The service without the check of the PDF, and beside it plain HTTP, others, and the service with the check. */
export async function uploadSides(
  testbed: Testbed,
  others: Measurement['limits'] = [],
  { megabytes, connections } = { megabytes: 1, connections: 32 },
): Promise<Pick<Measurement, 'service' | 'limits'>> {
  const { raw, copies } = await prepare(testbed)
  const sent = uploadRequests(copies.lender, copies.workspaceIds.slice(0, connections), megabytes)
  const side = (check: 'checked' | 'unchecked'): Side => ({
    name: check === 'checked' ? 'itself, with the check of the PDF' : 'service',
    run: async (seconds) => {
      await testbed.service.ask('checkPdfs', check === 'checked')
      const sample = await runHttp(testbed.service, sent, seconds)
      await sweep(testbed)
      return sample
    },
  })
  const bare: Side = {
    name: 'node:http, hash and synced file',
    run: async (seconds) => {
      const sample = await runHttp(raw, sent, seconds)
      await raw.ask('sweep')
      return sample
    },
  }
  return { service: side('unchecked'), limits: [{ ...bare, goal: 0.6 }, ...others, side('checked')] }
}

const upload40mb = async (testbed: Testbed): Promise<Measurement> => ({
  name: 'upload-40mb',
  title: 'upload 40 MB',
  ...(await uploadSides(testbed, [], { megabytes: UPLOAD_MB_MAX, connections: 4 })),
})

// The uploads of a few seconds would fill a disk.
async function sweep({ owner, service }: Testbed): Promise<void> {
  await owner.query(`delete from files where document_type = '${FIELDS.documentType}'`)
  await service.ask('sweep')
}

async function download(testbed: Testbed): Promise<Measurement> {
  const { raw, copies } = await prepare(testbed)
  await testbed.service.ask('checkPdfs', true)
  const [request = Buffer.of()] = uploadRequests(copies.lender, copies.workspaceIds.slice(0, 1), 1).requests
  const { status, body } = await exchange(testbed.service.url, request)
  if (status !== 202) throw new Error(`The file was not accepted: ${status} ${body}`)
  await testbed.owner.query(`update files set status = 'SUCCESS'`)
  const file = request.subarray(request.indexOf('%PDF'), request.lastIndexOf('%%EOF') + '%%EOF\n'.length)
  const path = join(testbed.dataDir, 'served.pdf')
  await writeFile(path, file)
  await raw.ask('serve', { path, size: file.length })
  const { fileId } = JSON.parse(body) as { fileId: string }
  const url = `${PARTNER_PATH}/workspaces/${copies.workspaceIds[0]}/files/${fileId}/content`
  const requests = [requestBytes('GET', url, { Authorization: `Bearer ${copies.lender}` })]
  const sideOf = (name: string, server: Helper & { url: string }): Side => ({
    name,
    run: (seconds) => runHttp(server, { requests, connections: DOWNLOAD_CONNECTIONS }, seconds),
  })
  const limits = [{ ...sideOf('node:http and the file', raw), goal: 0.8 }]
  return { name: 'download', title: 'download 1 MB', service: sideOf('service', testbed.service), limits }
}

/** The memory is compared with that before the first upload, so run this one alone. */
async function memory(testbed: Testbed): Promise<Measurement> {
  const { copies } = await prepare(testbed)
  const requests = uploadRequests(copies.lender, copies.workspaceIds.slice(0, 1), UPLOAD_MB_MAX)
  const sent = { ...requests, connections: MEMORY_UPLOADS }
  await testbed.service.ask('checkPdfs', false)
  const before = await testbed.service.memoryBytes()
  const run: Side['run'] = async (seconds) => {
    let most = before
    const watch = { isOver: false }
    const watching = (async () => {
      for (; !watch.isOver; await new Promise((done) => setTimeout(done, MEMORY_EVERY_MS))) {
        most = Math.max(most, await testbed.service.memoryBytes())
      }
    })()
    const { perSecond, p50Ms, p99Ms } = await load({ ...sent, url: testbed.service.url, milliseconds: seconds * 1000 })
    watch.isOver = true
    await watching
    await sweep(testbed)
    return { perSecond, p50Ms, p99Ms, grownMb: (most - before) / MB }
  }
  const title = `${MEMORY_UPLOADS} uploads of ${UPLOAD_MB_MAX} MB at once`
  return { name: 'upload-memory', title, service: { name: 'service', run }, limits: [], grownMbMax: GROWN_MB_MAX }
}

export const uploadMeasurements = {
  'upload-40mb': upload40mb,
  download,
  'upload-memory': memory,
}
