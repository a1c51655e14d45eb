import { XMLParser } from 'fast-xml-parser'

// XML that the gateway sends. No entity is expanded but the five of XML itself and those that name a character by number.

const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  processEntities: false,
  tagValueProcessor: (_, value) => decode(value),
})

/** Elements by their names, without prefixes. */
export function parseXml(text: string): unknown {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('The XML of the gateway declares a document type.')
  return parser.parse(text)
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** As the content of an element or of an attribute. */
export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (one) => `&${Object.keys(NAMED).find((name) => NAMED[name] === one)};`)

/** All children of this name; none where there is no such node. */
export function children(node: unknown, name: string): unknown[] {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return []
  const found = (node as Record<string, unknown>)[name]
  return Array.isArray(found) ? found : [found]
}

/** The first node at the end of the path. */
export function child(node: unknown, ...path: string[]): unknown {
  return path.reduce((within, name) => children(within, name)[0], node)
}

/** The text there; undefined where it is missing or empty. */
export function textOf(node: unknown, ...path: string[]): string | undefined {
  const found = child(node, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** The first element of this name, however deep. */
export function findElement(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null) return undefined
  if (Object.hasOwn(node, name)) return child(node, name)
  for (const one of Object.values(node).flat()) {
    const found = findElement(one, name)
    if (found !== undefined) return found
  }
  return undefined
}
