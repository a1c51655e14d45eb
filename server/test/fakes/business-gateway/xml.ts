import { XMLParser } from 'fast-xml-parser'

/** An element, its namespace resolved. */
export type Element = {
  namespace: string
  name: string
  attributes: ReadonlyMap<string, string>
  children: Element[]
  text: string
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  processEntities: false,
  maxNestedTags: 30,
})

type Parsed = Record<string, Parsed[] | Record<string, string> | string>

/** Reads a document of one element. A document type is refused, so there is no entity but the predefined ones. */
export function readXml(xml: string): Element {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new Error('A document type is not allowed.')
  const nodes = (parser.parse(xml, true) as Parsed[]).filter((node) => !('#text' in node))
  const [root] = nodes
  if (!root || nodes.length !== 1) throw new Error('There must be one element.')
  return elementOf(root, new Map())
}

function elementOf(node: Parsed, scope: ReadonlyMap<string, string>): Element {
  const [qualified = ''] = Object.keys(node).filter((key) => key !== ':@')
  const given = Object.entries((node[':@'] ?? {}) as Record<string, string>)
  const declared = given.flatMap(([key, value]): [string, string][] => {
    if (key === 'xmlns') return [['', decode(value)]]
    return key.startsWith('xmlns:') ? [[key.slice('xmlns:'.length), decode(value)]] : []
  })
  const known = new Map([...scope, ...declared])
  const [prefix, name] = qualified.includes(':') ? (qualified.split(':', 2) as [string, string]) : ['', qualified]
  const namespace = known.get(prefix)
  if (prefix && namespace === undefined) throw new Error(`The prefix ${prefix} is not declared.`)
  const inside = node[qualified] as Parsed[]
  const texts = inside.flatMap((one) => (typeof one['#text'] === 'string' ? one['#text'] : []))
  return {
    namespace: namespace ?? '',
    name,
    attributes: new Map(given.filter(([key]) => !key.startsWith('xmlns')).map(([key, value]) => [key, decode(value)])),
    children: inside.filter((one) => !('#text' in one)).map((one) => elementOf(one, known)),
    text: decode(texts.join('')),
  }
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.replaceAll(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));?/g, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal) return String.fromCodePoint(Number(decimal))
    const found = PREDEFINED[name]
    if (found === undefined) throw new Error(`The entity ${whole} is not declared.`)
    return found
  })

/** An element of a name, or undefined. */
export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((one) => one.name === name)

export const textAt = (element: Element | undefined, ...path: string[]): string =>
  path.reduce<Element | undefined>(childOf, element)?.text.trim() ?? ''

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (one) => ESCAPES[one] ?? one)

/** Content of an element: text, which is escaped, or elements. What is undefined is left out. */
export type Content = string | number | boolean | readonly (Xml | undefined)[]
export type Xml = { xml: string }

/** An element of the response, under the prefix `r`. */
export function el(name: string, content: Content, attributes = ''): Xml {
  const inside = Array.isArray(content)
    ? content.map((one: Xml | undefined) => one?.xml ?? '').join('')
    : escaped(String(content))
  return { xml: `<r:${name}${attributes}>${inside}</r:${name}>` }
}

/** The same, or nothing where there is no text. */
export const optionalEl = (name: string, text: string | undefined): Xml | undefined =>
  text === undefined ? undefined : el(name, text)
