import { createHash, randomUUID } from 'node:crypto'
import { type Answer, badRequest, type Context, type Inbound, jsonOf, problem } from './answers.ts'
import { misfits, uploadRequest } from './schemas.ts'
import type { Upload } from './state.ts'

const ADDRESS_VALID_MS = 10 * 60_000
const KEPT_MS = 180 * 86_400_000

/** In place of an account: the published documents are for all. */
export const EVERYBODY = '*'

type UploadData = { document_type: string; file_length: number; file_sha256: string }

/** `POST /v1/documents/url`: an address for one file. */
export function requestUpload(context: Context, account: string, inbound: Inbound): Answer {
  const json = jsonOf(inbound)
  const problems = misfits(uploadRequest, json).map(({ pointer, detail }) => {
    const value = (json as { data?: Record<string, unknown> } | undefined)?.data?.['document_type']
    return pointer === '/data/document_type' && value !== undefined
      ? { type: 'L1A_JSON_PARSE_ERROR', detail: `Invalid document_type: '${String(value)}'` }
      : { type: 'L1A_SCHEMA_VALIDATION_ERROR', detail: `There are problems with the JSON provided [${detail}]` }
  })
  if (problems.length) return badRequest(context, problems)

  const { document_type: type, file_length: length, file_sha256: sha256 } = (json as { data: UploadData }).data
  const documentId = randomUUID()
  const requestedAt = context.control.now()
  context.state.uploads.set(documentId, { documentId, account, type, length, sha256, requestedAt })
  const address = `${context.storageUrl}/upload/${documentId}?signature=${signatureOf(documentId)}`
  // The guide's example has no scheme, the stub's has one.
  const url = context.control.dialect === 'guide' ? address.replace('https://', '') : address
  return { status: 200, body: { data: { upload_url: url, document_id: documentId } } }
}

/**
 * `PUT` to the address: only the very file that was announced, within ten minutes, once. Credentials of any kind are
 * refused: they are not for this server.
 */
export function receiveUpload({ control, state }: Context, { path, query, headers, body }: Inbound): Answer {
  const upload = state.uploads.get(path.slice('/upload/'.length))
  if (!upload || query.get('signature') !== signatureOf(upload.documentId)) return refusal(403, 'SignatureDoesNotMatch')
  if (control.now().getTime() - upload.requestedAt.getTime() > ADDRESS_VALID_MS) return refusal(403, 'AccessDenied')
  if (upload.bytes) return refusal(403, 'AccessDenied')
  const isAnnounced =
    headers['content-length'] === String(upload.length) && headers['x-amz-checksum-sha256'] === upload.sha256
  if (!isAnnounced) return refusal(403, 'SignatureDoesNotMatch')
  const actual = createHash('sha256').update(body).digest('base64')
  if (body.length !== upload.length || actual !== upload.sha256) return refusal(400, 'BadDigest')
  upload.bytes = body
  return { status: 200 }
}

/** A file that an account has uploaded and the registry still has. */
export function findUpload({ control, state }: Context, account: string, documentId: string): Upload | undefined {
  const upload = state.uploads.get(documentId)
  const isKept = upload && control.now().getTime() - upload.requestedAt.getTime() <= KEPT_MS
  return isKept && upload.account === account ? upload : undefined
}

/** `GET /v1/documents/{download_id}`: the bytes are elsewhere. */
export function redirectToDownload(context: Context, account: string, id: string): Answer {
  const download = context.state.downloads.get(id)
  if (download?.account !== account && download?.account !== EVERYBODY)
    return problem(context, 404, 'The document was not found.')
  const expires = context.control.now().getTime() + ADDRESS_VALID_MS
  const address = `${context.storageUrl}/download/${id}?expires=${expires}&signature=${signatureOf(`${id} ${expires}`)}`
  return { status: 302, headers: { location: address } }
}

export function sendDownload({ control, state }: Context, { path, query }: Inbound): Answer {
  const id = path.slice('/download/'.length)
  const download = state.downloads.get(id)
  const expires = query.get('expires')
  if (!download || query.get('signature') !== signatureOf(`${id} ${expires}`)) {
    return refusal(403, 'SignatureDoesNotMatch')
  }
  if (control.now().getTime() > Number(expires)) return refusal(403, 'AccessDenied')
  return { status: 200, headers: { 'content-type': 'application/pdf' }, body: download.bytes }
}

const signatureOf = (id: string) => createHash('sha256').update(`storage:${id}`).digest('hex').slice(0, 32)

/** Errors of the storage are XML. */
export const refusal = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
})
