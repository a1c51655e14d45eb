import type { Place } from './cross-references.ts'
import type { Document, Indirect } from './document.ts'
import { type Dict, isRef, TEXT, type Value } from './syntax.ts'
import { REASONS, Unfit } from './unfit.ts'

// What must not be in a file, wherever in it: in any object of any revision, whether something leads there or not.

const FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ['JavaScript', REASONS.script],
  ['Launch', REASONS.launch],
  ['EmbeddedFile', REASONS.embedded],
  ['FileAttachment', REASONS.embedded],
  ['RichMedia', REASONS.embedded],
])

export async function checkContents(document: Document, replaced: readonly Place[]): Promise<void> {
  for (const [number, entry] of document.entries) {
    if ('offset' in entry) await checkObject(document, await document.object(number, entry))
    else await document.checkMember(number, entry) // what it says is looked at with the stream that it is in
  }
  for (const { number, entry } of replaced) {
    const object = 'offset' in entry && (await document.objectAt(entry.offset, number, entry.generation))
    if (object) await checkObject(document, object)
  }
}

async function checkObject(document: Document, object: Indirect): Promise<void> {
  await checkValue(document, object.value)
  if (!(object.packed && object.value instanceof Map)) return
  await document.checkUnpacked(object.value, object.packed)
  if (!(object.value.has('N') && object.value.has('First'))) return
  const { numbers, valueAt } = await document.objectsOf(object)
  for (const index of numbers.keys()) await checkValue(document, valueAt(index))
}

async function checkValue(document: Document, value: Value): Promise<void> {
  const suspects: Dict[] = []
  checkNames(value, suspects)
  for (const suspect of suspects) {
    await checkFiles(document, suspect.get('EF'))
    await checkForm(document, suspect.get('XFA'))
  }
}

function checkNames(value: Value, suspects: Dict[]): void {
  if (typeof value === 'string') {
    const reason = FORBIDDEN.get(value)
    if (reason !== undefined) throw new Unfit(reason)
  } else if (Array.isArray(value)) {
    for (const item of value) checkNames(item, suspects)
  } else if (value instanceof Map) {
    if (isScript(value)) throw new Unfit(REASONS.script)
    if (value.has('EF') || value.has('XFA')) suspects.push(value)
    for (const item of value.values()) checkNames(item, suspects)
  }
}

/** Beside the actions that say so by name: a rendition's script, and that of a model. A font may be called JS. */
const isScript = (dict: Dict) =>
  dict.get('JS') === TEXT || (dict.has('JS') && typeof dict.get('S') === 'string') || dict.has('OnInstantiate')

async function checkFiles(document: Document, files: Value | undefined): Promise<void> {
  const byPlatform = await document.resolve(files)
  if (!(byPlatform instanceof Map)) return
  if (['F', 'UF', 'DOS', 'Mac', 'Unix'].some((key) => byPlatform.has(key))) throw new Unfit(REASONS.embedded)
}

/** An XML form, whole or in parts that are read as one. Its scripts bear a tag of their own. */
async function checkForm(document: Document, form: Value | undefined): Promise<void> {
  const whole = await document.resolve(form)
  let carried = ''
  for (const part of Array.isArray(whole) ? whole : [form]) {
    const entry = isRef(part) && document.entries.get(part.number)
    if (!(isRef(part) && entry)) continue
    const { value, packed } = await document.object(part.number, entry)
    if (!(value instanceof Map && packed)) continue
    for await (const piece of document.pieces(value, packed)) {
      const text = carried + piece.toString('latin1').replaceAll('\0', '') // of UTF-16 every other byte
      if (/<([\w.-]+:)?script[\s/>]/i.test(text)) throw new Unfit(REASONS.script)
      carried = text.slice(-TAG_LENGTH_MAX)
    }
  }
}

const TAG_LENGTH_MAX = 64
