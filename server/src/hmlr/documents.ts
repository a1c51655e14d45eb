import type { RegistryDocument } from '../registry/documents.ts'
import type { CertificationType, LodgedApplication, LodgedDocument } from '../registry/lodgement.ts'

// Our documents in the registry's codes, and its documents in our kinds. Pure.

const CODES: Readonly<Record<string, string>> = {
  MORTGAGE_DEED: 'MRTG_DEED',
  EVIDENCE: 'EVIDENCE',
  CORRESPONDENCE: 'CORRES',
  IDENTITY_EVIDENCE: 'ID_EV',
  IDENTITY_FORM: 'ID_FRM',
  BIRTH_CERTIFICATE: 'BIRTH_CERT',
  MARRIAGE_CERTIFICATE: 'CIVIL_CERT', // its own code does not count as evidence of a change of name
  STATEMENT_OF_TRUTH: 'SOT',
  STATUTORY_DECLARATION: 'STAT_DEC',
  PG82_CERTIFICATE: 'CONV_CERT',
  COMPANIES_HOUSE_CERTIFICATE: 'CERT_REG_CH',
  COMPANIES_HOUSE_EVIDENCE: 'COSR',
}

/** The form of the registry that `EVIDENCE` as main document is. */
const FORMS: Partial<Record<LodgedApplication['type'], string>> = {
  DISCHARGE: 'DS1',
  TRANSFER_OF_WHOLE: 'TR1',
  CANCEL_A_RESTRICTION: 'RX3',
}

type Kind = Pick<LodgedDocument, 'documentType' | 'documentCategory'>

/** Without an application it is sent with an answer to a requisition. */
export function documentCode({ documentType, documentCategory }: Kind, of?: LodgedApplication['type']): string {
  const isMain = documentCategory === 'APPLICATION_DOCUMENT'
  if (documentType === 'EVIDENCE' && isMain && of) return FORMS[of] ?? 'EVIDENCE'
  // The certificate of a renamed company does not count under its own code.
  if (documentType === 'COMPANIES_HOUSE_CERTIFICATE' && of === 'CHANGE_OF_NAME') return 'EVIDENCE'
  return CODES[documentType] ?? 'EVIDENCE'
}

/** The words mean other things there: what we call certified was certified by another. */
export const CERTIFICATIONS: Record<CertificationType, string> = {
  ORIGINAL: 'CERTIFIED',
  CERTIFIED: 'CERTIFIED_BY_ANOTHER',
  SCANNED: 'NOT_CERTIFIED',
}

/** What counts as evidence of a change of name, beside the correspondence. */
export const NAME_EVIDENCE = ['BIRTH_CERT', 'CONV_CERT', 'EVIDENCE', 'CIVIL_CERT', 'SOT', 'STAT_DEC']

const KINDS: Readonly<Record<string, RegistryDocument['kind']>> = {
  LTR: 'LETTER',
  CAN: 'CANCELLATION_LETTER',
  RCS: 'COMPLETION_SHEET',
  REG: 'REGISTER_COPY',
}

type Listed = { type?: { code?: string; name?: string }; created_at?: string; download_id?: string }

/** Documents that the gateway lists. One without an id cannot be downloaded. */
export const documentsListed = (listed: unknown): RegistryDocument[] =>
  ((listed ?? []) as Listed[]).flatMap(({ type, created_at: createdAt = '', download_id: documentId }) => {
    const kind = KINDS[type?.code ?? ''] ?? 'OTHER'
    const name = `${type?.name ?? 'Document'} ${createdAt.slice(0, 10)}`.trim()
    return documentId ? [{ documentId, kind, name }] : []
  })
