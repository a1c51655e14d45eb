import { constants, deflateRawSync } from 'node:zlib'
import { type BadPdf, bad } from './pdf-corpus-samples.ts'
import { packedZeros } from './pdf-corpus-shapes.ts'
import {
  type Body,
  crossReferenceDict,
  flate,
  join,
  objectOf,
  onePage,
  stream,
  withStream,
  withTable,
} from './pdf-corpus-writer.ts'

// Small files that want to become large, and files that would be worked on for ever.

const TOO_MUCH = /^A stream of the file unpacks to more than 100,000,000 bytes/
const TOO_LONG = /^The file could not be checked within 10 seconds/
const TOO_LARGE = /^The file could not be checked within 256 MB of memory/

export const withStreams = (filter: string, ...contents: Body[]) =>
  withTable(onePage(...contents.map((content) => stream(`/Filter ${filter}`, content))))

export const bombs = (): BadPdf[] => [
  ...bad(TOO_MUCH, {
    'a stream that unpacks to one byte too many': () => withTable(onePage(packedZeros(100_000_001))),
    'a stream that unpacks to a gigabyte': () => withStreams('/Fl', bomb(1_000)),
    'a stream that unpacks twice': () => withStreams('[/FlateDecode /FlateDecode]', flate(bomb(1_000))),
    'a stream that unpacks five times': () =>
      withStreams('[/Fl /Fl /Fl /Fl /Fl]', flate(flate(flate(flate(bomb(10_000)))))),
    'a stream by filters that stand elsewhere': () =>
      withTable(onePage(stream('/Filter 5 0 R', bomb(200)), '[6 0 R]', '/FlateDecode')),
    'a stream with a broken header': () => withStreams('/Fl', join('\0\0', bomb(200).subarray(2))),
    'a stream with a wrong length': () => withTable(onePage(stream('/Filter /Fl', bomb(200), 20))),
    'a stream by LZW': () => withStreams('/LZWDecode', lzwBomb(30_000)),
    'a stream by run lengths': () =>
      withStreams('[/FlateDecode /RunLengthDecode]', flate(Buffer.alloc(2_000_000, '\x81\0', 'latin1'))),
    'a stream in letters': () => withStreams('[/ASCII85Decode /FlateDecode]', ascii85(bomb(200))),
    'a stream of letters that stand for four bytes each': () =>
      withStreams('[/Fl /A85]', flate(Buffer.alloc(30_000_000, 'z'))),
    'a stream in hexadecimal': () => withStreams('[/AHx /Fl]', `${bomb(200).toString('hex')}>`),
    'an object stream that unpacks too far': () =>
      withStream(onePage(), { packed: [3], pack: (content) => bomb(200, content) }),
    'a cross-reference stream that unpacks too far': crossReferenceBomb,
    'a picture that is larger than any': () =>
      withTable(onePage(stream('/Subtype /Image /Width 60000 /Height 60000 /Filter /CCITTFaxDecode', '\0\x10'))),
  }),

  ...bad(TOO_LONG, { 'three hundred streams of 99 MB': () => withStreams('/Fl', ...manyTimes(bomb(99))) }),
  ...bad(TOO_LARGE, {
    'an array of twenty million numbers': () => withTable(onePage(`[${'0 '.repeat(20_000_000)}]`)),
    'a dictionary of four million keys': () =>
      withTable(onePage(`<<${Array.from({ length: 4_000_000 }, (_, at) => `/${at} 0`).join('')}>>`)),
  }),
]

const manyTimes = (content: Buffer) => Array.from({ length: 300 }, () => content)

/** Unpacks to so many megabytes of zeros, after `start`. Made from equal blocks, so that it costs us nothing. */
export function bomb(megabytes: number, start: Body = ''): Buffer {
  const open = { finishFlush: constants.Z_FULL_FLUSH, level: 9 }
  const megabyte = deflateRawSync(Buffer.alloc(1_000_000), open)
  const blocks = Array.from({ length: megabytes }, () => megabyte)
  return join('x\x9c', deflateRawSync(join(start), open), ...blocks, '\x03\0')
}

function crossReferenceBomb(): Buffer {
  const head = '%PDF-1.5\n'
  const body = stream(crossReferenceDict([], 2, '/Index [0 2]'), bomb(200))
  return join(head, objectOf(1, body), `startxref\n${head.length}\n%%EOF\n`)
}

/** Each code stands for one zero more than the one before, until there is no room for longer ones. */
function lzwBomb(codes: number): Buffer {
  const bytes: number[] = []
  let [bits, bitCount, next] = [0, 0, 258]
  const write = (code: number) => {
    const width = next + 1 >= 2048 ? 12 : next + 1 >= 1024 ? 11 : next + 1 >= 512 ? 10 : 9
    bits = (bits << width) | code
    for (bitCount += width; bitCount >= 8; bitCount -= 8) bytes.push((bits >> (bitCount - 8)) & 255)
    bits &= (1 << bitCount) - 1
  }
  write(256)
  write(0)
  for (let count = 0; count < codes; count++) {
    const code = Math.min(next, 4095)
    write(code)
    next = Math.min(next + 1, 4096)
  }
  return Buffer.from(bytes)
}

function ascii85(content: Buffer): string {
  const groups: string[] = []
  for (let at = 0; at + 4 <= content.length; at += 4) {
    let group = content.readUInt32BE(at)
    let letters = ''
    for (let digit = 0; digit < 5; digit++, group = Math.floor(group / 85)) {
      letters = String.fromCharCode(33 + (group % 85)) + letters
    }
    groups.push(letters === '!!!!!' ? 'z' : letters)
  }
  return `${groups.join('')}~>`
}
