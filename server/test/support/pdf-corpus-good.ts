import { type GoodPdf, good } from './pdf-corpus-samples.ts'
import {
  balanced,
  byPdfkit,
  CONTENT,
  deep,
  fiveRevisions,
  flat,
  form,
  hybrid,
  letter,
  linearised,
  manyPages,
  navigation,
  packedZeros,
  predicted,
  recoded,
  startingAt,
  wordProcessed,
  xmlForm,
} from './pdf-corpus-shapes.ts'
import { catalog, onePage, page, pages, revised, stream, withStream, withTable } from './pdf-corpus-writer.ts'

// What must pass, as producers of all ages write it. The last ones look like something that must not.

export const goodPdfs = (): GoodPdf[] => [
  ...(['1.3', '1.4', '1.5', '1.6', '1.7'] as const).map((version) =>
    good(`a letter by pdfkit in version ${version}`, () => byPdfkit(letter, { pdfVersion: version })),
  ),
  good('a form by pdfkit', () => byPdfkit(form)),
  good('five hundred pages by pdfkit', () => byPdfkit(manyPages), 500),
  ...['1.0', '1.1', '1.2', '1.7', '2.0'].map((version) =>
    good(`one page by hand in version ${version}`, () => withTable(onePage(CONTENT), { version })),
  ),

  good('a cross-reference stream', () => withStream(onePage(CONTENT))),
  good('an object stream', () => withStream(onePage(CONTENT), { packed: [1, 2, 3] })),
  good('a cross-reference stream that is predicted as a picture', predicted),
  good('a second revision', () => revised(withTable(onePage(CONTENT)), { 3: page('/Rotate 90'), 5: 'null' })),
  good('five revisions', fiveRevisions),
  good('a second revision, as a table, of a file with a stream', () =>
    revised(withStream(onePage(), { packed: [3] }), { 3: page() }),
  ),
  good('a second revision that frees an object', () => revised(withTable(onePage(CONTENT)), { 4: undefined })),
  good('a table and a stream beside it, for readers old and new', hybrid),
  good('an empty table with a stream beside it, as a word processor writes', wordProcessed),
  good('a file that is linearised', linearised),

  ...['', '\n', '\r', '\r\n', '\n\n\n', ' \n', '\0\0\0\0', ' '.repeat(1_000)].map((end) =>
    good(`${JSON.stringify(end).slice(0, 20)} after the end`, () => withTable(onePage(), { end: `%%EOF${end}` })),
  ),
  ...['\r\n', ' \r', '\n'].map((entryEnd) =>
    good(`entries that end with ${JSON.stringify(entryEnd)}`, () => withTable(onePage(), { entryEnd })),
  ),
  good('carriage returns for line ends', () => recoded(withTable(onePage()), '\n', '\r')),
  good('no comment after the header', () => withTable(onePage(), { comment: '' })),
  good('an offset that is one line end early', () => startingAt(withTable(onePage()), (offset) => offset - 1)),
  good('a table that begins at one', () => recoded(withTable(onePage()), 'xref\n0 4', 'xref\n1 4')),
  good('a size that is one too small', () => withTable(onePage(), { size: 3 })),
  good('a length that stands elsewhere', () => withTable(onePage(stream('', 'q Q', '5 0 R'), '3'))),
  good('a length that is wrong', () => withTable(onePage(stream('', 'q Q', 2_000)))),
  good('a stream that is its own length', () => withTable(onePage(stream('', 'q Q', '4 0 R')))),
  good('a stream by a filter that nobody knows', () => withTable(onePage(stream('/Filter [/constructor]', 'q Q')))),
  good('a stream that holds its own end', () => withTable(onePage(stream('', 'endstream endobj')))),
  good('an object that is left empty', () => withTable(onePage(''))),
  good('a name with a blank in it', () => withTable(onePage('<< /A#20b /C#z /D#00e 1 >>'))),
  good('numbers as careless producers write them', () => withTable(onePage('[+1 -.5 4. .0 00012 --3 1e5 -0]'))),

  good('2,000 pages', () => flat(2_000), 2_000),
  good('a page tree of ten by ten by ten', () => balanced(10), 1_000),
  good('a page tree of 500 levels', () => deep(500)),
  good('objects nested to 500', () => withTable(onePage('['.repeat(500) + ']'.repeat(500)))),
  good('dictionaries nested to 500', () => withTable(onePage(`${'<</A '.repeat(500)}0${'>>'.repeat(500)}`))),
  good('a stream that unpacks to 100 MB', () => withTable(onePage(packedZeros(100_000_000)))),

  good('an outline, links and a name tree', () => withTable(navigation())),
  good('name trees that are there but empty', () =>
    withTable([catalog('/Names << /JavaScript << /Names [] >> /EmbeddedFiles << /Names [] >> >>'), pages([3]), page()]),
  ),
  good('fonts that are called JS, EF and XFA', () =>
    withTable([catalog(), pages([3]), page('/Resources << /Font << /JS 4 0 R /EF 4 0 R /XFA 4 0 R >> >>'), FONT]),
  ),
  good('a text about /JavaScript and /Launch', () =>
    withTable(onePage(stream('', '(/S /JavaScript /Launch /EF) Tj'), '(<< /S /JavaScript /JS (x) >>)')),
  ),
  good('an XML form without a script', () => withTable(xmlForm('<template><field name="script"/></template>'))),
  good('the letters of an archive by chance', () => withTable(onePage(stream('', 'PK\x05\x06 and PK\x03\x04')))),
]

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
