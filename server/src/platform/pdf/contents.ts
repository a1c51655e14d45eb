import type { Document, Indirect } from './document.ts'
import { checkCodec } from './images.ts'
import { automaticAction, REASONS, RejectedPdf } from './reasons.ts'
import { type Dict, isRef, TEXT, type Value } from './syntax.ts'

// What must not be anywhere in a file: in any object of any revision, whether or not something refers to it.

const FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ['JavaScript', REASONS.script],
  ['Launch', REASONS.launch],
  ['EmbeddedFile', REASONS.embedded],
  ['FileAttachment', REASONS.embedded],
  ['RichMedia', REASONS.embedded],
])

/** Actions that leave the file or play media. A link may have them, because a person clicks it. */
const NOT_AUTOMATIC: ReadonlySet<unknown> = new Set([
  ...['GoToR', 'GoToE', 'URI', 'SubmitForm', 'ImportData'],
  ...['Rendition', 'Movie', 'Sound', 'RichMediaExecute', 'GoTo3DView'],
])

const SUSPICIOUS = ['EF', 'XFA', 'OpenAction', 'AA']

export async function checkContents(document: Document): Promise<void> {
  const seenActions = new Set<number>()

  for (const [number, entry] of document.entries) {
    if ('offset' in entry) await checkObject(await document.object(number, entry))
    else await document.checkMember(number, entry) // it is checked with the object stream that contains it
  }
  for (const [number, replaced] of document.replaced) {
    for (const entry of replaced) {
      const object = 'offset' in entry && (await document.objectAt(entry.offset, number, entry.generation))
      if (object) await checkObject(object)
    }
  }

  async function checkObject(object: Indirect): Promise<void> {
    const { value, packed } = object
    await checkValue(value)
    if (!(packed && value instanceof Map)) return
    if ((value.get('F') ?? null) !== null) throw new RejectedPdf(REASONS.external)
    await document.checkUnpacked(value, packed)
    await checkCodec(document, value, packed)
    if (!(value.has('N') && value.has('First'))) return
    const { numbers, valueAt } = await document.objectsOf(object)
    for (const index of numbers.keys()) await checkValue(valueAt(index))
  }

  async function checkValue(value: Value): Promise<void> {
    const suspects: Dict[] = []
    checkNames(value, suspects)
    for (const suspect of suspects) {
      await checkFiles(suspect.get('EF'))
      await checkForm(suspect.get('XFA'))
      await checkAutomatic(suspect.get('OpenAction'))
      for await (const { value: actions } of document.versions(suspect.get('AA'))) {
        if (actions instanceof Map) for (const action of actions.values()) await checkAutomatic(action)
      }
    }
  }

  async function checkFiles(files: Value | undefined): Promise<void> {
    for await (const { value } of document.versions(files)) {
      const isFile = value instanceof Map && ['F', 'UF', 'DOS', 'Mac', 'Unix'].some((key) => value.has(key))
      if (isFile) throw new RejectedPdf(REASONS.embedded)
    }
  }

  /** A form is a stream or an array of streams, never a plain dictionary: a font may be called XFA. */
  async function checkForm(form: Value | undefined): Promise<void> {
    for await (const { value, packed } of document.versions(form)) {
      if (value !== null && (packed || !(value instanceof Map))) throw new RejectedPdf(REASONS.xfa)
    }
  }

  /** An action may be followed by others. */
  async function checkAutomatic(first: Value | undefined): Promise<void> {
    const left = [first]
    while (left.length > 0) {
      const next = left.pop()
      if (isRef(next)) {
        if (seenActions.has(next.number)) continue
        seenActions.add(next.number)
      }
      for await (const { value } of document.versions(next)) {
        if (Array.isArray(value)) for (const item of value) left.push(item)
        if (!(value instanceof Map)) continue
        for await (const { value: type } of document.versions(value.get('S'))) {
          if (NOT_AUTOMATIC.has(type)) throw automaticAction(String(type))
        }
        left.push(value.get('Next'))
      }
    }
  }
}

function checkNames(value: Value, suspects: Dict[]): void {
  if (typeof value === 'string') {
    const reason = FORBIDDEN.get(value)
    if (reason !== undefined) throw new RejectedPdf(reason)
  } else if (Array.isArray(value)) {
    for (const item of value) checkNames(item, suspects)
  } else if (value instanceof Map) {
    if (isScript(value)) throw new RejectedPdf(REASONS.script)
    if (SUSPICIOUS.some((key) => value.has(key))) suspects.push(value)
    for (const item of value.values()) checkNames(item, suspects)
  }
}

/** Scripts without the name `JavaScript`: those of renditions and of 3D models. A font may be called JS. */
const isScript = (dict: Dict) =>
  dict.get('JS') === TEXT || (dict.has('JS') && typeof dict.get('S') === 'string') || dict.has('OnInstantiate')
