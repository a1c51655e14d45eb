import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fileNameOf } from '../../client/src/download.ts'
import { multipartOf } from '../../client/src/multipart.ts'
import { startWatch } from '../../client/src/watch.ts'
import { fileNameOf as storedName } from '../src/documents/rules.ts'
import { disposition } from '../src/platform/http/download.ts'
import { boundaryOf, partsOf } from '../src/platform/http/multipart.ts'

// The name of a file on its way from the client to the service and back.

/** The name that the service reads from the form that the client sends. */
async function received(fileName: string): Promise<string | undefined> {
  const file = { read: async function* () {}, size: 0, fileName: undefined, isReadOnce: false }
  const { body, headers } = multipartOf({ fields: {}, file, fileName })
  const watch = startWatch(60_000)
  const form = body.open(watch) as AsyncIterable<Uint8Array>
  try {
    for await (const part of partsOf(form, boundaryOf(headers['content-type'] ?? ''), () => {})) return part.fileName
    return undefined
  } finally {
    watch.release()
  }
}

const TRICKY = [
  '"',
  '%',
  '22',
  '25',
  '0D',
  '0a',
  '%22',
  '%2522',
  '\r',
  '\n',
  ';',
  '=',
  "'",
  'filename*=',
  ' ',
  'é',
  '😀',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: 'grapheme', maxLength: 3 })), { minLength: 1 })
  .map((parts) => parts.join(''))

describe('the name of a file', () => {
  it('arrives as it was sent, whatever it holds', async () => {
    const sent = text.filter((name) => !name.includes('\\')) // which others use to escape
    await fc.assert(fc.asyncProperty(sent, async (name) => assert.equal(await received(name), name)))
  })

  it('comes back as it was served, whatever it holds', () => {
    fc.assert(fc.property(text, (name) => assert.equal(fileNameOf(disposition(name)), name)))
  })

  it('is the same when it is uploaded and downloaded, if it is a name for a PDF', async () => {
    const stored = text.map(storedName)
    await fc.assert(
      fc.asyncProperty(stored, async (name) => {
        assert.equal(fileNameOf(disposition(storedName(await received(name)))), name)
      }),
    )
  })

  for (const name of ['6" plan.pdf', '6%22 plan.pdf', '100%25.pdf', 'a%2522b.pdf', `a filename*=UTF-8''b.pdf`]) {
    it(`stays ${name}`, async () => {
      assert.equal(fileNameOf(disposition(storedName(await received(name)))), name)
    })
  }

  it('is read as browsers send it', async () => {
    for (const [sent, name] of [
      ['6%22 plan.pdf', '6" plan.pdf'],
      ['50%.pdf', '50%.pdf'],
      ['My%20deed%25.pdf', 'My%20deed%25.pdf'],
      ['6\\" plan.pdf', '6" plan.pdf'],
    ]) {
      const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="${sent}"\r\n\r\n\r\n--x--\r\n`
      for await (const part of partsOf(bytesOf(form), 'x', () => {})) assert.equal(part.fileName, name)
    }
  })
})

async function* bytesOf(form: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(form)
}
