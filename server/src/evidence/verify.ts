import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { openZip, type ZipEntry } from '../platform/zip.ts'
import { createChainCheck, type Manifest, type PackEntry, type SealedHead } from './rules.ts'

export type PackReport = {
  manifest: Manifest | undefined
  entries: number
  /** Entries of which only the hash is there. */
  unchecked: number
  newestAnchor: SealedHead | undefined
  /** A sentence for each thing that was altered, added or removed. */
  findings: string[]
}

const LIMITS = { entriesMax: 1_000_000, entryBytesMax: 4 * 2 ** 30, unpackedBytesMax: 2 ** 40 }
const MANIFEST_BYTES_MAX = 100_000_000

/** Checks a pack by itself, in constant memory. A file that is no ZIP, or was cut off, throws. */
export async function verifyPack(path: string): Promise<PackReport> {
  const zip = await openZip(path, LIMITS)
  try {
    const files = Map.groupBy(zip.entries, ({ name }) => name)
    const manifest = await readJson<Manifest>(files.get('manifest.json'))
    if (manifest?.format !== 'lodgeway-evidence-1') {
      const findings = ['manifest.json is missing or of another format: this is not an evidence pack.']
      return { manifest: undefined, entries: 0, unchecked: 0, newestAnchor: undefined, findings }
    }
    const sums = await sumsOf(zip.entries)
    const chain = await checkChain(files.get('audit/entries.jsonl')?.[0])
    const sealed = (await readJson<SealedHead[]>(files.get('audit/anchors.json'))) ?? []
    const findings = [
      ...checkFiles(files, manifest, sums),
      ...chain.findings,
      ...checkHead(manifest, chain),
      ...sealed.flatMap(({ anchorId, entry }) =>
        chain.hashes.get(entry.seq) === entry.hash
          ? []
          : [`audit: entry ${entry.seq} is not the one of anchor ${anchorId}.`],
      ),
      ...checkDocuments(manifest, chain.files),
    ]
    return { manifest, entries: chain.entries, unchecked: chain.unchecked, newestAnchor: sealed.at(-1), findings }
  } finally {
    zip.close()
  }
}

type Sums = ReadonlyMap<ZipEntry, { size: number; sha256: string } | undefined>
type Files = ReadonlyMap<string, readonly ZipEntry[]>

/** Undefined for one that cannot be unpacked. */
async function sumsOf(entries: readonly ZipEntry[]): Promise<Sums> {
  const sums = new Map<ZipEntry, { size: number; sha256: string } | undefined>()
  for (const entry of entries) {
    const hash = createHash('sha256')
    let size = 0
    try {
      for await (const bytes of await entry.open()) {
        hash.update(bytes)
        size += bytes.length
      }
      sums.set(entry, { size, sha256: hash.digest('hex') })
    } catch {
      sums.set(entry, undefined)
    }
  }
  return sums
}

function checkFiles(files: Files, { files: listed }: Manifest, sums: Sums): string[] {
  const names = new Set([...listed.map(({ name }) => name), 'manifest.json'])
  const added = [...files].flatMap(([name, found]) => [
    ...(names.has(name) ? [] : [`${name} was added.`]),
    ...(found.length > 1 ? [`${name} is there ${found.length} times.`] : []),
  ])
  const altered = listed.flatMap(({ name, size, sha256 }) => {
    const [entry] = files.get(name) ?? []
    if (!entry) return [`${name} is missing.`]
    const sum = sums.get(entry)
    return sum?.size === size && sum.sha256 === sha256 ? [] : [`${name} was altered.`]
  })
  return [...altered, ...added]
}

async function checkChain(entries: ZipEntry | undefined) {
  const check = createChainCheck()
  const findings: string[] = []
  try {
    if (entries) for await (const entry of linesOf(await entries.open())) findings.push(...check.take(entry))
  } catch {
    findings.push('audit: entries.jsonl cannot be read to its end.')
  }
  return { ...check.result(), findings }
}

async function* linesOf(stream: Readable): AsyncGenerator<PackEntry> {
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => {})
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line) yield JSON.parse(line) as PackEntry
  }
  if (stream.errored) await failed
}

const checkHead = ({ audit }: Manifest, { entries, head }: { entries: number; head: string }): string[] =>
  audit.entries === entries && audit.head === head
    ? []
    : [
        `audit: the last entry must be ${audit.entries} with the hash ${audit.head}, but ${entries} has ${head || 'none'}.`,
      ]

function checkDocuments({ files }: Manifest, arrived: ReadonlyMap<string, { seq: number; sha256: string }>): string[] {
  return files.flatMap(({ name, fileId, sha256 }) => {
    const known = fileId === undefined ? undefined : arrived.get(fileId)
    return known && known.sha256 !== sha256 ? [`${name} is not the document of audit entry ${known.seq}.`] : []
  })
}

async function readJson<T>(entries: readonly ZipEntry[] | undefined): Promise<T | undefined> {
  const [entry] = entries ?? []
  if (!entry || entry.size > MANIFEST_BYTES_MAX) return undefined
  try {
    return JSON.parse(String(await buffer(await entry.open()))) as T
  } catch {
    return undefined
  }
}
