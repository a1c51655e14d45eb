import type { Document } from './document.ts'
import { damaged, REASONS, RejectedPdf, tooDeep, tooManyPages } from './reasons.ts'
import { type Dict, isRef, type Value } from './syntax.ts'

const DEPTH_MAX = 500

type Node = { number: number; dict: Dict; kids: Value[]; next: number; pages: number }

/** Walks the page tree: every node must be found once, through its parent, and have as many pages as it states. */
export async function countPages(document: Document, trailer: Dict, pagesMax: number): Promise<number> {
  const seen = new Set<number>()
  const catalog = await document.dictOf(trailer.get('Root'))
  if (!catalog) throw damaged('it has no catalogue')
  const path = [await nodeOf(await fetch(catalog.get('Pages')))]

  for (let node = path.at(-1); node; node = path.at(-1)) {
    if (node.next < node.kids.length) {
      const kid = await fetch(node.kids[node.next++])
      const parent = kid.dict.get('Parent')
      if (isRef(parent) && parent.number !== node.number) throw damaged('a page names the wrong parent')
      if (!isPage(kid.dict)) path.push(await nodeOf(kid))
      else if (++node.pages > pagesMax) throw tooManyPages(pagesMax)
      if (path.length > DEPTH_MAX) throw tooDeep(DEPTH_MAX)
      continue
    }
    if ((await document.resolve(node.dict.get('Count'))) !== node.pages) {
      throw damaged('its page tree does not have as many pages as it states')
    }
    path.pop()
    const above = path.at(-1)
    if (!above) return checkNotEmpty(node.pages)
    above.pages += node.pages
    if (above.pages > pagesMax) throw tooManyPages(pagesMax)
  }
  throw damaged('it has no page tree')

  async function fetch(value: Value | undefined): Promise<{ number: number; dict: Dict }> {
    const dict = await document.dictOf(value)
    if (!(isRef(value) && dict)) throw damaged('a part of its page tree is missing')
    if (seen.has(value.number)) throw damaged('its page tree contains a loop')
    seen.add(value.number)
    return { number: value.number, dict }
  }

  async function nodeOf({ number, dict }: { number: number; dict: Dict }): Promise<Node> {
    const kids = await document.resolve(dict.get('Kids'))
    if (Array.isArray(kids)) return { number, dict, kids, next: 0, pages: 0 }
    throw damaged('a part of its page tree has no kids')
  }
}

/** Some producers omit the type. */
const isPage = (dict: Dict) =>
  dict.get('Type') === 'Page' ||
  (!dict.has('Type') && ['MediaBox', 'Resources', 'Contents'].some((key) => dict.has(key)))

function checkNotEmpty(pages: number): number {
  if (pages === 0) throw new RejectedPdf(REASONS.noPages)
  return pages
}
