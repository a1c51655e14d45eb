import { randomUUID } from 'node:crypto'
import type { Deps } from '../platform/deps.ts'
import type { OfficialCopy } from '../registry/register.ts'
import { type IssuedDocument, type TitleDocumentType, titlePdf } from '../registry/title-pdf.ts'

const PDF_BYTES_MAX = 50_000_000

/**
 * Renders a completion document once and stores its bytes, so that every download is the same. Call it before the
 * transaction that writes the row, which must not wait for it. Bytes without a row are swept.
 */
export async function keepTitleDocument(
  { db, blobs }: Pick<Deps, 'db' | 'blobs'>,
  documentType: TitleDocumentType,
  copy: OfficialCopy,
): Promise<IssuedDocument> {
  const document = { ...copy, titleDocumentId: randomUUID(), documentType }
  const stored = await blobs.keep(db, await blobs.stage(await titlePdf(document), { bytesMax: PDF_BYTES_MAX }))
  return { ...document, ...stored }
}
