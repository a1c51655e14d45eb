import { buffer } from 'node:stream/consumers'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export type ReadPdf = { pages: string[]; info: Record<string, unknown>; outline: string[]; tagged: boolean }

/** A PDF as a reader other than its maker sees it: the text of each page, line ends as spaces. */
export async function readPdf(stream: NodeJS.ReadableStream): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(await buffer(stream)), verbosity: 0 })
  const pdf = await task.promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join(''))
  }
  const { info } = await pdf.getMetadata()
  const outline = ((await pdf.getOutline()) ?? []).map(({ title }) => title)
  const tagged = (await pdf.getMarkInfo()) !== null
  await task.destroy()
  return { pages, info: { ...info }, outline, tagged }
}

/** How many pages such a reader finds, each of them fetched. */
export async function countPages(bytes: Buffer): Promise<number> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  try {
    const pdf = await task.promise
    for (let number = 1; number <= pdf.numPages; number++) await pdf.getPage(number)
    return pdf.numPages
  } finally {
    await task.destroy()
  }
}
