import { createHash, hash } from 'node:crypto'
import { scopeOf } from '../worklist/rules-changes.ts'

// What an evidence pack holds of the audit of its workspace, and whether that is whole.

/** An entry of the audit as it is stored. In format 1, of version 1.0, the text has both states and there is no payload. */
export type StoredEntry = {
  seq: number
  hash: string
  header: string
  payload: string | null
  payloadHash: string | null
}

/**
 * A line of `audit/entries.jsonl`. Texts are as they were hashed. Without `payload` there is none, it was erased, or it is not
 * for the caller: its hash stays. Without `header` only the hash of the entry is there, and nothing of it can be checked.
 */
export type PackEntry = { seq: number; hash: string; header?: string; payloadHash?: string; payload?: string }

type Header = { action: string; ids: Readonly<Record<string, string>>; after?: unknown }

/** What a caller gets of an entry: all of it with the scope that reads the thing itself, otherwise as little as can be checked. */
export function packEntry(
  { seq, hash, header, payload, payloadHash }: StoredEntry,
  { scopes }: { scopes: ReadonlySet<string> },
): PackEntry {
  const mayRead = scopes.has(scopeOf(JSON.parse(header) as Header))
  if (payloadHash === null) return mayRead ? { seq, hash, header } : { seq, hash }
  return { seq, hash, header, payloadHash, ...(mayRead && payload !== null && { payload }) }
}

/** Checks entries as they come, in their order. A finding is a sentence. */
export function createChainCheck() {
  let previous = ''
  let seq = 0
  let unchecked = 0
  /** By the id of a file, the hash that it had when it arrived. */
  const files = new Map<string, { seq: number; sha256: string }>()
  /** By the number of an entry, its hash: what anchors seal. */
  const hashes = new Map<number, string>()

  return {
    take(entry: PackEntry): string[] {
      const missing = entry.seq === seq + 1 ? [] : [`audit: ${missingWords(seq + 1, entry.seq - 1)}`]
      const findings = missing.length ? missing : faultsOf(entry, previous)
      previous = entry.hash
      seq = entry.seq
      hashes.set(seq, entry.hash)
      if (entry.header === undefined) unchecked++
      const arrived = arrivedFile(entry)
      if (arrived) files.set(arrived.fileId, { seq, sha256: arrived.sha256 })
      return findings
    },
    result: () => ({ entries: seq, head: previous, unchecked, files, hashes }),
  }
}

const missingWords = (first: number, last: number): string => {
  if (last < first) return `entry ${last + 1} is there twice, or out of order.`
  return first === last ? `entry ${first} is missing.` : `entries ${first} to ${last} are missing.`
}

function faultsOf({ seq, hash: stated, header, payload, payloadHash }: PackEntry, previous: string): string[] {
  if (header === undefined) return []
  if (payload !== undefined && hash('sha256', payload) !== payloadHash) {
    return [`audit: the payload of entry ${seq} was altered.`]
  }
  const link = createHash('sha256').update(Buffer.from(previous, 'hex'))
  if (payloadHash !== undefined) link.update(Buffer.from(`02${payloadHash}`, 'hex'))
  if (link.update(header).digest('hex') === stated) return []
  return [`audit: entry ${seq} was altered, or the hash of the one before it.`]
}

/** The hash of a file is part of the entry about its arrival. */
function arrivedFile({ header, payload }: PackEntry): { fileId: string; sha256: string } | undefined {
  if (header === undefined) return undefined
  const { action, ids, after = payload && JSON.parse(payload).after } = JSON.parse(header) as Header
  if (action !== 'file uploaded' && action !== 'registry document received') return undefined
  const { sha256 } = (after ?? {}) as { sha256?: unknown }
  return typeof sha256 === 'string' && ids['fileId'] ? { fileId: ids['fileId'], sha256 } : undefined
}

/** A file of the pack. `fileId` is that of a document of the workspace. */
export type PackedFile = { name: string; size: number; sha256: string; fileId?: string }

/** An anchor that sealed the chain, and the entry that was its last then. */
export type SealedHead = { anchorId: number; sealedAt: string; hash: string; entry: { seq: number; hash: string } }

/** The last file of a pack. */
export type Manifest = {
  format: 'lodgeway-evidence-1'
  workspaceId: string
  subscriberId: string
  madeAt: string
  audit: { entries: number; head: string }
  /** Parts that the caller has no scope for. */
  leftOut: string[]
  files: PackedFile[]
}

/** A name that is safe in every file system: the number keeps two of one name apart. */
export function documentName(number: number, fileName: string): string {
  const safe = fileName.replace(/[^\p{L}\p{N} ._()-]/gu, '_').replace(/^[. ]+/, '_')
  return `documents/${String(number).padStart(3, '0')} ${safe}`
}
