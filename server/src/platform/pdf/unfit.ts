// Why a file is not kept. Each reason is a sentence for the person who sent it.

export class Unfit extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unfit'
  }
}

export const REASONS = {
  empty: 'The file is empty.',
  notPdf: 'The file is no PDF: it must begin with %PDF- and a version, at its very first byte.',
  version: 'The file is of a PDF version that is not accepted. Accepted are 1.0 to 1.7 and 2.0.',
  noEnd: 'The file does not end as a PDF does: %%EOF must stand at its end, with nothing but white space after it.',
  archive: 'The file is a ZIP archive as well as a PDF. Send a PDF that is nothing else.',
  encrypted: 'The file is encrypted. Send it without a password and without restrictions.',
  noPages: 'The file has no page.',
  script: 'The file holds JavaScript. Send it without scripts.',
  launch: 'The file holds an action that launches a program. Send it without such actions.',
  embedded: 'The file holds another file that is embedded in it. Send each file by itself.',
  xfa: 'The file holds an XFA form. Send it without one: print the form to a new PDF and send that.',
  duplicate:
    'A dictionary of the file has the same key twice, so readers may show different things. Save the file again with another program and send that.',
  external: 'A stream of the file is stored in another file. Send a file that holds all of its content.',
  fileHeader:
    'A JBIG2 image of the file has a file header, which a PDF must not hold. Save the file again with another program and send that.',
  abandoned: 'The file could not be checked: the check of it broke off.',
} as const

export const damaged = (what: string) => new Unfit(`The file is damaged: ${what}.`)

export const tooManyPages = (max: number) => new Unfit(`The file has more than ${count(max)} pages, the most allowed.`)

export const tooDeep = (max: number) => new Unfit(`The file nests its objects deeper than ${count(max)} levels.`)

export const unpacksTooFar = (bytesMax: number) =>
  new Unfit(`A stream of the file unpacks to more than ${count(bytesMax)} bytes, the most allowed.`)

export const automaticAction = (type: string) =>
  new Unfit(
    `The file performs an action of type ${type} without being asked. Send it without automatic actions; links to click are fine.`,
  )

export const misusedCodec = (codec: string) =>
  new Unfit(
    `The file uses the image codec ${codec} for something other than an image. Save the file again with another program and send that.`,
  )

export const tooManyPixels = (max: number) =>
  new Unfit(`An image of the file has more than ${count(max)} pixels, the most allowed. Scan it at a lower resolution.`)

export const tooSlow = (milliseconds: number) =>
  `The file could not be checked within ${count(milliseconds / 1000)} seconds, the longest that a check may take.`

export const tooHungry = (bytes: number) =>
  `The file could not be checked within ${count(Math.round(bytes / 1_000_000))} MB of memory, the most that a check may use.`

const count = (value: number) => value.toLocaleString('en-GB')
