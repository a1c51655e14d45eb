import { registerExtract } from '../registry/register-extract.ts'
import type { TitleDocumentRow } from './store.ts'

export function presentDocument(row: TitleDocumentRow) {
  const { titleDocumentId, documentType, titleId, register, officialCopyAt, createdAt } = row
  return {
    titleDocumentId,
    documentType,
    titleId,
    titleNumber: register.titleNumber,
    officialCopyDateTime: officialCopyAt.toISOString(),
    editionDate: register.editionDate,
    createdAt: createdAt.toISOString(),
    registerExtract: registerExtract({ register, officialCopyAt }),
  }
}
