import type { OpenApiDocument } from './document.ts'
import { groupsOf } from './groups.ts'
import type { GuidePage } from './guide.ts'

/** What there is to read, for AI assistants: every page of the guide and every operation, with a link to its Markdown. */
export function llmsText(document: OpenApiDocument, guide: readonly GuidePage[], publicUrl: string): string {
  const { title, description } = document.info
  const [first = '', ...rest] = description.split('\n\n')
  const notes = notesOf(guide)
  const pages = guide
    .filter(({ name }) => name !== 'README')
    .map(({ name, title: label }) => line(label, `${publicUrl}/docs/guide/${name}.md`, notes.get(name)))
  const groups = groupsOf(document).map(({ name, about, operations }) => {
    const lines = operations.map(({ method, operation: { operationId, summary } }) =>
      line(operationId, `${publicUrl}/docs/operations/${operationId}.md`, `${summary} (${method.toUpperCase()})`),
    )
    return `## ${name}\n\n${about}\n\n${lines.join('\n')}`
  })
  return `${[
    `# ${title}`,
    `> ${first}`,
    ...rest,
    `## Guide\n\n${pages.join('\n')}`,
    ...groups,
    `## Optional\n\n${line('openapi.json', `${publicUrl}/openapi.json`, 'all operations and schemas in one document, about 1 MB')}`,
  ].join('\n\n')}\n`
}

const line = (label: string, address: string, note?: string) => `- [${label}](${address})${note ? `: ${note}` : ''}`

/** What the table of the guide's first page says about each other page. */
function notesOf(guide: readonly GuidePage[]): Map<string, string> {
  const text = guide.find(({ name }) => name === 'README')?.text ?? ''
  const rows = text.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.md\) \|(.*?)\|(.*?)\|$/gm)
  return new Map(
    [...rows].map(([, name = '', lender = '', firm = '']) => {
      const sides = [lender.trim() && `lender: ${lender.trim()}`, firm.trim() && `law firm: ${firm.trim()}`]
      return [name, sides.filter(Boolean).join('; ')]
    }),
  )
}
