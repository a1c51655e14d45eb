import { checkContents } from './contents.ts'
import { readCrossReferences } from './cross-references.ts'
import { openDocument } from './document.ts'
import { countPages } from './page-tree.ts'
import type { PdfLimits, PdfVerdict } from './pdf.ts'
import { REASONS, Unfit } from './unfit.ts'

/** Judges the structure and the contents of a file that passed the gate. To be run in a process of its own. */
export async function judge(bytes: Buffer, { pagesMax, unpackedBytesMax }: PdfLimits): Promise<PdfVerdict> {
  try {
    const document = openDocument(bytes, unpackedBytesMax)
    const trailer = await readCrossReferences(document)
    const pages = await countPages(document, trailer, pagesMax)
    await checkContents(document)
    return { ok: true, pages }
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, reason: error.message }
    if (error instanceof RangeError) return { ok: false, reason: REASONS.abandoned } // larger than JavaScript can hold
    throw error
  }
}
