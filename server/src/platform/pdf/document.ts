import { inflateSync } from 'node:zlib'
import { mayUnpackTo, type Packing, packingOf, unpack } from './filters.ts'
import { unpredicted } from './predictor.ts'
import { type Dict, isRef, isWhole, parserOf, type Value } from './syntax.ts'
import { damaged, REASONS, Unfit } from './unfit.ts'
import type { Bytes } from './unpackers.ts'

/** Where an object lies: at an offset of the file, or in a stream of objects. */
export type Entry = { offset: number; generation: number } | { stream: number; index: number }

/** An object with a number of its own; of a stream also its bytes, still packed. */
export type Indirect = { value: Value; packed?: Buffer }

export type ObjectStream = { numbers: readonly number[]; valueAt(index: number): Value }

export type Document = ReturnType<typeof openDocument>

const REFERENCES_MAX = 32
const OBJECT_STREAMS_KEPT = 16
const FILTERS_MAX = 16
const [LF, CR] = [10, 13]

/** Finds objects by their numbers, as soon as `entries` has been filled from the cross-references. */
export function openDocument(bytes: Buffer, unpackedBytesMax: number) {
  const entries = new Map<number, Entry>()
  /** What a later revision of the file replaced. Few readers look at it, but it is there. */
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

  /** The object with this number at this offset, or undefined where there is another or none. */
  async function objectAt(offset: number, number: number, generation: number): Promise<Indirect | undefined> {
    if (!headAt(offset, number, generation)) return undefined
    const value = parser.value()
    if (!(value instanceof Map && parser.keyword('stream'))) return checkEnd({ value })
    const { at } = parser
    const start = at + (bytes[at] === CR ? 1 : 0) + (bytes[at] === LF || bytes[at + 1] === LF ? 1 : 0)
    return checkEnd({ value, packed: bytes.subarray(start, await endOfStream(value, start)) })
  }

  /** Some producers leave out the last word. Then the next object must follow. */
  function checkEnd(object: Indirect): Indirect {
    if (parser.keyword('endobj') || parser.whole() !== undefined) return object
    throw damaged('an object in it has no end')
  }

  function headAt(offset: number, number: number, generation: number): boolean {
    parser.at = offset
    return parser.whole() === number && parser.whole() === generation && parser.keyword('obj')
  }

  /** Where the length is wrong or nowhere to be found, readers look for the end. So does this. */
  async function endOfStream(dict: Dict, start: number): Promise<number> {
    const length = await lengthOf(dict)
    parser.at = start + (length ?? 0)
    if (length !== undefined && parser.keyword('endstream')) return start + length
    const end = bytes.indexOf('endstream', start)
    if (end < 0) throw damaged('a stream in it has no end')
    parser.at = end + 'endstream'.length
    return end
  }

  // Not by `resolve`: a stream that is its own length would be looked for without end.
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

  /** The object of an entry. That it is not where the entry says is a fault of the file. */
  async function object(number: number, entry: Entry): Promise<Indirect> {
    if ('offset' in entry) {
      const found = await objectAt(entry.offset, number, entry.generation)
      if (found) return found
      throw damaged(`object ${number} is not where its cross-reference says`)
    }
    const { valueAt } = await checkMember(number, entry)
    return { value: valueAt(entry.index) }
  }

  async function checkMember(number: number, entry: { stream: number; index: number }): Promise<ObjectStream> {
    const stream = await objectStream(entry.stream)
    if (stream.numbers[entry.index] === number) return stream
    throw damaged(`object ${number} is not in the object stream that its cross-reference names`)
  }

  /** The dictionary that a reference of the right generation leads to, if it is one and no stream. */
  async function dictOf(value: Value | undefined): Promise<Dict | undefined> {
    const entry = isRef(value) ? entries.get(value.number) : undefined
    if (!(isRef(value) && entry && value.generation === ('offset' in entry ? entry.generation : 0))) return undefined
    const { value: dict, packed } = await object(value.number, entry)
    return dict instanceof Map && !packed ? dict : undefined
  }

  /** What a reference leads to, and every other value as it is. A reference to nothing is null. */
  async function resolve(value: Value | undefined): Promise<Value> {
    let found = value ?? null
    for (let steps = 0; isRef(found); steps++) {
      if (steps > REFERENCES_MAX) throw damaged('a reference in it leads back to itself')
      const entry = entries.get(found.number)
      found = entry ? (await object(found.number, entry)).value : null
    }
    return found
  }

  /** What a value is, or what a reference leads to: in the last revision of the file and in all before it. */
  async function* versions(value: Value | undefined, steps = 0): AsyncGenerator<Indirect, void> {
    if (value === undefined) return
    if (!isRef(value)) return yield { value }
    if (steps > REFERENCES_MAX) throw damaged('a reference in it leads back to itself')
    const entry = entries.get(value.number)
    const found = [entry && (await object(value.number, entry))]
    for (const older of replaced.get(value.number) ?? []) found.push(await replacedObject(value.number, older))
    for (const one of found) if (one) yield* isRef(one.value) ? versions(one.value, steps + 1) : [one]
  }

  /** That it is not there any more is no fault of the file. */
  async function replacedObject(number: number, entry: Entry): Promise<Indirect | undefined> {
    if ('offset' in entry) return objectAt(entry.offset, number, entry.generation)
    return object(number, entry).catch((error: unknown) => {
      if (error instanceof Unfit) return undefined
      throw error
    })
  }

  async function objectStream(number: number): Promise<ObjectStream> {
    const known = kept.get(number)
    if (known) return known
    const entry = entries.get(number)
    if (!entry || !('offset' in entry) || opening.has(number)) throw damaged(`there is no object stream ${number}`)
    opening.add(number)
    const opened = await objectsOf(await object(number, entry))
    opening.delete(number)
    kept.set(number, opened)
    const [oldest] = kept.keys()
    if (kept.size > OBJECT_STREAMS_KEPT && oldest !== undefined) kept.delete(oldest)
    return opened
  }

  /** The objects in a stream of objects: first pairs of number and offset, then the objects. */
  async function objectsOf({ value, packed }: Indirect): Promise<ObjectStream> {
    if (!(value instanceof Map && packed)) throw damaged('an object stream in it is none')
    const [count, first] = [await resolve(value.get('N')), await resolve(value.get('First'))]
    if (!isWhole(count) || !isWhole(first)) throw damaged('an object stream in it does not say what it holds')
    const within = parserOf(await unpacked(value, packed))
    const numbers: number[] = []
    const offsets: number[] = []
    while (numbers.length < count) {
      const [number, offset] = [within.whole(), within.whole()]
      if (number === undefined || offset === undefined) throw damaged('an object stream in it holds less than it says')
      numbers.push(number)
      offsets.push(offset)
    }
    const valueAt = (index: number) => {
      within.at = first + (offsets[index] ?? 0)
      return within.value()
    }
    return { numbers, valueAt }
  }

  /** Some readers take the short name of the parameters, too. */
  async function packing(dict: Dict): Promise<Packing> {
    if (dict.has('DecodeParms') && dict.has('DP')) throw new Unfit(REASONS.duplicate)
    const filter = await resolve(dict.get('Filter'))
    const parameters = await resolve(dict.get('DecodeParms') ?? dict.get('DP'))
    return packingOf(await each(filter), await each(parameters))
  }

  async function each(value: Value): Promise<Value> {
    if (!Array.isArray(value)) return value
    if (value.length > FILTERS_MAX) throw damaged('a stream in it is packed too often')
    return Array.fromAsync(value, (one) => resolve(one))
  }

  async function* pieces(dict: Dict, packed: Buffer): Bytes {
    const { filters } = await packing(dict)
    yield* unpack(packed, filters, unpackedBytesMax)
  }

  /** The whole content of a stream, of those that hold the structure of the file. */
  async function unpacked(dict: Dict, packed: Buffer): Promise<Buffer> {
    await checkUnpacked(dict, packed) // before it is gathered
    const { filters } = await packing(dict)
    const isDeflated = filters.length === 1 && filters[0]?.name === 'FlateDecode'
    const content = isDeflated ? inflated(packed) : Buffer.concat(await Array.fromAsync(pieces(dict, packed)))
    return unpredicted(content, filters.at(-1)?.parameters ?? new Map())
  }

  /** Unpacks a stream only to see how far it goes, and only where it might go too far. */
  async function checkUnpacked(dict: Dict, packed: Buffer): Promise<void> {
    const { filters } = await packing(dict)
    if (!mayUnpackTo(unpackedBytesMax, packed.length, filters)) return
    for await (const _ of unpack(packed, filters, unpackedBytesMax));
  }
}

/** What holds the structure of the file must be whole, checksum and all. */
function inflated(packed: Buffer): Buffer {
  try {
    return inflateSync(packed)
  } catch {
    throw damaged('a part of its structure cannot be unpacked')
  }
}
