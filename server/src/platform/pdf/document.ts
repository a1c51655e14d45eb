import { inflateSync } from 'node:zlib'
import { mayUnpackTo, type Packing, packingOf, unpack, unpredicted } from './filters.ts'
import { damaged, REASONS, RejectedPdf } from './reasons.ts'
import { type Dict, isRef, isWhole, parserOf, type Value } from './syntax.ts'
import type { Bytes } from './unpackers.ts'

/** Where an object is: at an offset of the file, or in an object stream. */
export type Entry = { offset: number; generation: number } | { stream: number; index: number }

/** An object with a number. For a stream also its bytes, still packed. */
export type Indirect = { value: Value; packed?: Buffer }

export type ObjectStream = { numbers: readonly number[]; valueAt(index: number): Value }

export type Document = ReturnType<typeof openDocument>

const REFERENCES_MAX = 32
const OBJECT_STREAMS_KEPT = 16
const FILTERS_MAX = 16
const [LF, CR] = [10, 13]

/** Finds objects by their numbers, once `entries` is filled from the cross-references. */
export function openDocument(bytes: Buffer, unpackedBytesMax: number) {
  const entries = new Map<number, Entry>()
  /** What a later revision of the file replaced. Few readers use it, but it is still in the file. */
  const replaced = new Map<number, Entry[]>()
  const parser = parserOf(bytes)
  const kept = new Map<number, ObjectStream>()
  const opening = new Set<number>()
  return {
    bytes,
    unpackedBytesMax,
    entries,
    replaced,
    parser,
    objectAt,
    object,
    checkMember,
    dictOf,
    resolve,
    versions,
    objectsOf,
    packing,
    pieces,
    unpacked,
    checkUnpacked,
  }

  /** The object with this number at this offset, or undefined where there is another object or none. */
  async function objectAt(offset: number, number: number, generation: number): Promise<Indirect | undefined> {
    if (!headAt(offset, number, generation)) return undefined
    const value = parser.value()
    if (!(value instanceof Map && parser.keyword('stream'))) return checkEnd({ value })
    const { at } = parser
    const start = at + (bytes[at] === CR ? 1 : 0) + (bytes[at] === LF || bytes[at + 1] === LF ? 1 : 0)
    return checkEnd({ value, packed: bytes.subarray(start, await endOfStream(value, start)) })
  }

  /** Some producers omit `endobj`. Then the next object must follow. */
  function checkEnd(object: Indirect): Indirect {
    if (parser.keyword('endobj') || parser.whole() !== undefined) return object
    throw damaged('an object has no end')
  }

  function headAt(offset: number, number: number, generation: number): boolean {
    parser.at = offset
    return parser.whole() === number && parser.whole() === generation && parser.keyword('obj')
  }

  /** Where the length is wrong or missing, readers search for the end. So does this. */
  async function endOfStream(dict: Dict, start: number): Promise<number> {
    const length = await lengthOf(dict)
    parser.at = start + (length ?? 0)
    if (length !== undefined && parser.keyword('endstream')) return start + length
    const end = bytes.indexOf('endstream', start)
    if (end < 0) throw damaged('a stream has no end')
    parser.at = end + 'endstream'.length
    return end
  }

  // Not by `resolve`: a stream that is its own length would lead to an endless search.
  async function lengthOf(dict: Dict): Promise<number | undefined> {
    const length = dict.get('Length')
    if (!isRef(length)) return isWhole(length) ? length : undefined
    const entry = entries.get(length.number)
    if (!entry) return undefined
    if ('offset' in entry) {
      return headAt(entry.offset, length.number, entry.generation) ? parser.whole() : undefined
    }
    if (opening.has(entry.stream)) return undefined
    const { value } = await object(length.number, entry)
    return isWhole(value) ? value : undefined
  }

  /** The object of an entry. The file is damaged where the object is not there. */
  async function object(number: number, entry: Entry): Promise<Indirect> {
    if ('offset' in entry) {
      const found = await objectAt(entry.offset, number, entry.generation)
      if (found) return found
      throw damaged(`object ${number} is not at the offset of its cross-reference`)
    }
    const { valueAt } = await checkMember(number, entry)
    return { value: valueAt(entry.index) }
  }

  async function checkMember(number: number, entry: { stream: number; index: number }): Promise<ObjectStream> {
    const stream = await objectStream(entry.stream)
    if (stream.numbers[entry.index] === number) return stream
    throw damaged(`object ${number} is not in the object stream that its cross-reference names`)
  }

  /** The dictionary that a reference of the right generation leads to, or undefined where it is a stream or something else. */
  async function dictOf(value: Value | undefined): Promise<Dict | undefined> {
    const entry = isRef(value) ? entries.get(value.number) : undefined
    if (!(isRef(value) && entry && value.generation === ('offset' in entry ? entry.generation : 0))) return undefined
    const { value: dict, packed } = await object(value.number, entry)
    return dict instanceof Map && !packed ? dict : undefined
  }

  /** What a reference leads to; any other value unchanged. A reference to nothing is null. */
  async function resolve(value: Value | undefined): Promise<Value> {
    let found = value ?? null
    for (let steps = 0; isRef(found); steps++) {
      if (steps > REFERENCES_MAX) throw damaged('a reference leads back to itself')
      const entry = entries.get(found.number)
      found = entry ? (await object(found.number, entry)).value : null
    }
    return found
  }

  /** What a reference leads to in the last revision of the file and in all before it; any other value unchanged. */
  async function* versions(value: Value | undefined, steps = 0): AsyncGenerator<Indirect, void> {
    if (value === undefined) return
    if (!isRef(value)) return yield { value }
    if (steps > REFERENCES_MAX) throw damaged('a reference leads back to itself')
    const entry = entries.get(value.number)
    const found = [entry && (await object(value.number, entry))]
    for (const older of replaced.get(value.number) ?? []) found.push(await replacedObject(value.number, older))
    for (const one of found) if (one) yield* isRef(one.value) ? versions(one.value, steps + 1) : [one]
  }

  /** A replaced object may be missing. */
  async function replacedObject(number: number, entry: Entry): Promise<Indirect | undefined> {
    if ('offset' in entry) return objectAt(entry.offset, number, entry.generation)
    return object(number, entry).catch((error: unknown) => {
      if (error instanceof RejectedPdf) return undefined
      throw error
    })
  }

  async function objectStream(number: number): Promise<ObjectStream> {
    const known = kept.get(number)
    if (known) return known
    const entry = entries.get(number)
    if (!entry || !('offset' in entry) || opening.has(number)) throw damaged(`object stream ${number} is missing`)
    opening.add(number)
    const opened = await objectsOf(await object(number, entry))
    opening.delete(number)
    kept.set(number, opened)
    const [oldest] = kept.keys()
    if (kept.size > OBJECT_STREAMS_KEPT && oldest !== undefined) kept.delete(oldest)
    return opened
  }

  /** An object stream contains pairs of number and offset, then the objects. */
  async function objectsOf({ value, packed }: Indirect): Promise<ObjectStream> {
    if (!(value instanceof Map && packed)) throw damaged('an object stream is not a stream')
    const [count, first] = [await resolve(value.get('N')), await resolve(value.get('First'))]
    if (!isWhole(count) || !isWhole(first)) throw damaged('an object stream does not state what it contains')
    const within = parserOf(await unpacked(value, packed))
    const numbers: number[] = []
    const offsets: number[] = []
    while (numbers.length < count) {
      const [number, offset] = [within.whole(), within.whole()]
      if (number === undefined || offset === undefined) throw damaged('an object stream contains less than it states')
      numbers.push(number)
      offsets.push(offset)
    }
    const valueAt = (index: number) => {
      within.at = first + (offsets[index] ?? 0)
      return within.value()
    }
    return { numbers, valueAt }
  }

  /** Some readers also accept the short name of the parameters. */
  async function packing(dict: Dict): Promise<Packing> {
    if (dict.has('DecodeParms') && dict.has('DP')) throw new RejectedPdf(REASONS.duplicate)
    const filter = await resolve(dict.get('Filter'))
    const parameters = await resolve(dict.get('DecodeParms') ?? dict.get('DP'))
    return packingOf(await each(filter), await each(parameters))
  }

  async function each(value: Value): Promise<Value> {
    if (!Array.isArray(value)) return value
    if (value.length > FILTERS_MAX) throw damaged('a stream has too many filters')
    return Array.fromAsync(value, (one) => resolve(one))
  }

  async function* pieces(dict: Dict, packed: Buffer): Bytes {
    const { filters } = await packing(dict)
    yield* unpack(packed, filters, unpackedBytesMax)
  }

  /** The whole content of a stream that is part of the file's structure. */
  async function unpacked(dict: Dict, packed: Buffer): Promise<Buffer> {
    await checkUnpacked(dict, packed) // before it is held in memory
    const { filters } = await packing(dict)
    const isDeflated = filters.length === 1 && filters[0]?.name === 'FlateDecode'
    const content = isDeflated ? inflated(packed) : Buffer.concat(await Array.fromAsync(pieces(dict, packed)))
    return unpredicted(content, filters.at(-1)?.parameters ?? new Map())
  }

  /** Unpacks a stream to see how long it is, but only where it could be too long. */
  async function checkUnpacked(dict: Dict, packed: Buffer): Promise<void> {
    const { filters } = await packing(dict)
    if (!mayUnpackTo(unpackedBytesMax, packed.length, filters)) return
    for await (const _ of unpack(packed, filters, unpackedBytesMax));
  }
}

/** Streams of the file's structure must be complete, including the checksum. */
function inflated(packed: Buffer): Buffer {
  try {
    return inflateSync(packed)
  } catch {
    throw damaged('a part of its structure cannot be unpacked')
  }
}
