import type { Connection } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import type { TitleDocument } from '../registry/title-pdf.ts'
import { caseNotFound } from '../workspaces/store.ts'

export type TitleDocumentRow = TitleDocument & {
  titleId: string
  createdAt: Date
  /** Of its PDF, once that was rendered. */
  sha256: string | null
}

/** The documents of a title, newest first. A case or a title that is not the caller's is not found. */
export async function listTitleDocuments(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  lodgementCaseId: string,
  titleId: string,
  documentType: string | undefined,
): Promise<TitleDocumentRow[]> {
  const rows = await connection.query<TitleDocumentRow & { foundTitleId: string | null }>(
    `select t.title_id as "foundTitleId", d.title_document_id as "titleDocumentId", d.document_type as "documentType",
            d.title_id as "titleId", d.register, d.official_copy_at as "officialCopyAt", d.created_at as "createdAt",
            d.sha256
       from lodgement_cases c join workspaces w using (workspace_id)
       left join titles t on t.workspace_id = w.workspace_id and t.title_id = $3
       left join title_documents d on d.lodgement_case_id = c.lodgement_case_id and d.title_id = t.title_id
                                  and ($4::text is null or d.document_type = $4)
      where c.lodgement_case_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by d.seq desc`,
    [lodgementCaseId, subscriberId, titleId, documentType ?? null],
  )
  const [first] = rows
  if (!first) throw caseNotFound()
  if (first.foundTitleId === null) throw notFound('title_id', 'There is no such title in this case.')
  return rows.filter((row) => row.titleDocumentId !== null)
}

export type PdfRow = { titleNumber: string; documentType: string; sha256: string; size: number }

/** The newest completion document of a case that can be downloaded. */
export async function findPdf(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  lodgementCaseId: string,
  documentType: string,
): Promise<PdfRow> {
  const [row] = await connection.query<{ [Key in keyof PdfRow]: PdfRow[Key] | null }>(
    `select d.register ->> 'titleNumber' as "titleNumber", d.document_type as "documentType", d.sha256, d.size
       from lodgement_cases c join workspaces w using (workspace_id)
       left join title_documents d on d.lodgement_case_id = c.lodgement_case_id and d.document_type = $3
                                  and d.sha256 is not null
      where c.lodgement_case_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by d.seq desc limit 1`,
    [lodgementCaseId, subscriberId, documentType],
  )
  if (!row) throw caseNotFound()
  if (row.sha256 === null)
    throw notFound('document_type', 'This document does not exist yet: the title is not registered.')
  return row as PdfRow
}
