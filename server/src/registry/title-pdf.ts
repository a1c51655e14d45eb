import type { Readable } from 'node:stream'
import { type Entry, entriesOf } from './entries.ts'
import { dayInWords, oneLine } from './entry-wording.ts'
import { openSheet, type Sheet } from './pdf-sheet.ts'
import type { ClassOfTitleCode, OfficialCopy, Register } from './register.ts'

export type TitleDocumentType =
  | 'TITLE_REGISTER'
  | 'TITLE_INFORMATION_DOCUMENT'
  | 'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT'

export type TitleDocument = OfficialCopy & { titleDocumentId: string; documentType: TitleDocumentType }

/**
 * A title document to read, print and search, made of the very entries that the JSON shows. It streams, and the same
 * document gives the same bytes: its only times are those of the register's copy.
 */
export function titlePdf(document: TitleDocument): Readable {
  const { register, officialCopyAt, titleDocumentId } = document
  const { heading, introduction } = WORDING[document.documentType]
  const sheet = openSheet({
    title: `${heading}: ${register.titleNumber}`,
    subject: `Title number ${register.titleNumber}, edition of ${dayInWords(register.editionDate)}`,
    runningHead: `${heading} · ${register.titleNumber}`,
    documentId: titleDocumentId,
    madeAt: officialCopyAt,
  })
  sheet.masthead({ heading, label: 'Title number', mark: register.titleNumber })
  sheet.paragraph(`${introduction} ${momentInWords(officialCopyAt)}.`)
  sheet.facts(factsOf(register))
  writeRegisters(sheet, register)
  sheet.closing(CLOSING)
  return sheet.end()
}
