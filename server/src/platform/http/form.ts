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
import { BodyWithErrors, MalformedBody } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Throws if the caller may not send this field. Called as soon as its name was read, of JSON once all were. */
    checkField?: (request: FastifyRequest, name: string) => void
  }
  interface FastifyRequest {
    /** The file of the form. The handler must keep or discard it; when the request is refused it is discarded. */
    upload: Upload
  }
}

/** `name` is the file name that the client sent. */
export type Upload = { staged: Staged; name: string | undefined }

export type FormOptions = {
  blobs: Blobs
  fileBytesMax: number
  /** The media types that a file may be declared as. It may also have none. */
  fileTypes: readonly string[]
}

export const FILE_FIELD = 'file'
const PARTS_MAX = 20

/**
 * The routes of this app accept a form with exactly one file, and no other body. The file is spooled while it arrives.
 * `request.body` then holds the fields, and the SHA-256 in place of the file, so that equal requests have equal bodies.
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
 * The chunks of a connection are used only here, so each is freed after use. Otherwise about 60 MB would pile up before
 * the garbage collector runs, and it would then scan the whole heap several times a second.
 */
async function* arriving(payload: Readable): AsyncGenerator<Buffer<ArrayBuffer>, void> {
  const isOurs = payload instanceof IncomingMessage && payload.socket instanceof Socket
  // A request that is not read to its end is not destroyed: that would close the connection before its response.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    yield chunk
    if (isOurs && chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0)
  }
}

function newForm(request: FastifyRequest, { blobs, fileBytesMax, fileTypes }: FormOptions) {
  const fields = new Map<string, string>()
  const errors: FieldError[] = []
  let upload: Upload | undefined
  let spent = 0
  let parts = 0

  const spend = (bytes: number) => {
    spent += bytes
    if (spent > BODY_BYTES_MAX) throw formTooLarge()
  }

  async function addFile({ fileName, contentType, content }: Part): Promise<void> {
    if (upload) return void errors.push(fileError('Exactly one file is expected.'))
    const staged = await blobs.stage(content, { bytesMax: fileBytesMax, field: FILE_FIELD })
    upload = { staged, name: fileName }
    if (contentType !== undefined && !fileTypes.includes(contentType)) {
      errors.push(fileError(`The file must be declared as ${fileTypes.join(' or ')}.`))
    } else if (staged.size === 0) errors.push(fileError('The file is empty.'))
  }

  async function addField({ name, fileName, content }: Part): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of content) {
      spend(piece.length)
      pieces.push(Buffer.from(piece))
    }
    const message =
      fileName === undefined
        ? fields.has(name) && `${name} must be sent once.`
        : `A file is expected in the field ${FILE_FIELD} only.`
    if (message) errors.push({ field: name, message })
    fields.set(name, Buffer.concat(pieces).toString())
  }

  return {
    spend,

    async add(part: Part): Promise<void> {
      if (++parts > PARTS_MAX) throw new MalformedForm(`A form may have at most ${PARTS_MAX} parts.`)
      request.route.checkField?.(request, part.name)
      await (part.name === FILE_FIELD ? addFile(part) : addField(part))
    },

    /** Its fields sorted by name, so that their order on the wire does not matter. */
    body(): object {
      if (upload) {
        request.upload = upload
        fields.set(FILE_FIELD, upload.staged.sha256)
      }
      const body = Object.fromEntries([...fields].sort(([a], [b]) => (a < b ? -1 : 1)))
      return errors.length ? new BodyWithErrors(body, errors) : body
    },

    discard: async () => upload?.staged.discard(),
  }
}

const fileError = (message: string): FieldError => ({ field: FILE_FIELD, message })

const formTooLarge = () =>
  new Refusal('too_large', [
    { message: `A form may have at most ${BODY_BYTES_MAX.toLocaleString('en-GB')} bytes in addition to its file.` },
  ])
