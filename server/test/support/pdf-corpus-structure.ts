import { type BadPdf, bad } from './pdf-corpus-samples.ts'
import { deep, flat, recoded, sound, startingAt } from './pdf-corpus-shapes.ts'
import {
  catalog,
  crossReferenceDict,
  flate,
  join,
  objectOf,
  onePage,
  page,
  pages,
  type Row,
  revised,
  rowsOf,
  startOf,
  stream,
  withStream,
  withTable,
} from './pdf-corpus-writer.ts'

// Files that look whole and are not sound: cross-references, page trees and objects of all wrong kinds.

const DEEP = /^The file nests its objects deeper than 500/

export const badStructures = (): BadPdf[] => [
  ...bad(/it does not say where its cross-references are/, {
    'no startxref': () => recoded(sound(), 'startxref', 'startxxxx'),
    'a startxref without an offset': () => recoded(sound(), `startxref\n${startOf(sound())}`, 'startxref\n'),
    'a startxref of zero': () => startingAt(sound(), () => 0),
    'a negative startxref': () => startingAt(sound(), (offset) => -offset),
    'a header and an end with nothing between': () => Buffer.from('%PDF-1.4\nstartxref\n0\n%%EOF'),
  }),
  ...bad(/its cross-references are said to begin after its end/, {
    'a startxref after the end': () => startingAt(sound(), () => 1_000_000_000),
    'a startxref beyond all numbers': () => recoded(sound(), `\n${startOf(sound())}\n`, `\n${'9'.repeat(400)}\n`),
    'a revision before it that is nowhere': () => withTable(onePage(), { trailer: '/Root 1 0 R /Prev 999999' }),
  }),
  ...bad(/its cross-references are not where it says/, {
    'a startxref that is ten bytes off': () => startingAt(sound(), (offset) => offset - 10),
    'a startxref that leads to an object': () => startingAt(sound(), () => sound().indexOf('1 0 obj')),
    'a middle that was cut out': () => join(sound().subarray(0, 100), sound().subarray(200)),
    'line ends that grew in the transfer': () => recoded(sound(), '\n', '\r\n'),
    'a stream beside it that is nowhere': () => withTable(onePage(), { trailer: '/Root 1 0 R /XRefStm 5' }),
  }),
  ...bad(/object \d is not where its cross-reference says/, {
    'an entry that leads nowhere': () => recoded(sound(), entryOf(sound(), '3 0 obj'), '0009999999 00000 n'),
    'an entry that leads to another object': () =>
      recoded(sound(), entryOf(sound(), '3 0 obj'), entryOf(sound(), '2 0 obj')),
    'an entry that leads into an object': () =>
      recoded(sound(), entryOf(sound(), '4 0 obj'), entryOf(sound(), 'endstream')),
    'an entry with another generation': () =>
      recoded(sound(), entryOf(sound(), '4 0 obj'), entryOf(sound(), '4 0 obj').replace('00000 n', '00007 n')),
  }),
  ...bad(/its cross-reference table cannot be read/, {
    'an entry with a negative offset': () => recoded(sound(), entryOf(sound(), '3 0 obj'), '-000000099 00000 n'),
    'a table of a thousand million entries': () => recoded(sound(), 'xref\n0 5\n', 'xref\n0 1000000000\n'),
    'a table with one entry too few': () => recoded(sound(), 'xref\n0 5\n', 'xref\n0 6\n'),
    'a table with one entry too many': () => recoded(sound(), 'xref\n0 5\n', 'xref\n0 4\n'),
    'a table without a trailer': () => recoded(sound(), 'trailer', 'trailxx'),
  }),
  ...bad(/its cross-references name an object beyond all bounds/, {
    'a table that begins with a thousand million': () => recoded(sound(), 'xref\n0 5\n', 'xref\n1000000000 5\n'),
  }),
  ...bad(/its trailer gives a wrong number of objects/, {
    'a size beyond all bounds': () => withTable(onePage(), { size: 2_147_483_647 }),
    'a size of a million for three objects': () => withTable(onePage(), { size: 1_000_000 }),
    'a size below zero': () => withTable(onePage(), { size: -1 }),
    'no size': () => recoded(sound(), '/Size ', '/Sixe '),
  }),
  ...bad(/its cross-references lead back to themselves/, {
    'revisions in a ring': () => recoded(ring(), 'PREV', String(startOf(ring())).padEnd(4)),
    'a revision before it that is itself': () => {
      const file = withTable(onePage(), { trailer: '/Root 1 0 R /Prev PREV' })
      return recoded(file, 'PREV', String(startOf(file)).padEnd(4))
    },
  }),
  ...bad(/a part of its cross-references is nowhere/, {
    'a revision before it that is negative': () => withTable(onePage(), { trailer: '/Root 1 0 R /Prev -5' }),
  }),
  ...bad(/its cross-reference stream is too short/, {
    'a cross-reference stream that is too short': () => hostileStream([], { index: '0 9' }),
    'a cross-reference stream of a thousand million rows': () => hostileStream([], { index: '0 1000000000' }),
    'a cross-reference stream with rows of no width': () => hostileStream([], { index: '0 99999999', widths: '0 0 0' }),
  }),
  ...bad(/its cross-reference stream cannot be read/, {
    'a cross-reference stream with rows of negative width': () => hostileStream([], { widths: '-1 4 2' }),
    'a cross-reference stream with fields that are too wide': () => hostileStream([], { widths: '1 900 2' }),
  }),
  ...bad(/a part of its structure cannot be unpacked/, {
    'a cross-reference stream that cannot be unpacked': () => recoded(withStream(onePage()), 'x\x9c', '\0\0'),
    'an object stream with a wrong checksum': () =>
      withStream(onePage(), { packed: [3], pack: (content) => join(flate(content).subarray(0, -1), '?') }),
  }),
  ...bad(/there is no object stream \d+/, {
    'an object stream that is missing': () => hostileStream([[1, 2, 77, 0]]),
    'an object stream that lies in itself': () => hostileStream([[1, 2, 1, 0]]),
  }),
  ...bad(/object 3 is not in the object stream that its cross-reference names/, {
    'an object stream that does not hold the object': () => revisedRow([3, 2, 4, 0]),
    'an object stream with fewer objects': () => revisedRow([3, 2, 4, 60_000]),
  }),
  ...bad(/an object stream in it holds less than it says/, {
    'an object stream of a thousand million objects': () =>
      withTable(onePage(stream('/Type /ObjStm /N 1000000000 /First 10', '9 0 null'))),
  }),

  ...bad(/it has no catalogue/, {
    'no root': () => withTable(onePage(), { trailer: '' }),
    'a root that is missing': () => withTable(onePage(), { trailer: '/Root 9 0 R' }),
    'a root that is a number': () => withTable(onePage(), { trailer: '/Root 1' }),
  }),
  ...bad(/a part of its page tree is missing/, {
    'a root that is a page': () => withTable(onePage(), { trailer: '/Root 3 0 R' }),
    'no page tree': () => withTable(['<< /Type /Catalog >>']),
    'a page that is missing': () => withTable([catalog(), pages([3, 9]), page()]),
    'a page that is a number': () => withTable([catalog(), pages([3]), '42']),
    'a page that is a stream': () => withTable([catalog(), pages([3]), stream('/Type /Page', '')]),
    'a page of another generation': () => withTable([catalog(), pages([3]).replace('3 0 R', '3 7 R'), page()]),
  }),
  ...bad(/its page tree meets itself/, {
    'a page tree that leads to itself': () => withTable([catalog(), pages([2])]),
    'a page tree with a ring': () => withTable([catalog(), pages([3]), pages([4]), pages([3])]),
    'a page that is listed twice': () => withTable([catalog(), pages([3, 3]), page()]),
    'a branch of the page tree that two others share': () =>
      withTable([catalog(), pages([3, 4], { count: 2 }), pages([5]), pages([5]), page('', 3)]),
  }),
  ...bad(/its page tree does not have the pages that it says/, {
    'a page tree that says too many': () => withTable([catalog(), pages([3], { count: 2 }), page()]),
    'a page tree that says none': () => withTable([catalog(), pages([3], { count: 0 }), page()]),
    'a page tree that says fewer than none': () => withTable([catalog(), pages([3], { count: -1 }), page()]),
    'a page tree that says a thousand million': () => withTable([catalog(), pages([3], { count: 1e9 }), page()]),
  }),
  ...bad(/a page in it names a wrong parent/, {
    'a page with a wrong parent': () => withTable([catalog(), pages([3]), page('', 1)]),
  }),
  ...bad(/a part of its page tree has no kids/, {
    'a page tree without kids': () => withTable([catalog(), '<< /Type /Pages /Count 1 >>', page()]),
  }),
  ...bad(/a reference in it leads back to itself/, {
    'kids that stand in a ring of references': () =>
      withTable([catalog(), '<< /Type /Pages /Count 1 /Kids 4 0 R >>', page(), '5 0 R', '4 0 R']),
  }),

  ...bad(/an object in it cannot be read/, {
    'an array without an end': () => withTable(onePage('[1 2 3')),
    'a dictionary without an end': () => withTable(onePage('<< /A 1')),
    'a dictionary with a key that is no name': () => withTable(onePage('<< 1 2 >>')),
    'a word that is none': () => withTable(onePage('[nul]')),
  }),
  ...bad(/an object in it has no end/, {
    'a string without an end': () => withTable(onePage('(never closed')),
    'forty megabytes of open brackets in a string': () => withTable(onePage('('.repeat(40_000_000))),
  }),
  ...bad(/a stream in it has no end/, {
    'a stream without an end': () => recoded(sound(), 'endstream', 'endstroom'),
  }),
  ...bad(/a stream in it is packed too often/, {
    'a stream with a hundred thousand filters': () =>
      withTable(onePage(stream(`/Filter [${'/AHx '.repeat(100_000)}]`, '00>'))),
  }),

  ...bad(/^The file has no page\.$/, {
    'no page': () => withTable([catalog(), pages([])]),
    'no page in an empty branch': () => withTable([catalog(), pages([3], { count: 0 }), pages([])]),
  }),
  ...bad(/^The file has more than 2,000 pages/, {
    '2,001 pages': () => flat(2_001),
    '100,000 pages': () => flat(100_000),
  }),
  ...bad(DEEP, {
    'a page tree of 501 levels': () => deep(501),
    'a page tree of 20,000 levels': () => deep(20_000),
    'arrays nested to 501': () => withTable(onePage('['.repeat(501) + ']'.repeat(501))),
    'arrays nested to a million': () => withTable(onePage('['.repeat(1_000_000) + ']'.repeat(1_000_000))),
    'dictionaries nested to 501': () => withTable(onePage(`${'<</A '.repeat(501)}0${'>>'.repeat(501)}`)),
    'arrays nested to 501 in an object stream': () =>
      withStream(onePage('['.repeat(501) + ']'.repeat(501)), { packed: [4] }),
    'arrays nested to 501 in the trailer': () =>
      withTable(onePage(), { trailer: `/Root 1 0 R /X ${'['.repeat(501)}${']'.repeat(501)}` }),
    'forty megabytes of opened arrays': () => withTable(onePage('['.repeat(40_000_000))),
    'forty megabytes of opened dictionaries': () => withTable(onePage('<</A'.repeat(10_000_000))),
  }),
]

/** The entry of the table that leads to where this text is. */
const entryOf = (file: Buffer, text: string) => `${String(file.indexOf(text)).padStart(10, '0')} 00000 n`

const ring = () => revised(withTable(onePage(), { trailer: '/Root 1 0 R /Prev PREV' }), { 3: page() })

/** A file with an object stream, one row of whose cross-references is another. */
function revisedRow(row: Row): Buffer {
  const file = withStream(onePage(), { packed: [1, 2, 3] })
  const body = stream(crossReferenceDict([row], 8, `/Prev ${startOf(file)}`), flate(rowsOf([row])))
  return join(file, objectOf(7, body), `startxref\n${file.length}\n%%EOF\n`)
}

function hostileStream(rows: Row[], { index = '', widths = '1 4 2' } = {}): Buffer {
  const all: Row[] = [[0, 0, 0, 0], ...rows]
  const dict = crossReferenceDict(all, 9)
    .replace(/\/Index \[.*\]/, (given) => (index ? `/Index [${index}]` : given))
    .replace(/\/W \[.*?\]/, `/W [${widths}]`)
  const head = '%PDF-1.5\n'
  return join(head, objectOf(8, stream(dict, flate(rowsOf(all)))), `startxref\n${head.length}\n%%EOF\n`)
}
