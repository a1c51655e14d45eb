// Why a file is rejected. Each reason is a sentence for the person who sent the file, and says what to do.

/** Thrown by the reader as soon as it finds a reason to reject the file. */
export class RejectedPdf extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RejectedPdf'
  }
}

const SAVE_AGAIN = 'Save the file again with another program and send that.'

export const REASONS = {
  empty: 'The file is empty.',
  notPdf: 'The file is not a PDF: its first bytes must be %PDF- and a version.',
  version: 'The file has a PDF version that is not accepted. Versions 1.0 to 1.7 and 2.0 are.',
  noEnd: 'The file does not end like a PDF: it must end with %%EOF, followed by white space only.',
  archive: 'The file is both a PDF and a ZIP archive. Send a file that is only a PDF.',
  encrypted: 'The file is encrypted. Send it without a password and without restrictions.',
  noPages: 'The file has no pages.',
  script: 'The file contains JavaScript. Send it without scripts.',
  launch: 'The file contains an action that starts a program. Send it without such actions.',
  embedded: 'The file contains an embedded file. Send each file separately.',
  xfa: 'The file contains an XFA form. Print the form to a new PDF and send that.',
  duplicate: `A dictionary in the file has the same key twice, so readers may show different content. ${SAVE_AGAIN}`,
  external: 'A stream of the file is stored in another file. Send a file that contains all of its content.',
  jbig2Header: `A JBIG2 image in the file starts with a file header, which is not allowed in a PDF. ${SAVE_AGAIN}`,
  aborted: 'The file could not be checked: the check ended before it was complete.',
} as const

export const damaged = (what: string) => new RejectedPdf(`The file is damaged: ${what}.`)

export const tooManyPages = (max: number) =>
  new RejectedPdf(`The file has more than ${count(max)} pages, which is the limit.`)

export const tooDeep = (max: number) =>
  new RejectedPdf(`The file nests its objects more than ${count(max)} levels deep, which is the limit.`)

export const unpacksTooFar = (bytesMax: number) =>
  new RejectedPdf(`A stream of the file unpacks to more than ${count(bytesMax)} bytes, which is the limit.`)

export const automaticAction = (type: string) =>
  new RejectedPdf(
    `The file contains an action of type ${type} that runs by itself. Send it without such actions. Links that a reader clicks are allowed.`,
  )

export const misusedCodec = (codec: string) =>
  new RejectedPdf(`The file uses the image codec ${codec} for content that is not an image. ${SAVE_AGAIN}`)

export const tooManyPixels = (max: number) =>
  new RejectedPdf(
    `An image in the file has more than ${count(max)} pixels, which is the limit. Scan it at a lower resolution.`,
  )

export const tooSlow = (milliseconds: number) =>
  `The file could not be checked within ${count(milliseconds / 1000)} seconds, which is the limit.`

export const tooMuchMemory = (bytes: number) =>
  `The file could not be checked within ${count(Math.round(bytes / 1_000_000))} MB of memory, which is the limit.`

const count = (value: number) => value.toLocaleString('en-GB')
