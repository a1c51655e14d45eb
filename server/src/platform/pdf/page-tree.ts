import type { Document } from './document.ts'
import { type Dict, isRef, type Value } from './syntax.ts'
import { damaged, REASONS, tooDeep, tooManyPages, Unfit } from './unfit.ts'

const DEPTH_MAX = 500

type Node = { number: number; dict: Dict; kids: Value[]; next: number; pages: number }

/** Walks the page tree: every node met once, by its parent, and with as many pages as it says. */
export async function countPages(document: Document, trailer: Dict, pagesMax: number): Promise<number> {
  const seen = new Set<number>()
  const catalog = await document.dictOf(trailer.get('Root'))
  if (!catalog) throw damaged('it has no catalogue')
  const path = [await nodeOf(await fetch(catalog.get('Pages')))]

  for (let node = path.at(-1); node; node = path.at(-1)) {
    if (node.next < node.kids.length) {
      const kid = await fetch(node.kids[node.next++])
      const parent = kid.dict.get('Parent')
      if (isRef(parent) && parent.number !== node.number) throw damaged('a page in it names a wrong parent')
      if (!isPage(kid.dict)) path.push(await nodeOf(kid))
      else if (++node.pages > pagesMax) throw tooManyPages(pagesMax)
      if (path.length > DEPTH_MAX) throw tooDeep(DEPTH_MAX)
      continue
    }
    if ((await document.resolve(node.dict.get('Count'))) !== node.pages) {
      throw damaged('its page tree does not have the pages that it says')
    }
    path.pop()
    const above = path.at(-1)
    if (!above) return checkSome(node.pages)
    above.pages += node.pages
    if (above.pages > pagesMax) throw tooManyPages(pagesMax)
  }
  throw damaged('it has no page tree')

  async function fetch(value: Value | undefined): Promise<{ number: number; dict: Dict }> {
    const dict = await document.dictOf(value)
    if (!(isRef(value) && dict)) throw damaged('a part of its page tree is missing')
    if (seen.has(value.number)) throw damaged('its page tree meets itself')
    seen.add(value.number)
    return { number: value.number, dict }
  }

  async function nodeOf({ number, dict }: { number: number; dict: Dict }): Promise<Node> {
    const kids = await document.resolve(dict.get('Kids'))
    if (Array.isArray(kids)) return { number, dict, kids, next: 0, pages: 0 }
    throw damaged('a part of its page tree has no kids')
  }
}

/** Some producers leave out its type. */
const isPage = (dict: Dict) =>
  dict.get('Type') === 'Page' ||
  (!dict.has('Type') && ['MediaBox', 'Resources', 'Contents'].some((key) => dict.has(key)))

function checkSome(pages: number): number {
  if (pages === 0) throw new Unfit(REASONS.noPages)
  return pages
}
