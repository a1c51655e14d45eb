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
  abandoned: 'The file could not be checked: the check of it broke off.',
} as const

export const damaged = (what: string) => new Unfit(`The file is damaged: ${what}.`)

export const tooManyPages = (max: number) => new Unfit(`The file has more than ${count(max)} pages, the most allowed.`)

export const tooDeep = (max: number) => new Unfit(`The file nests its objects deeper than ${count(max)} levels.`)

export const unpacksTooFar = (bytesMax: number) =>
  new Unfit(`A stream of the file unpacks to more than ${count(bytesMax)} bytes, the most allowed.`)

export const tooSlow = (milliseconds: number) =>
  `The file could not be checked within ${count(milliseconds / 1000)} seconds, the longest that a check may take.`

export const tooHungry = (bytes: number) =>
  `The file could not be checked within ${count(Math.round(bytes / 1_000_000))} MB of memory, the most that a check may use.`

const count = (value: number) => value.toLocaleString('en-GB')
