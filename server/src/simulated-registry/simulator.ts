import type { Readable } from 'node:stream'
import type { Db } from '../platform/database/db.ts'
import type { RegistryDocument } from '../registry/documents.ts'
import { closeSheet, openSheet } from '../registry/pdf-sheet.ts'
import type { Registry, RegistryCall, SearchOutcome } from '../registry/port.ts'
import { masthead } from '../registry/title-pdf-layout.ts'
import { simulatedLodging } from './lodging.ts'
import { WORLD } from './world.ts'

/**
 * The land registry of the sandbox. Its results depend only on the title number, the business clock and what was lodged, so
 * a repeat, a late call or another process gets the same result.
 */
export const simulatedRegistry = (deps: { db: Db }): Registry => ({
  searchTitle: async (titleNumber, call) => search(titleNumber, call),
  ...simulatedLodging(deps),
  openDocument: async (document, call) => ({ kind: 'opened', stream: await letterPdf(document, call) }),
})

function search(titleNumber: string, { now, firstAskedAt }: RegistryCall): SearchOutcome {
  const holding = WORLD.get(titleNumber)
  if (!holding) return { kind: 'failed', reason: 'NOT_FOUND' }
  if (holding.kind === 'unavailable') return { kind: 'failed', reason: holding.reason }
  const answeredAt = new Date(firstAskedAt.getTime() + holding.answeredAfterMs)
  if (now < answeredAt) return { kind: 'later', askAgainAt: answeredAt }
  // A copy, because the caller may change it.
  return { kind: 'found', register: structuredClone(holding.register), officialCopyAt: answeredAt }
}

const LETTER =
  'We expect to complete your application within five working days. This letter is for your information: you need not ' +
  'answer it. (It was written by the registry of the sandbox.)'

async function letterPdf(
  { documentId, name }: RegistryDocument,
  { customerReference, firstAskedAt }: RegistryCall,
): Promise<Readable> {
  const title = `${name}: ${customerReference}`
  const sheet = await openSheet({ title, subject: title, runningHead: title, documentId, madeAt: firstAskedAt })
  masthead(sheet, { heading: name, mark: `Your reference ${customerReference}`, introduction: LETTER })
  return closeSheet(sheet)
}
