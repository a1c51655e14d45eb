import { dirname, join } from 'node:path/posix'

type Link = { path: string; anchor: string }

/** The links of a page to other files of the repository, and within itself. */
export function linksOf(page: string, text: string): Link[] {
  const targets = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^\w+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#')
      return { path: path ? join(dirname(page), path) : page, anchor }
    })
}

/** What each heading of a page can be linked by, as code hosts make it. */
export const anchorsOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

const proseOf = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '')
