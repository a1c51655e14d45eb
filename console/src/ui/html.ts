/** HTML that is safe to send: only `html` makes it, and that escapes every value. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | string | number | false | undefined | readonly Piece[]

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + render(pieces[index - 1]) + string))
}

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'object') return piece.map(render).join('')
  return escaped(String(piece))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** The subset of Markdown that descriptions use: paragraphs, lists, `code`, **bold** and links. */
export function prose(markdown = ''): Markup[] {
  return markdown
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const lines = block.trim().split('\n')
      if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(block.trim())}</p>`
      return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
    })
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:https?:\/\/|#|\/)[^)\s]*)\)/g

export function inline(text: string): Markup[] {
  const parts: Markup[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, label, target] = match
    parts.push(html`${text.slice(end, match.index)}`)
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`)
    else parts.push(html`<a href="${target}">${label}</a>`)
    end = match.index + whole.length
  }
  return [...parts, html`${text.slice(end)}`]
}
