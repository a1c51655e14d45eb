import type { Schemas } from '../../../client/src/index.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted, dateTime } from '../ui/time.ts'
import { DOCUMENT_WORDS, FILE_FAILURE_WORDS, FILE_WORDS, REGISTRY_DOCUMENT_WORDS } from '../words.ts'

export type File = Schemas['WorkspaceFile']

/** Those that count, and the others folded. `more` is what can be done with one. */
export function fileList(workspaceId: string, files: readonly File[], more?: (file: File) => Markup | false): Markup {
  const counting = files.filter(isCurrent)
  const others = files.filter((one) => !isCurrent(one))
  const rows = (some: readonly File[]) => some.map((one) => row(workspaceId, one, more?.(one)))
  return html`<dl class="summary">${rows(counting)}</dl>
${others[0] && html`<details id="old-${others[0].fileId}"><summary>${counted(others.length, 'file')} replaced or withdrawn</summary><dl class="summary">${rows(others)}</dl></details>`}`
}

export const isCurrent = ({ supersededBy, fileUploadStatus }: File): boolean =>
  !supersededBy && fileUploadStatus !== 'WITHDRAWN'

export const documentName = ({ documentType, registryDocumentKind: kind }: File): string =>
  kind ? REGISTRY_DOCUMENT_WORDS[kind] : DOCUMENT_WORDS[documentType]

export const withdrawLink = (address: string, { fileId, fileName }: File): Markup =>
  html`<a href="${address}/files?withdraw=${fileId}">Withdraw<span class="hidden"> ${fileName}</span></a>`

function row(workspaceId: string, file: File, more: Markup | false | undefined): Markup {
  const { fileId, fileName, fileUploadStatus, failureReason, auditAttributes } = file
  const name =
    fileUploadStatus === 'SUCCESS'
      ? html`<a href="/console/matters/${workspaceId}/files/${fileId}" download>${fileName}</a>`
      : html`${fileName}`
  const why = failureReason ? FILE_FAILURE_WORDS[failureReason] : FILE_WORDS[fileUploadStatus]
  return html`<div><dt>${documentName(file)}</dt><dd>${name} · ${why}${more && html` · ${more}`}<br><small>${dateTime(auditAttributes.createdAt)}, ${auditAttributes.createdBy}</small></dd></div>`
}
