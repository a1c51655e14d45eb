import type { Readable } from 'node:stream'
import { entriesOf } from './entries.ts'
import { dayInWords, momentInWords, oneLine } from './entry-wording.ts'
import { closeSheet, openSheet } from './pdf-sheet.ts'
import type { ClassOfTitleCode, OfficialCopy, Register } from './register.ts'
import { facts, masthead, register as writeRegister } from './title-pdf-layout.ts'

export type TitleDocumentType =
  | 'TITLE_REGISTER'
  | 'TITLE_INFORMATION_DOCUMENT'
  | 'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT'

export type TitleDocument = OfficialCopy & { titleDocumentId: string; documentType: TitleDocumentType }

/** A document whose PDF was rendered and stored. */
export type IssuedDocument = TitleDocument & { sha256: string; size: number }

/**
 * A title document to read, print and search, made from the same entries as the JSON. It streams. The same document always
 * gives the same bytes, because its only times are those of the copy and the entries.
 */
export async function titlePdf(document: TitleDocument): Promise<Readable> {
  const { register, officialCopyAt, titleDocumentId, documentType } = document
  const { heading, shows } = WORDING[documentType]
  const entries = entriesOf(register)
  const sheet = await openSheet({
    title: `${heading}: ${register.titleNumber}`,
    subject: `Title number ${register.titleNumber}, edition of ${dayInWords(register.editionDate)}`,
    runningHead: `${heading} · Title number ${register.titleNumber}`,
    documentId: titleDocumentId,
    madeAt: officialCopyAt,
  })
  const introduction = `${shows} The entries are those of ${momentInWords(officialCopyAt)}, London time. ${NOT_OFFICIAL}`
  masthead(sheet, { heading, mark: `Title number ${register.titleNumber}`, introduction })
  facts(sheet, factsOf(register))
  writeRegister(sheet, 'A  Property register', 'The land, and the rights that go with it.', entries.A)
  writeRegister(sheet, 'B  Proprietorship register', PROPRIETORSHIP, entries.B)
  writeRegister(sheet, 'C  Charges register', 'Loans secured on the land, and other burdens on it.', entries.C)
  return closeSheet(sheet)
}

const WORDING: Record<TitleDocumentType, { heading: string; shows: string }> = {
  TITLE_REGISTER: {
    heading: 'Register of title',
    shows: 'This document shows what the land register holds about the title.',
  },
  TITLE_INFORMATION_DOCUMENT: {
    heading: 'Title information document',
    shows: 'This document shows the register of the title after the registration that was applied for.',
  },
  EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT: {
    heading: 'Title information document after early completion',
    shows: 'This document shows the register of the title after the discharge that early completion had left open.',
  },
}

const NOT_OFFICIAL =
  'Lodgeway made it from the data of the register; it is not itself an official copy issued by HM Land Registry.'

const PROPRIETORSHIP = 'Who owns the land, and what restricts their power to deal with it.'

const factsOf = (register: Register) =>
  [
    ['Property', oneLine(register.property.address)],
    ['Tenure and class of title', CLASSES_OF_TITLE[register.classOfTitleCode]],
    ['Edition date', dayInWords(register.editionDate)],
    ['First registered', dayInWords(register.registeredOn)],
    ['Administrative area', register.administrativeArea],
    ['District', register.district],
    ['Registry office', register.office],
  ] as const

const CLASSES_OF_TITLE: Record<ClassOfTitleCode, string> = {
  10: 'Freehold, title absolute',
  20: 'Freehold, possessory title',
  30: 'Freehold, qualified title',
  60: 'Leasehold, title absolute',
  70: 'Leasehold, good leasehold title',
  80: 'Leasehold, qualified title',
  90: 'Leasehold, possessory title',
}
