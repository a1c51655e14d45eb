import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sampleDocument } from '../../../server/src/platform/openapi/sample-document.fixture.ts'
import type { OpenApiDocument } from '../../src/reference/document.ts'
import { fieldsOf } from '../../src/reference/fields.ts'
import { renderMarkdown } from '../../src/reference/markdown.ts'
import { referencePage } from '../../src/reference/page.ts'
import { prose } from '../../src/ui/html.ts'

const document = (await sampleDocument()) as OpenApiDocument
const around = { assets: { address: (name: string) => `/docs/a/${name}` }, guide: [] }
const page = await referencePage(document, around)
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const text = textOf(page)

describe('referencePage', () => {
  it('is made while other requests are answered', async () => {
    assert.equal(await Promise.race([referencePage(document, around), setImmediate('other work')]), 'other work')
  })

  it('shows every operation with its method, path, scope and callers', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { operationId } of Object.values(item)) {
        assert.ok(page.includes(`id="operation-${operationId}"`), operationId)
        assert.ok(text.includes(path), path)
      }
    }
    assert.match(text, /scope edit:workspaces\s+for law firms/)
    assert.match(text, /scope approve:workspaces or unapprove:workspaces/)
    assert.match(text, /open: no token needed/)
  })

  it('shows nested fields by the dotted names that errors use, with their limits', () => {
    assert.match(
      text,
      /property\.securityAddress\.postcode\s*string required\s+With one space\.\s*matches \^\[A-Z0-9\]/,
    )
    assert.match(text, /parties\[\]\.participants\[\]\.id/)
    assert.match(text, /1 to 25 characters/)
    assert.match(text, /CREATED PREPARED CLOSED/)
    assert.match(text, /50 when left out/)
  })

  it('shows each branch of a union, also of a nested one', () => {
    assert.match(text, /action: UPDATE_PARTY_NAME type: ORGANISATION\s+UpdateOrganisationNameRequest/)
    assert.match(text, /action: SET_AS_INCOMING_PROPRIETOR\s+SetAsIncomingProprietorRequest/)
  })

  it('shows how to get a token and how to call each operation, at the address of the service', async () => {
    assert.ok(text.includes('curl -u "$CLIENT_ID:$CLIENT_SECRET"'))
    assert.ok(text.includes('http://127.0.0.1:8080/oauth/token'))
    assert.ok(text.includes("-F 'file=@document.pdf;type=application/pdf'"))
    const elsewhere = { ...document, servers: [{ url: 'https://api.lodgeway.example' }] }
    assert.ok((await referencePage(elsewhere, around)).includes('curl https://api.lodgeway.example/reports/'))
  })

  it('shows next to each operation the answer to a wrong request', () => {
    assert.match(text, /Answer 400 to a wrong request\s*\{\s*"errors": \[\s*\{\s*"field": "workspace_id"/)
  })

  it('has a target for every link, and no target twice', () => {
    const places = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(places).size, places.length)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(places.includes(target), `#${target}`)
  })

  it('loads its own style and script, and nothing else', () => {
    assert.doesNotMatch(page, /<(img|iframe|object|embed|form|base)\b/i)
    assert.doesNotMatch(page, /\s(srcset|action|on\w+|style)=/i)
    for (const [, address = ''] of page.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]*)"/g))
      assert.match(address, /^(\/docs\/a\/|data:,$)/)
  })

  it('shows each operation in TypeScript, as the client calls it', () => {
    assert.match(text, /await lodgeway\.\w+\(\{\s*path: \{\s*workspace_id: '/)
    assert.match(text, /await lodgeway\.upload\('\w+', \{[^}]*\},\s*file: 'document\.pdf',\s*fields: \{/)
    assert.match(text, /await lodgeway\.downloadTo\('\w+', \{/)
  })

  it('escapes every text of the document', async () => {
    const hostile = '"><script>alert(1)</script>'
    const poisoned = JSON.parse(
      JSON.stringify(document)
        .replaceAll('The workspace.', JSON.stringify(hostile).slice(1, -1))
        .replaceAll('REM-2026-0117', '<b>&</b>'),
    ) as OpenApiDocument
    poisoned.info.title = hostile
    const made = await referencePage(poisoned, around)
    assert.ok(!made.includes('<script>') && !made.includes('<b>&</b>'))
    assert.ok(made.includes('&lt;script&gt;alert(1)') && made.includes('&lt;b&gt;&amp;&lt;/b&gt;'))
  })
})

describe('Markdown', () => {
  const shown = (markdown: string) =>
    renderMarkdown(markdown, (href) => (href.startsWith('https:') ? href : undefined)).text

  it('shows raw HTML as text, and makes no link that could run a script', () => {
    const made = shown(
      '<img src=x onerror=alert(1)>\n\na <b>b</b> [x](javascript:alert(1)) ![p](https://a.example/p.png)',
    )
    assert.doesNotMatch(made, /<(img|b)\b|href/)
    assert.match(made, /&lt;img src=x/)
  })

  it('numbers headings that are alike, and shows code as it is', () => {
    assert.match(shown('## A `b`\n\n## A `b`'), /id="a-b".*id="a-b-1"/s)
    assert.match(shown('```sh\na < b && "c"\n```'), /<code>a &lt; b &amp;&amp; &quot;c&quot;<\/code>/)
    assert.match(shown('`a < b` & 1'), /<code>a &lt; b<\/code> &amp; 1/)
  })
})

describe('fieldsOf', () => {
  it('does not enter a schema within itself', () => {
    const Node = { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' } } }
    const fields = fieldsOf({ $ref: '#/components/schemas/Node' }, { Node })
    assert.deepEqual(
      fields.map(({ path }) => path),
      ['child'],
    )
  })
})

describe('prose', () => {
  const rendered = (markdown: string) =>
    prose(markdown)
      .map((part) => part.text)
      .join('')

  it('renders paragraphs, lists, code, bold and links', () => {
    assert.equal(
      rendered('One `a<b`\ntwo\n\n**bold**'),
      '<p>One <code>a&lt;b</code>\ntwo</p><p><strong>bold</strong></p>',
    )
    assert.equal(rendered('- [x](https://a.example)'), '<ul><li><a href="https://a.example">x</a></li></ul>')
  })

  it('makes no link that could run a script', () => {
    assert.doesNotMatch(rendered('[x](javascript:alert(1))'), /href/)
  })
})
