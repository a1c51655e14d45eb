import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Frame, frame } from './frame.ts'
import { renderMarkdown } from './markdown.ts'

/** A page of the guide: as it is written, and its title. */
export type GuidePage = { name: string; title: string; text: string }

/** The order of reading. What is not named here comes last. */
const ORDER = [
  'getting-started',
  'create-and-reconcile',
  'represent',
  'prepare-and-upload',
  'approve',
  'what-blocks',
  'settle',
  'worklist',
  'webhooks',
  'reports',
  'errors',
  'sandbox',
]

export async function readGuide(folder: string): Promise<GuidePage[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3))
  const pages = names.map(async (name) => {
    const text = await readFile(join(folder, `${name}.md`), 'utf8')
    return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
  })
  const place = ({ name }: GuidePage) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return (await Promise.all(pages)).toSorted((one, other) => place(one) - place(other))
}

export const guidePage = ({ name, title, text }: GuidePage, around: Frame, pages: readonly GuidePage[]): string =>
  frame(title, { ...around, current: name }, { main: renderMarkdown(text, (href) => linkOf(href, pages)) })

/** Links to other pages of the guide work here; those to other files of the repository do not. */
function linkOf(href: string, pages: readonly GuidePage[]): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href
  const [, name = '', hash = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? []
  if (!pages.some((page) => page.name === name)) return undefined
  return `/docs/guide${name === 'README' ? '' : `/${name}`}${hash}`
}
