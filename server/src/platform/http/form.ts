import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Blobs } from '../blobs/blobs.ts'
import { type Staged, tooLarge } from '../blobs/spool.ts'
import { type FieldError, Refusal } from '../errors.ts'
import { liftDeadline } from './connections.ts'
import type { App } from './http.ts'
import { BODY_BYTES_MAX } from './json.ts'
import { boundaryOf, MalformedForm, type Part, partsOf } from './multipart.ts'
import { FaultyBody, MalformedBody } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Throws where the caller may not send this field at all: asked as soon as its name was read. */
    checkField?: (request: FastifyRequest, name: string) => void
  }
  interface FastifyRequest {
    /** The file of the form. Whoever handles the request keeps or discards it; one that is refused is discarded. */
    upload: Upload
  }
}

/** `name` is what the client called it. */
export type Upload = { staged: Staged; name: string | undefined }

export type FormOptions = {
  blobs: Blobs
  fileBytesMax: number
  /** What a file may be declared as, if it is declared at all. */
  fileTypes: readonly string[]
}

export const FILE_FIELD = 'file'
const PARTS_MAX = 20

/**
 * Has the routes of this app take a form with exactly one file, and no other body. The file is spooled while it arrives.
 * The body of the request is then what makes it the same as another: its fields, and in place of the file its SHA-256.
 */
export function takeForms(app: App, options: FormOptions): void {
  app.decorateRequest('upload')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: Readable) =>
    readForm(request, payload, options),
  )
  app.addHook('onError', async ({ upload }: { upload?: Upload }) => upload?.staged.discard())
}

async function readForm(request: FastifyRequest, payload: Readable, options: FormOptions): Promise<unknown> {
  const form = newForm(request, options)
  liftDeadline(request.raw)
  try {
    const { 'content-type': contentType = '', 'content-length': length } = request.headers
    if (Number(length) > options.fileBytesMax + BODY_BYTES_MAX) throw tooLarge(options.fileBytesMax, FILE_FIELD)
    for await (const part of partsOf(arriving(payload), boundaryOf(contentType), form.spend)) await form.add(part)
    return form.body()
  } catch (error) {
    await form.discard()
    if (error instanceof MalformedForm) return new MalformedBody(error.message)
    throw error
  }
}

/**
 * What comes over a connection is nobody else's, and freed when it was used. Left to the collector, it would be some
 * sixty megabytes before that looks, and it would then walk through the whole heap, several times a second.
 */
async function* arriving(payload: Readable): AsyncGenerator<Buffer<ArrayBuffer>, void> {
  const isOurs = payload instanceof IncomingMessage && payload.socket instanceof Socket
  // A request that is left is not destroyed: that would end the connection before its answer.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    yield chunk
    if (isOurs && chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0)
  }
}

function newForm(request: FastifyRequest, { blobs, fileBytesMax, fileTypes }: FormOptions) {
  const fields = new Map<string, string>()
  const faults: FieldError[] = []
  let upload: Upload | undefined
  let spent = 0
  let parts = 0

  const spend = (bytes: number) => {
    spent += bytes
    if (spent > BODY_BYTES_MAX) throw formTooLarge()
  }

  async function addFile({ fileName, contentType, content }: Part): Promise<void> {
    if (upload) return void faults.push(fault('Exactly one file is expected.'))
    const staged = await blobs.stage(content, { bytesMax: fileBytesMax, field: FILE_FIELD })
    upload = { staged, name: fileName }
    if (contentType !== undefined && !fileTypes.includes(contentType)) {
      faults.push(fault(`The file must be declared as ${fileTypes.join(' or ')}.`))
    } else if (staged.size === 0) faults.push(fault('The file is empty.'))
  }

  async function addField({ name, fileName, content }: Part): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of content) {
      spend(piece.length)
      pieces.push(Buffer.from(piece))
    }
    const message =
      fileName === undefined
        ? fields.has(name) && `${name} must be given once.`
        : `A file is expected in the field ${FILE_FIELD} only.`
    if (message) faults.push({ field: name, message })
    fields.set(name, Buffer.concat(pieces).toString())
  }

  return {
    spend,

    async add(part: Part): Promise<void> {
      if (++parts > PARTS_MAX) throw new MalformedForm(`A form may have at most ${PARTS_MAX} parts.`)
      request.route.checkField?.(request, part.name)
      await (part.name === FILE_FIELD ? addFile(part) : addField(part))
    },

    /** Its fields in one order, in whatever order they came. */
    body(): object {
      if (upload) {
        request.upload = upload
        fields.set(FILE_FIELD, upload.staged.sha256)
      }
      const body = Object.fromEntries([...fields].sort(([a], [b]) => (a < b ? -1 : 1)))
      return faults.length ? new FaultyBody(body, faults) : body
    },

    discard: async () => upload?.staged.discard(),
  }
}

const fault = (message: string): FieldError => ({ field: FILE_FIELD, message })

const formTooLarge = () =>
  new Refusal('too_large', [
    { message: `Beside its file a form may have at most ${BODY_BYTES_MAX.toLocaleString('en-GB')} bytes.` },
  ])
