import type { Body } from './send.ts'
import type { OpenedSource } from './source.ts'
import { streamOf } from './streams.ts'

/**
 * The progress of an upload, in bytes of the file. It starts at zero again when the upload is retried.
 *
 * @example
 * ```ts
 * import type { Progress } from '@lodgeway/client'
 *
 * const show = ({ sentBytes, totalBytes = Number.NaN }: Progress) =>
 *   process.stdout.write(`\r${Math.floor((100 * sentBytes) / totalBytes)} %`)
 * ```
 */
export interface Progress {
  sentBytes: number
  /** Undefined for a stream whose `size` was not given. */
  totalBytes: number | undefined
}

type Form = {
  fields: Record<string, unknown>
  file: OpenedSource
  fileName: string
  onProgress?: ((progress: Progress) => void) | undefined
}

/** A form with one file (RFC 7578), read piece by piece while it is sent. */
export function multipartOf({ fields, file, fileName, onProgress }: Form): {
  body: Body
  headers: Record<string, string>
} {
  const boundary = `lodgeway-${crypto.randomUUID()}`
  const encoder = new TextEncoder()
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const head = encoder.encode(
    given.map(([name, value]) => `${partOf(boundary, `name="${escaped(name)}"`)}\r\n${value}\r\n`).join('') +
      `${partOf(boundary, `name="file"; filename="${escaped(fileName)}"`)}Content-Type: application/pdf\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  let failure: Error | undefined
  let wasOpened = false

  async function* read(touch: () => void): AsyncGenerator<Uint8Array, void, void> {
    let sentBytes = 0
    onProgress?.({ sentBytes, totalBytes: file.size })
    yield head
    try {
      for await (const piece of file.read()) {
        yield piece
        touch()
        sentBytes += piece.byteLength
        onProgress?.({ sentBytes, totalBytes: file.size })
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      throw failure
    }
    yield tail
  }

  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(file.size !== undefined && { 'content-length': String(head.length + file.size + tail.length) }),
    },
    body: {
      open(watch) {
        wasOpened = true
        return streamOf(read(watch.touch))
      },
      canOpen: () => !(file.isReadOnce && wasOpened),
      failure: () => failure,
    },
  }
}

const partOf = (boundary: string, disposition: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`

// As browsers do (WHATWG HTML, "multipart form data"). A percent sign that the service would decode is escaped, too.
const escaped = (name: string) =>
  name
    .replace(/%(?=(?:25)*(?:22|0d|0a))/gi, '%25')
    .replace(/["\r\n]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
