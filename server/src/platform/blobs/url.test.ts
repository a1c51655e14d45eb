import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { blobLocation } from './url.ts'

describe('blobLocation', () => {
  it('reads a folder and a bucket', () => {
    assert.deepEqual(blobLocation(undefined, '/data'), { kind: 'folder', folder: '/data/blobs' })
    assert.deepEqual(blobLocation('file:///var/my%20blobs', '/data'), { kind: 'folder', folder: '/var/my blobs' })
    assert.deepEqual(blobLocation('s3://Bucket/a/b/?region=eu-west-2', '/data'), {
      kind: 's3',
      bucket: 'Bucket',
      prefix: 'a/b/',
      region: 'eu-west-2',
      endpoint: undefined,
      forcePathStyle: false,
    })
    assert.deepEqual(blobLocation('s3://bucket?endpoint=http://store:9000', '/data'), {
      kind: 's3',
      bucket: 'bucket',
      prefix: '',
      region: undefined,
      endpoint: 'http://store:9000',
      forcePathStyle: true,
    })
  })

  it('refuses what it does not understand', () => {
    for (const url of [
      'file:blobs',
      'file://host/blobs',
      's3:bucket',
      's3:///prefix',
      '/var/blobs',
      'https://bucket',
      '',
    ]) {
      assert.throws(() => blobLocation(url, '/data'), /BLOB_URL must look like/, url)
    }
    assert.throws(() => blobLocation('s3://key:secret@bucket', '/data'), /must not hold credentials/)
    assert.throws(() => blobLocation('s3://bucket?regoin=eu-west-2', '/data'), /not regoin/)
    assert.throws(() => blobLocation('s3://bucket?endpoint=store:9000', '/data'), /must begin with http/)
    assert.throws(() => blobLocation('s3://bucket?forcePathStyle=yes', '/data'), /true or false/)
  })
})
