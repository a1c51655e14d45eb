import type { Document } from './document.ts'
import type { Filter } from './filters.ts'
import { misusedCodec, REASONS, RejectedPdf, tooManyPixels } from './reasons.ts'
import type { Dict } from './syntax.ts'

// Images are not decoded here. Those in two colours compress without bounds, so the size that they state is limited.

const CODECS = ['JBIG2Decode', 'CCITTFaxDecode', 'DCTDecode', 'JPXDecode']
const COLUMNS_DEFAULT = 1_728

export async function checkCodec(document: Document, dict: Dict, packed: Buffer): Promise<void> {
  const { others } = await document.packing(dict)
  const codec = others.find(({ name }) => CODECS.includes(name))
  if (!codec) return
  if (codec !== others.at(-1) || !(await isImage(document, dict))) throw misusedCodec(codec.name)
  const number = async (from: Dict, key: string, fallback = 0) => {
    const value = await document.resolve(from.get(key))
    return typeof value === 'number' ? value : fallback
  }
  const pixelsMax = document.unpackedBytesMax * 8
  // Some readers also accept the short names of inline images.
  const width = Math.max(await number(dict, 'Width'), await number(dict, 'W'))
  const height = Math.max(await number(dict, 'Height'), await number(dict, 'H'))
  if (codec.name === 'CCITTFaxDecode') {
    const { parameters } = codec
    const columns = await number(parameters, 'Columns', COLUMNS_DEFAULT)
    const rows = await number(parameters, 'Rows')
    checkPixels(Math.max(width, columns), Math.max(height, rows), pixelsMax)
  }
  if (codec.name !== 'JBIG2Decode') return
  checkPixels(width, height, pixelsMax)
  checkSegments(await contentOf(document, dict, packed), pixelsMax)
  await checkGlobals(document, codec, pixelsMax)
}

/** The thumbnail of a page may omit its type. */
async function isImage(document: Document, dict: Dict): Promise<boolean> {
  if (dict.has('Subtype')) return (await document.resolve(dict.get('Subtype'))) === 'Image'
  return !dict.has('Type') && dict.has('Width') && dict.has('Height')
}

async function checkGlobals(document: Document, { parameters }: Filter, pixelsMax: number): Promise<void> {
  for await (const { value, packed } of document.versions(parameters.get('JBIG2Globals'))) {
    if (value instanceof Map && packed) checkSegments(await contentOf(document, value, packed), pixelsMax)
  }
}

const contentOf = async (document: Document, dict: Dict, packed: Buffer) =>
  Buffer.concat(await Array.fromAsync(document.pieces(dict, packed)))

function checkPixels(width: number, height: number, max: number): void {
  if (width * height > max) throw tooManyPixels(max)
}

// JBIG2 (ISO/IEC 14492, 7.2 to 7.4): an image is a list of segments, some of which state a size.

const FILE_HEADER = Buffer.from('\x97JB2\r\n\x1a\n', 'latin1')
const UNKNOWN = 0xffff_ffff
const [PATTERN_DICTIONARY, IMMEDIATE_GENERIC_REGION, PAGE_INFORMATION, END_OF_STRIPE] = [16, 38, 48, 50]
const HALFTONE_REGIONS = [20, 22, 23]
const REGIONS = [4, 6, 7, ...HALFTONE_REGIONS, 36, 38, 39, 40, 42, 43]

export function checkSegments(bytes: Buffer, pixelsMax: number): void {
  if (bytes.subarray(0, FILE_HEADER.length).equals(FILE_HEADER)) throw new RejectedPdf(REASONS.jbig2Header)
  const check = (width: number, height: number) => checkPixels(width, height, pixelsMax)
  /** The width of a page of unknown height, which grows with its content. */
  let growingWidth = 0
  for (const { type, data } of segmentsOf(bytes)) {
    const number = (at: number) => (at + 4 <= data.length ? data.readUInt32BE(at) : 0)
    const [width, height] = [number(0), number(4)]
    if (type === PAGE_INFORMATION) {
      growingWidth = height === UNKNOWN ? width : 0
      check(width, height === UNKNOWN ? 1 : height)
    } else if (type === END_OF_STRIPE) check(growingWidth, number(0) + 1)
    else if (type === PATTERN_DICTIONARY) check((data[1] ?? 0) * (number(3) + 1), data[2] ?? 0)
    else if (REGIONS.includes(type)) {
      check(width, height)
      check(growingWidth, number(12) + height)
      if (HALFTONE_REGIONS.includes(type)) check(number(18), number(22))
    }
  }
}

/** `data` extends to the end of the bytes, because a segment may state a length that is too small. */
function* segmentsOf(bytes: Buffer): Generator<{ type: number; data: Buffer }> {
  for (let at = 0; at + 11 <= bytes.length; ) {
    const number = bytes.readUInt32BE(at)
    const flags = bytes[at + 4] ?? 0
    const type = flags & 0x3f
    const countBits = (bytes[at + 5] ?? 0) >> 5
    const isLong = countBits === 7
    const referredCount = isLong ? bytes.readUInt32BE(at + 5) & 0x1fff_ffff : countBits
    at += isLong ? 9 + ((referredCount + 8) >> 3) : 6
    at += referredCount * (number <= 256 ? 1 : number <= 65_536 ? 2 : 4)
    at += flags & 0x40 ? 4 : 1
    if (at + 4 > bytes.length) return
    const length = bytes.readUInt32BE(at)
    const data = bytes.subarray(at + 4)
    yield { type, data }
    at += 4 + (length === UNKNOWN && type === IMMEDIATE_GENERIC_REGION ? lengthOf(data) : length)
  }
}

const REGION_HEADER_BYTES = 18

/** A region of unknown length ends with a marker, which depends on its coding, and its number of rows. */
function lengthOf(data: Buffer): number {
  const isMmr = ((data[REGION_HEADER_BYTES - 1] ?? 0) & 1) === 1
  const marker = data.indexOf(isMmr ? Buffer.of(0, 0) : Buffer.of(0xff, 0xac), REGION_HEADER_BYTES)
  return marker < 0 ? data.length : marker + 6
}
