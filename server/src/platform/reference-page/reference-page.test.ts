import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { prose } from '../../../../console/src/ui/html.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { sampleDocument } from '../openapi/sample-document.fixture.ts'
import { fieldsOf } from './fields.ts'
import { referencePage } from './reference-page.ts'

const document = await sampleDocument()
const page = referencePage(document)
const text = page
  .replace(/<[^>]*>/g, '')
  .replaceAll('&quot;', '"')
  .replaceAll('&#39;', "'")
  .replaceAll('&amp;', '&')

describe('referencePage', () => {
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

  it('shows how to get a token and how to call each operation, at the address of the service', () => {
    assert.ok(text.includes('curl -u "$CLIENT_ID:$CLIENT_SECRET"'))
    assert.ok(text.includes('http://127.0.0.1:8080/oauth/token'))
    assert.ok(text.includes("-F 'file=@document.pdf;type=application/pdf'"))
    assert.ok(
      referencePage(document, 'https://api.lodgeway.example').includes('curl https://api.lodgeway.example/reports/'),
    )
  })

  it('shows next to each operation the answer to a wrong request', () => {
    assert.match(text, /Answer 400 to a wrong request\s*\{\s*"errors": \[\s*\{\s*"field": "workspace_id"/)
  })

  it('has a target for every link, and no target twice', () => {
    const places = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(places).size, places.length)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(places.includes(target), `#${target}`)
  })

  it('loads nothing and runs no script', () => {
    assert.doesNotMatch(page, /<(script|link|img|iframe|object|embed|form|base)\b/i)
    assert.doesNotMatch(page, /\s(src|srcset|action|on\w+|style)=/i)
    assert.doesNotMatch(page, /url\(|@import|@font-face/i)
    assert.match(page, /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;/)
  })

  it('escapes every text of the document', () => {
    const hostile = '"><script>alert(1)</script>'
    const poisoned = JSON.parse(
      JSON.stringify(document)
        .replaceAll('The workspace.', JSON.stringify(hostile).slice(1, -1))
        .replaceAll('REM-2026-0117', '<b>&</b>'),
    ) as OpenApiDocument
    poisoned.info.title = hostile
    const made = referencePage(poisoned)
    assert.ok(!made.includes('<script') && !made.includes('<b>&</b>'))
    assert.ok(made.includes('&lt;script&gt;alert(1)') && made.includes('&lt;b&gt;&amp;&lt;/b&gt;'))
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
