import { marked, type Token, type Tokens } from 'marked'
import { html, type Markup } from '../ui/html.ts'

// The guide as HTML. The library only reads Markdown: what is written goes through `html`, so raw HTML is shown as text.

/** `link` says where a link leads, or undefined where it leads nowhere from here. */
export function renderMarkdown(text: string, link: (href: string) => string | undefined): Markup {
  const slugs = new Map<string, number>()
  let tables = 0

  const slugOf = (heading: string): string => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = slugs.get(slug) ?? 0
    slugs.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }

  const all = (tokens: readonly Token[] = []): Markup[] => tokens.map(one)

  function one(token: Token): Markup {
    switch (token.type) {
      case 'heading':
        return heading(token as Tokens.Heading)
      case 'paragraph':
        return html`<p>${all(token.tokens)}</p>`
      case 'list':
        return list(token as Tokens.List)
      case 'code':
        return html`<pre class="sample" tabindex="0"><code>${token['text']}</code></pre>`
      case 'table':
        return table(token as Tokens.Table)
      case 'blockquote':
        return html`<blockquote>${all(token.tokens)}</blockquote>`
      case 'strong':
        return html`<strong>${all(token.tokens)}</strong>`
      case 'em':
        return html`<em>${all(token.tokens)}</em>`
      case 'codespan':
        return html`<code>${token['text']}</code>`
      case 'link':
        return anchor(token as Tokens.Link)
      case 'hr':
        return html`<hr>`
      case 'br':
        return html`<br>`
      case 'space':
        return html``
      default: {
        const { tokens, text: plain, raw } = token as Tokens.Generic
        return tokens ? html`${all(tokens)}` : html`${String(plain ?? raw)}`
      }
    }
  }

  function heading({ depth, text: label, tokens }: Tokens.Heading): Markup {
    const [id, content] = [slugOf(label.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')), all(tokens)]
    if (depth === 1) return html`<h1 id="${id}">${content}</h1>`
    if (depth === 2) return html`<h2 id="${id}"><a href="#${id}">${content}</a></h2>`
    return html`<h3 id="${id}"><a href="#${id}">${content}</a></h3>`
  }

  const list = ({ ordered, items }: Tokens.List): Markup => {
    const lines = items.map(({ tokens }) => html`<li>${all(tokens)}</li>`)
    return ordered ? html`<ol>${lines}</ol>` : html`<ul>${lines}</ul>`
  }

  const table = ({ header, rows }: Tokens.Table): Markup =>
    html`<div class="scroll" tabindex="0" role="region" aria-label="Table ${++tables}"><table><thead><tr>${header.map(({ tokens }) => html`<th scope="col">${all(tokens)}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(({ tokens }) => html`<td>${all(tokens)}</td>`)}</tr>`)}</tbody></table></div>`

  const anchor = ({ href, tokens }: Tokens.Link): Markup => {
    const target = link(href)
    return target === undefined ? html`${all(tokens)}` : html`<a href="${target}">${all(tokens)}</a>`
  }

  return html`${all(marked.lexer(text))}`
}
