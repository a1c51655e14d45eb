import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { ConnectionError, createClient, isApiError } from '@lodgeway/client'
import { verifyWebhook, WebhookError } from '@lodgeway/client/webhooks'

// The compiled package on an old Node: `node smoke.mjs <address> <a file to upload> <where to save>`.
// The service behind the address answers in this order; see package.test.ts.

const [, , baseUrl, path, to] = process.argv
const retry = { firstMs: 5, longestMs: 20 }
const lodgeway = createClient({ baseUrl, clientId: 'me', clientSecret: 'secret', retry })

const references = []
for await (const { reference } of lodgeway.records('listWorkspaces')) references.push(reference)
assert.deepEqual(references, ['A', 'B', 'C'])

const input = { path: { workspace_id: 'w' } }
const error = await lodgeway.getWorkspace(input).catch((one) => one)
assert.ok(isApiError(error, 404) && error.messageAt('workspace_id') === 'No such workspace.')

const { titleNumber } = await lodgeway.addTitle({ ...input, body: { titleNumber: 'ST500678' } })
assert.equal(titleNumber, 'ST500678')

const fields = { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' }
let sent = 0
for (const file of [path, await readFile(path), createReadStream(path)]) {
  const onProgress = ({ sentBytes }) => {
    sent = sentBytes
  }
  await lodgeway.upload('uploadFile', { ...input, fields, file, onProgress })
  assert.equal(sent, (await readFile(path)).length)
}

const report = { path: { report_name: 'report-workspacesummary-todate' } }
await lodgeway.downloadTo('getReportContent', { ...report, to })
const { stream } = await lodgeway.download('getReportContent', report)
assert.ok((await buffer(stream)).equals(await readFile(to)))

const lonely = createClient({ baseUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b', retry: { attempts: 1 } })
assert.ok((await lonely.listWorkspaces().catch((one) => one)) instanceof ConnectionError)
await assert.rejects(lodgeway.listWorkspaces({ signal: AbortSignal.abort(new Error('enough')) }), /enough/)
assert.throws(() => verifyWebhook({ secret: 'whsec_whsec_', headers: {}, body: '' }), WebhookError)

process.stdout.write(process.versions.node)
