import { type BadPdf, bad, type Made } from './pdf-corpus-samples.ts'
import { byPdfkit, letter, recoded, xmlForm } from './pdf-corpus-shapes.ts'
import { catalog, flate, onePage, page, pages, revised, stream, withStream, withTable } from './pdf-corpus-writer.ts'

// Sound files that hold what must not be in one, in every place where it can be hidden.

export const badContents = (): BadPdf[] => [
  ...bad(/^The file holds JavaScript/, scripts()),
  ...bad(/^The file holds an action that launches a program/, launches()),
  ...bad(/^The file holds another file/, embedded()),
  ...bad(/^The file is encrypted/, encrypted()),
]

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const LAUNCH = '<< /S /Launch /F (calc.exe) >>'
const FILE = stream('/Subtype /text#2Fplain', 'hello')
const SPEC = '<< /Type /Filespec /F (a.txt) /EF << /F 5 0 R >> >>'

const withCatalog = (more: string, ...others: (string | Buffer)[]) =>
  withTable([catalog(more), pages([3]), page(), ...others])
const withPage = (more: string, ...others: (string | Buffer)[]) =>
  withTable([catalog(), pages([3]), page(more), ...others])

const scripts = (): Record<string, Made> => ({
  'a script in the name tree': () => withCatalog('/Names << /JavaScript << /Names [(a) 4 0 R] >> >>', SCRIPT),
  'a script that is run on opening': () => withCatalog(`/OpenAction ${SCRIPT}`),
  'a script that is run on closing': () => withCatalog(`/AA << /WC ${SCRIPT} >>`),
  'a script that is run when a page is shown': () => withPage(`/AA << /O ${SCRIPT} >>`),
  'a script of an annotation': () =>
    withPage(`/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${SCRIPT} >>]`),
  'a script of a form field': () =>
    withCatalog('/AcroForm << /Fields [4 0 R] >>', `<< /FT /Tx /T (a) /AA << /K ${SCRIPT} >> >>`),
  'a script that follows another action': () =>
    withCatalog(`/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next [${SCRIPT}] >>`),
  'a script in a stream': () => withCatalog('/OpenAction << /S /JavaScript /JS 4 0 R >>', stream('', 'app.alert(1)')),
  'a script by a name in hexadecimal': () => withCatalog('/OpenAction << /S /J#61v#61#53cript /J#53 (x) >>'),
  'a script by a name that ends with NUL': () => withCatalog('/OpenAction << /S /JavaScript#00 /K (x) >>'),
  'a script by a name that stands elsewhere': () => withCatalog('/OpenAction << /S 4 0 R >>', '/JavaScript'),
  'a script whose name comes second': () => withCatalog('/OpenAction << /S /URI /S /JavaScript >>'),
  'a script in an object stream': () => withStream(onePage(SCRIPT), { packed: [1, 2, 3, 4] }),
  'a script in an object stream that no cross-reference names': () =>
    withTable(onePage(stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', flate(`9 0 ${SCRIPT}`)))),
  'a script that a later revision added': () => revised(withTable(onePage()), { 1: catalog(`/OpenAction ${SCRIPT}`) }),
  'a script that a later revision took away': () => revised(withCatalog(`/OpenAction ${SCRIPT}`), { 1: catalog() }),
  'a script that nothing leads to': () => withTable(onePage(SCRIPT)),
  'a script of a rendition': () => withCatalog('/OpenAction << /S /Rendition /JS (x) >>'),
  'a script of a model': () =>
    withPage('/Annots [<< /Subtype /3D /3DD 4 0 R >>]', stream('/Type /3D /OnInstantiate 5 0 R', ''), stream('', 'x')),
  'a script that pdfkit writes': () => byPdfkit(scriptedForm),
  'a script in an XML form': () => withTable(xmlForm('<template><script>x</script></template>')),
  'a script in an XML form in UTF-16': () =>
    withTable(xmlForm(Buffer.from('<template><xfa:script contentType="x"/></template>', 'utf16le'))),
  'a script in an XML form, cut in two': () => withTable(splitForm()),
})

const launches = (): Record<string, Made> => ({
  'a launch on opening': () => withCatalog(`/OpenAction ${LAUNCH}`),
  'a launch by an annotation': () => withPage(`/Annots [<< /Subtype /Link /A ${LAUNCH} >>]`),
  'a launch by a name in hexadecimal': () => withCatalog('/OpenAction << /S /#4caunc#68 >>'),
  'a launch in an object stream': () => withStream(onePage(LAUNCH), { packed: [4] }),
})

const embedded = (): Record<string, Made> => ({
  'a file in the name tree': () => withCatalog('/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>', SPEC, FILE),
  'a file of the document': () => withCatalog('/AF [4 0 R]', SPEC, FILE),
  'a file in an annotation': () => withPage('/Annots [<< /Subtype /FileAttachment /FS 4 0 R >>]', SPEC, FILE),
  'a file by a dictionary that stands elsewhere': () => withTable(onePage('<< /EF 6 0 R >>', FILE, '<< /UF 5 0 R >>')),
  'a file by its own type alone': () => withTable(onePage(stream('/Type /EmbeddedFile', 'hello'))),
  'a rich-media annotation': () => withPage('/Annots [<< /Subtype /RichMedia >>]'),
  'a file by a name in hexadecimal': () => withTable(onePage('<< /E#46 << /F 5 0 R >> >>', FILE)),
  'a file in an object stream': () => withStream(onePage(SPEC, FILE), { packed: [4] }),
  'a file that pdfkit attaches': () => byPdfkit((document) => document.file(Buffer.from('hello'), { name: 'a.txt' })),
})

const encrypted = (): Record<string, Made> => ({
  'encrypted by RC4 with 40 bits': () => byPdfkit(letter, { pdfVersion: '1.3', userPassword: 'secret' }),
  'encrypted by RC4 with 128 bits': () => byPdfkit(letter, { pdfVersion: '1.4', userPassword: 'secret' }),
  'encrypted by AES with 128 bits': () => byPdfkit(letter, { pdfVersion: '1.6', userPassword: 'secret' }),
  'encrypted by AES with 256 bits': () => byPdfkit(letter, { pdfVersion: '1.7ext3', userPassword: 'secret' }),
  'encrypted without a user password': () => byPdfkit(letter, { pdfVersion: '1.7', ownerPassword: 'secret' }),
  'encrypted, by a name in hexadecimal': async () =>
    recoded(await byPdfkit(letter, { pdfVersion: '1.7', ownerPassword: 'secret' }), '/Encrypt ', '/Encryp#74 '),
  'encrypted, with a cross-reference stream': () => withStream(onePage(), { dict: '/Encrypt << /Filter /Standard >>' }),
  'encrypted by an earlier revision': () =>
    revised(withTable(onePage(), { trailer: '/Root 1 0 R /Encrypt << /Filter /Standard /V 1 >>' }), { 3: page() }),
})

function scriptedForm(document: PDFKit.PDFDocument): void {
  document.font('Helvetica').initForm()
  document.formText('amount', 50, 50, 200, 20, { format: { type: 'number', nDec: 2 } })
}

const splitForm = () => [
  catalog('/AcroForm << /XFA [(preamble) 4 0 R (template) 5 0 R] >>'),
  pages([3]),
  page(),
  stream('', '<template><scr'),
  stream('', 'ipt>x</script></template>'),
]
