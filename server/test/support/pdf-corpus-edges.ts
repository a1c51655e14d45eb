import { crc32, deflateRawSync } from 'node:zlib'
import { type BadPdf, bad } from './pdf-corpus-samples.ts'
import { byPdfkit, letter, recoded, sound } from './pdf-corpus-shapes.ts'
import { join, onePage, stream, withTable } from './pdf-corpus-writer.ts'

// Files that are no PDF, not whole, or something else as well: what shows at their edges.

const NOT_PDF = /^The file is no PDF/
const VERSION = /version that is not accepted/
const NO_END = /^The file does not end as a PDF does/
const ARCHIVE = /^The file is a ZIP archive/

export const badEdges = (): BadPdf[] => [
  ...bad(/^The file is empty\.$/, { 'no byte at all': () => Buffer.of() }),

  ...bad(NOT_PDF, {
    'a picture': () => Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB', 'base64'),
    'a page of HTML that calls itself a PDF': () => Buffer.from('<html>%PDF-1.4 %%EOF'),
    'an archive': () => archive(),
    'a blank before the header': () => join(' ', sound()),
    'a mark of UTF-8 before the header': () => join('\xef\xbb\xbf', sound()),
    'a thousand bytes before the header': () => join('x'.repeat(1_000), '\n', sound()),
    'a header in lower case': () => recoded(sound(), '%PDF-', '%pdf-'),
    'a header without a version': () => recoded(sound(), '%PDF-1.4', '%PDF-   '),
    'white space alone': () => Buffer.alloc(100, '\n'),
  }),
  ...bad(
    VERSION,
    Object.fromEntries(
      ['1.8', '1.9', '0.9', '2.1', '3.0', '1.44', '11.4'].map((version) => [
        `version ${version}`,
        () => withTable(onePage(), { version }),
      ]),
    ),
  ),

  ...bad(NO_END, {
    'a header alone': () => Buffer.from('%PDF-1.4\n'),
    'half of a file': () => sound().subarray(0, sound().length / 2),
    'a file without its last byte': () => sound().subarray(0, -2),
    'a file without its last line': () => sound().subarray(0, -6),
    'a letter that was cut off': async () => (await byPdfkit(letter)).subarray(0, -400),
    'a script after the end': () => join(sound(), '<script>alert(1)</script>'),
    'bytes after the end': () => join(sound(), Buffer.alloc(2_000, 1)),
    'one byte after the end': () => join(sound(), '.'),
    'an end that is too far from the end': () => join(sound(), ' '.repeat(1_024)),
  }),

  ...bad(ARCHIVE, {
    'an archive before the end': () =>
      withArchive((file, at) => join(file.subarray(0, at), archive(), file.subarray(at))),
    'an archive in a comment after the header, its directory at the end': () => spreadArchive(),
    'an archive in a stream, its comment holding the rest': () =>
      withTable(onePage(stream('', archive({ comment: 400 })))),
    'an archive without any file': () =>
      withArchive((file, at) => join(file.subarray(0, at), EMPTY_ARCHIVE, file.subarray(at))),
  }),
]

const EMPTY_ARCHIVE = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])

/** Between the cross-references and the end, where a comment may stand. */
function withArchive(insert: (file: Buffer, at: number) => Buffer): Buffer {
  const file = sound()
  return insert(file, file.lastIndexOf('startxref'))
}

type ArchiveLayout = { comment?: number; localAt?: number; directoryAt?: number }

function archive(layout: ArchiveLayout = {}): Buffer {
  const { local, directory, end } = archiveParts(layout)
  return join(local, directory, end)
}

function archiveParts({ comment = 0, localAt = 0, directoryAt }: ArchiveLayout) {
  const [name, content] = [Buffer.from('a.txt'), Buffer.from('hello')]
  const packed = deflateRawSync(content)
  const about = Buffer.alloc(22)
  about.writeUInt16LE(8, 4)
  about.writeUInt32LE(crc32(content), 10)
  about.writeUInt32LE(packed.length, 14)
  about.writeUInt32LE(content.length, 18)
  const lengths = Buffer.from([name.length, 0, 0, 0])
  const local = join('PK\x03\x04', about, lengths, name, packed)
  const place = Buffer.alloc(14)
  place.writeUInt32LE(localAt, 10)
  const directory = join('PK\x01\x02', Buffer.of(20, 0), about, lengths, place, name)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(directoryAt ?? localAt + local.length, 12)
  end.writeUInt16LE(comment, 16)
  return { local, directory, end: join('PK\x05\x06', end) }
}

/** The file of the archive right after the header, its directory right before the end. */
function spreadArchive(): Buffer {
  const localAt = '%PDF-1.4\n%'.length
  const { local } = archiveParts({ localAt })
  const file = withTable(onePage(), { comment: `%${local.toString('latin1')}` })
  const directoryAt = file.lastIndexOf('startxref')
  const { directory, end } = archiveParts({ localAt, directoryAt })
  return join(file.subarray(0, directoryAt), directory, end, '\n', file.subarray(directoryAt))
}
