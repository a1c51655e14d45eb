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
  'assistants',
  'certify',
  'other-languages',
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

const CODE_OR_LINK = /^```[\s\S]*?^```$|\[([^\]]+)\]\(([^)\s]+)\)/gm

/** The page as it is written, with links that work wherever it is read. */
export const guideMarkdown = ({ text }: GuidePage, pages: readonly GuidePage[], publicUrl: string): string =>
  text.replaceAll(CODE_OR_LINK, (whole: string, label?: string, href?: string) => {
    if (label === undefined || href === undefined) return whole
    const target = linkOf(href, pages)?.replace(
      /^\/docs\/guide\/?([\w-]*)/,
      (_, name) => `${publicUrl}/docs/guide/${name || 'README'}.md`,
    )
    return target === undefined ? label : `[${label}](${target})`
  })

/** Links to other pages of the guide work here; those to other files of the repository do not. */
function linkOf(href: string, pages: readonly GuidePage[]): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href
  const [, name = '', hash = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? []
  if (!pages.some((page) => page.name === name)) return undefined
  return `/docs/guide${name === 'README' ? '' : `/${name}`}${hash}`
}
