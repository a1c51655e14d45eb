import { randomUUID } from 'node:crypto'
import type { Deps } from '../platform/deps.ts'
import type { OfficialCopy } from '../registry/register.ts'
import { type TitleDocumentType, titlePdf } from '../registry/title-pdf.ts'
import { insertTitleDocument } from './store.ts'

const PDF_BYTES_MAX = 50_000_000

/** Renders a completion document once, keeps its bytes, and records it: what is downloaded is always the same. */
export async function issueTitleDocument(
  { db, blobs, clock }: Pick<Deps, 'db' | 'blobs' | 'clock'>,
  place: { lodgementCaseId: string; titleId: string; documentType: TitleDocumentType },
  copy: OfficialCopy,
): Promise<string> {
  const titleDocumentId = randomUUID()
  const pdf = titlePdf({ ...copy, titleDocumentId, documentType: place.documentType })
  const kept = await blobs.keep(db, await blobs.stage(pdf, { bytesMax: PDF_BYTES_MAX }))
  await db.transaction(async (tx) =>
    insertTitleDocument(tx, { ...place, ...copy, titleDocumentId, createdAt: clock.now(), pdf: kept }),
  )
  return titleDocumentId
}
