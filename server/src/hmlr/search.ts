import { Readable } from 'node:stream'
import type { Db } from '../platform/database/db.ts'
import { listZip, type ZipEntry } from '../platform/zip.ts'
import type { RegistryDocument } from '../registry/documents.ts'
import type { DocumentOutcome, RegistryCall, SearchFailure, SearchOutcome } from '../registry/port.ts'
import {
  EXTRACT_SERVICE,
  type ExtractAnswer,
  extractRequest,
  POLL_SERVICE,
  pollRequest,
  readExtract,
} from './extract.ts'
import { type Gateway, jsonOf, notUnderstood, REFUSED, Unavailable } from './gateway.ts'
import type { Settings } from './settings.ts'
import type { Account } from './shapes.ts'
import { findExtract, keepExtract } from './store.ts'

/** What every call of the adapter needs. */
export type Parts = {
  db: Db
  gateway: Gateway
  settings: Settings
  /** Applications whose acknowledged notifications this process has read again. */
  reread: Set<string>
}

export async function searchTitle(
  parts: Parts,
  account: Account,
  titleNumber: string,
  call: RegistryCall,
): Promise<SearchOutcome> {
  const { messageId, now } = call
  const answer = await fetchExtract(parts, account, { ...call, titleNumber, messageId })
  switch (answer.kind) {
    case 'result':
      return { kind: 'found', ...answer.copy, documents: await attachmentsOf(answer, { messageId, titleNumber }) }
    case 'not supported':
      return { kind: 'failed', reason: 'NOT_SUPPORTED' }
    case 'rejected':
      return { kind: 'failed', reason: await failureOf(parts, account, titleNumber, answer.reason) }
    case 'acknowledged':
      if (answer.expectedAt && answer.expectedAt > now) return { kind: 'later', askAgainAt: answer.expectedAt }
      throw new Unavailable('The register extract is not ready.')
    default:
      throw faultOf(answer)
  }
}

export function faultOf({ reason, because }: Extract<ExtractAnswer, { kind: 'fault' }>): Error {
  if (because === 'message') return new Error(`The gateway did not understand a request for an extract: ${reason}`)
  if (because === 'account') return new Unavailable(`The gateway refused the account: ${reason}`, REFUSED)
  return new Unavailable(`The register extract service failed: ${reason}`, { because: 'REGISTRY_UNAVAILABLE' })
}

type Wanted = Pick<RegistryCall, 'messageId' | 'customerReference' | 'now'> & { titleNumber: string }

/** A register extract. It costs a fee, so an answer that is final is kept under its message id and never asked for again. */
export async function fetchExtract(parts: Parts, account: Account, wanted: Wanted): Promise<ExtractAnswer> {
  const { db, gateway, settings } = parts
  const { messageId, titleNumber, customerReference: reference, now } = wanted
  const kept = await findExtract(db, messageId)
  if (kept?.answer) return readExtract(kept.answer)
  const request = { messageId, titleNumber, reference, pricePence: settings.extractPricePence }
  const text = kept
    ? await gateway.soap(account, POLL_SERVICE, pollRequest(settings, account, messageId))
    : await gateway.soap(account, EXTRACT_SERVICE, extractRequest(settings, account, request))
  if (!text.includes('Envelope')) throw notUnderstood('a SOAP message')
  const answer = readExtract(text)
  if (answer.kind === 'fault') return answer
  const isFinal = answer.kind !== 'acknowledged'
  await keepExtract(db, {
    messageId,
    lawFirmId: account.lawFirmId,
    titleNumber,
    askedAt: now,
    answer: isFinal ? text : undefined,
    pricePence: 'pricePence' in answer ? answer.pricePence : undefined,
  })
  return answer
}

const NOT_ELECTRONIC = /cannot be delivered electronically/i

/** A rejection does not say what is wrong with a title. The service of the proprietors' names does. */
async function failureOf(
  { gateway, settings }: Parts,
  account: Account,
  titleNumber: string,
  reason: string,
): Promise<SearchFailure> {
  const url = settings.proprietorNamesUrl.replace('{title}', encodeURIComponent(titleNumber))
  const answer = await gateway.rest(account, 'GET', url)
  const status = answer.status === 200 ? jsonOf<{ title_status_code?: string }>(answer).title_status_code : undefined
  return titleFailure(answer.status, status, reason)
}

export function titleFailure(httpStatus: number, titleStatus: string | undefined, reason: string): SearchFailure {
  if (httpStatus === 404) return 'NOT_FOUND'
  if (titleStatus?.startsWith('CLOSED_')) return 'CLOSED'
  if (titleStatus === 'PENDING_NEW_TITLE') return 'PENDING_NEW_TITLE'
  if (NOT_ELECTRONIC.test(reason)) return 'NOT_SUPPORTED'
  throw new Error(`The registry rejected the request for a register extract: ${reason}`)
}

const ZIP_LIMITS = { entriesMax: 50, entryBytesMax: 50_000_000, unpackedBytesMax: 100_000_000 }

type Result = Extract<ExtractAnswer, { kind: 'result' }>

/** The official copy: a PDF, or a ZIP of several. What cannot be unpacked is one document, as it is. */
async function unpack({ attachment }: Result): Promise<(Pick<ZipEntry, 'open'> & { name?: string })[]> {
  if (attachment === undefined) return []
  const bytes = Buffer.from(attachment, 'base64')
  const isZip = bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04'
  const entries = isZip ? await listZip(bytes, ZIP_LIMITS).catch(() => []) : []
  return entries.length ? entries : [{ open: async () => Readable.from([bytes]) }]
}

/** What came with an extract. The id of each names the extract and its place in it. */
export async function attachmentsOf(
  result: Result,
  { messageId, titleNumber }: { messageId: string; titleNumber: string },
): Promise<RegistryDocument[]> {
  return (await unpack(result)).map(({ name = `${titleNumber} register.pdf` }, index) => ({
    documentId: `extract ${messageId} ${index + 1}`,
    kind: /plan/i.test(name) ? 'TITLE_PLAN' : 'REGISTER_COPY',
    name,
  }))
}

export async function openDocument(
  { db, gateway }: Parts,
  account: Account,
  { documentId }: RegistryDocument,
): Promise<DocumentOutcome> {
  const [, messageId, place] = /^extract (\S+) (\d+)$/.exec(documentId) ?? []
  if (messageId === undefined) return { kind: 'opened', stream: await gateway.download(account, documentId) }
  const answer = readExtract((await findExtract(db, messageId))?.answer ?? '')
  const part = answer.kind === 'result' ? (await unpack(answer))[Number(place) - 1] : undefined
  if (!part) throw new Error(`The extract ${messageId} has no document ${place}.`)
  return { kind: 'opened', stream: await part.open() }
}
