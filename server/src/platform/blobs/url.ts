import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type BlobLocation =
  | { kind: 'folder'; folder: string }
  | {
      kind: 's3'
      bucket: string
      prefix: string
      endpoint: string | undefined
      region: string | undefined
      forcePathStyle: boolean
    }

/**
 * The location in `BLOB_URL`:
 * `file:///var/lib/lodgeway/blobs`, or `s3://bucket/prefix?region=eu-west-2`, and for another S3-compatible store
 * `s3://bucket/prefix?endpoint=https://store.example:9000` (with `&forcePathStyle=false` if it uses host names).
 */
export function blobLocation(url: string | undefined, dataDir: string): BlobLocation {
  if (url === undefined) return { kind: 'folder', folder: resolve(dataDir, 'blobs') }
  if (/^file:\/(?!\/[^/])/.test(url)) return { kind: 'folder', folder: fileURLToPath(url) }
  if (/^s3:\/\/[^/?]/.test(url)) return s3Location(new URL(url))
  throw new Error('BLOB_URL must look like file:///absolute/folder or s3://bucket/prefix.')
}

function s3Location({ hostname, pathname, username, password, searchParams }: URL): BlobLocation {
  const {
    region,
    endpoint,
    forcePathStyle = String(endpoint !== undefined),
    ...unknown
  } = Object.fromEntries(searchParams)
  if (username || password) {
    throw new Error(
      'BLOB_URL must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role.',
    )
  }
  if (Object.keys(unknown).length > 0) {
    throw new Error(`BLOB_URL takes region, endpoint and forcePathStyle, not ${Object.keys(unknown).join(', ')}.`)
  }
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) {
    throw new Error('The endpoint in BLOB_URL must begin with http:// or https://.')
  }
  if (forcePathStyle !== 'true' && forcePathStyle !== 'false') {
    throw new Error('forcePathStyle in BLOB_URL must be true or false.')
  }
  const folders = decodeURIComponent(pathname)
    .split('/')
    .filter((name) => name !== '')
  const prefix = folders.map((name) => `${name}/`).join('')
  return { kind: 's3', bucket: hostname, prefix, endpoint, region, forcePathStyle: forcePathStyle === 'true' }
}
