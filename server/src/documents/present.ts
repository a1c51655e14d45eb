import { presentAudit } from '../workspaces/present.ts'
import type { WorkspaceFile } from './schema.ts'
import type { FileRow } from './store.ts'

export function presentFile(row: FileRow): WorkspaceFile {
  const { applicationId, failureReason, supersededBy, registryDocument } = row
  return {
    fileId: row.fileId,
    fileName: row.fileName,
    documentType: row.documentType,
    documentCategory: row.documentCategory,
    certificationType: row.certificationType,
    ...(applicationId !== null && { applicationId }),
    size: row.size,
    sha256: row.sha256,
    fileUploadStatus: row.fileUploadStatus,
    ...(failureReason !== null && { failureReason }),
    ...(supersededBy !== null && { supersededBy }),
    source: registryDocument ? 'REGISTRY' : 'UPLOAD',
    ...(registryDocument && { registryDocumentKind: registryDocument.kind }),
    auditAttributes: presentAudit(row),
  }
}
