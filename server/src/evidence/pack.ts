import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Caller } from '../auth/guard.ts'
import type { Scope } from '../auth/scopes.ts'
import { checkReadable } from '../documents/rules.ts'
import type { FileRow } from '../documents/store.ts'
import { findFile } from '../documents/store.ts'
import { readChunks, streamOfChunks } from '../platform/blobs/pour.ts'
import type { Deps } from '../platform/deps.ts'
import { Refusal } from '../platform/errors.ts'
import { writeZip, type ZipPart } from '../platform/zip-writer.ts'
import { readMatter, type Snapshot } from './read.ts'
import { documentName, type Manifest, type PackedFile, packEntry } from './rules.ts'
import { listEntries, listSealed } from './store.ts'
import { summaryPdf } from './summary.ts'

type Parts = Pick<Deps, 'db' | 'blobs' | 'clock'>
type File = ZipPart & { fileId?: string }

const ENTRIES_AT_ONCE = 100

/** What each part needs beside the scope of the operation. */
const SCOPES: Record<string, Scope> = {
  case: 'x-api:view:lodgement_summary',
  payments: 'view:financial_settlement_schedules',
  registers: 'view:title_documents',
  documents: 'x-api:view:documents',
}

/** All that the caller may read of a workspace, as a ZIP that is made while it is sent. */
export async function openPack(deps: Parts, caller: Caller, workspaceId: string) {
  const may = (part: string) => caller.scopes.has(SCOPES[part] ?? '')
  const matter = await readMatter(deps.db.read, caller, workspaceId, may)
  const madeAt = deps.clock.now()
  const manifest: Manifest = {
    format: 'lodgeway-evidence-1',
    workspaceId,
    subscriberId: caller.subscriberId,
    madeAt: madeAt.toISOString(),
    audit: { entries: matter.head.seq, head: matter.head.hash },
    leftOut: Object.keys(SCOPES).filter((part) => !may(part)),
    files: [],
  }
  const documents = may('documents') ? await readableOf(deps, caller, matter) : []
  const files = listed(filesOf(deps, caller, matter, documents, madeAt), manifest)
  const fileName = `${matter.workspace.workspaceReferenceId}_evidence.zip`
  return { fileName, stream: streamOfChunks(() => writeZip(files, madeAt)) }
}

/** Those that can be downloaded. Of one that was withdrawn it must be asked whether the registry was given it. */
async function readableOf({ db }: Parts, caller: Caller, { workspace, files }: Snapshot): Promise<FileRow[]> {
  const rows = await Promise.all(
    files.map((row) =>
      row.fileUploadStatus === 'WITHDRAWN' ? findFile(db.read, caller, workspace.workspaceId, row.fileId) : row,
    ),
  )
  return rows.filter((row) => row !== undefined && isReadable(row)) as FileRow[]
}

function isReadable(row: FileRow & { wasSent?: boolean }): boolean {
  try {
    checkReadable({ wasSent: false, ...row })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

async function* filesOf(
  { db, blobs }: Parts,
  caller: Caller,
  matter: Snapshot,
  documents: readonly FileRow[],
  madeAt: Date,
): AsyncGenerator<File> {
  const { workspace, head } = matter
  const { workspaceId } = workspace
  const names = new Map(documents.map((row, i) => [row.fileId, documentName(i + 1, row.fileName)]))
  const sealed = await listSealed(db.read, workspaceId, head.seq)
  yield text('README.txt', README)
  yield { name: 'summary.pdf', packed: 'no', content: await summaryPdf(matter, names, sealed.at(-1), madeAt) }
  yield json('workspace.json', workspace)
  yield json('timeline.json', matter.timeline)
  yield json('approvals.json', matter.approvals)
  if (matter.lodgementCase) yield json('case.json', matter.lodgementCase)
  if (matter.schedule) yield json('payments.json', matter.schedule)
  yield json(
    'files.json',
    matter.shownFiles.map((file) => ({ ...file, packedAs: names.get(file.fileId) })),
  )
  yield { name: 'audit/entries.jsonl', packed: 'yes', content: entriesOf() }
  yield json('audit/anchors.json', sealed)
  for (const [i, { shown, sha256 }] of matter.registers.entries()) {
    const name = `registers/${String(i + 1).padStart(3, '0')} ${shown.documentType}`
    yield json(`${name}.json`, shown)
    if (sha256 !== null) yield { name: `${name}.pdf`, packed: 'no', content: contentOf(sha256) }
  }
  for (const { fileId, sha256 } of documents) {
    yield { name: names.get(fileId) ?? fileId, packed: 'no', fileId, content: contentOf(sha256) }
  }

  async function* entriesOf(): AsyncGenerator<Buffer> {
    for (let after = 0; after < head.seq; ) {
      const rows = await listEntries(db.read, workspaceId, { after, upto: head.seq, rows: ENTRIES_AT_ONCE })
      const lines = rows.map((row) => `${JSON.stringify(packEntry(row, caller))}\n`)
      yield Buffer.from(lines.join(''))
      after = rows.at(-1)?.seq ?? head.seq
    }
  }

  async function* contentOf(sha256: string): AsyncGenerator<Uint8Array> {
    const { stream } = await blobs.open(sha256)
    yield* readChunks(stream)
  }
}

/** Hashes each file on its way, and adds the list of all of them at the end. */
async function* listed(files: AsyncIterable<File>, manifest: Manifest): AsyncGenerator<ZipPart> {
  for await (const { name, packed, fileId, content } of files) {
    const sum = createHash('sha256')
    const file: PackedFile = { name, size: 0, sha256: '', ...(fileId !== undefined && { fileId }) }
    const hashed = async function* () {
      for await (const bytes of content) {
        sum.update(bytes)
        file.size += bytes.length
        yield bytes
      }
    }
    yield { name, packed, content: hashed() }
    manifest.files.push({ ...file, sha256: sum.digest('hex') })
  }
  yield json('manifest.json', manifest)
}

const json = (name: string, value: unknown): File => text(name, `${JSON.stringify(value, undefined, 2)}\n`)

const text = (name: string, content: string): File => ({
  name,
  packed: 'yes',
  content: Readable.from([Buffer.from(content)]),
})

const README = `Evidence of one matter, made by Lodgeway.

summary.pdf           what happened, to read and to print
workspace.json        the matter: parties, title, status
timeline.json         what happened, oldest first
approvals.json        who approved and confirmed what, and when
case.json             applications, requisitions and their answers
payments.json         the settlement schedule, and what was paid
registers/            what the land registry held about the title
documents/            the documents; files.json describes them
audit/entries.jsonl   every change, each chained to the one before it by a hash
audit/anchors.json    the daily anchors that sealed the chain
manifest.json         the size and SHA-256 of every file; what was left out for lack of a scope

Check it with

    lodgeway audit verify --pack FILE

which needs no service and no network. It checks that no file was altered, added or removed, that the chain of the audit is
whole, and that each document is the one whose hash the audit has. To know that the whole pack is not an invention, compare
the hash of the newest anchor, which the command prints, with the one that the operator of the service keeps elsewhere.

In entries.jsonl, header and payload are the texts that were hashed:

    payloadHash = SHA-256(payload)
    hash        = SHA-256(hash of the entry before ‖ byte 02 ‖ payloadHash ‖ header)

Entries of version 1.0 have no payloadHash: hash = SHA-256(hash of the entry before ‖ header). Where header or payload is
missing it is not yours to read.
`
