import { type Asset, answerOf, assetOf, readAssets } from '../assets.ts'
import { html } from '../ui/html.ts'
import type { OpenApiDocument } from './document.ts'
import { type Frame, frame } from './frame.ts'
import { guidePage, readGuide } from './guide.ts'
import { referencePage } from './page.ts'

// The reference at /docs and the guide beside it. They need no session and none of the console's pages.

export type SiteParts = {
  /** Called when the reference is first read: to make it takes longer than to start. */
  document(): OpenApiDocument
  publicUrl: string
  guideFolder: string
}

const STYLES = ['tokens', 'base', 'reference']
const HTML = 'text/html; charset=utf-8'
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

export async function createSite({ document, publicUrl, guideFolder }: SiteParts) {
  const assets = await readAssets({ base: '/docs/a', style: 'docs', styles: STYLES, scripts: ['reference'] })
  const guide = await readGuide(guideFolder)
  const around: Frame = { assets, guide: guide.filter(({ name }) => name !== 'README') }
  const pages = new Map<string, Asset>()
  const page = (path: string, make: () => string): Asset => {
    const known = pages.get(path) ?? assetOf(HTML, make())
    pages.set(path, known)
    return known
  }

  function find(request: Request): Response {
    const { pathname } = new URL(request.url)
    if (pathname === '/docs')
      return reply(
        request,
        page(pathname, () => referencePage(document(), around, publicUrl)),
      )
    const match = /^\/docs\/guide(?:\/([\w-]+)(\.md)?)?$/.exec(pathname)
    const found = match && guide.find(({ name }) => name === (match[1] ?? 'README'))
    if (!found) return nothing(request, around)
    if (match[2] || wantsMarkdown(request)) return reply(request, assetOf('text/markdown; charset=utf-8', found.text))
    return reply(
      request,
      page(pathname, () => guidePage(found, around, guide)),
    )
  }

  return { answer: (request: Request): Response => assets.find(request) ?? find(request) }
}

/** As a program asks that reads Markdown: it is named before HTML, or HTML is not named. */
function wantsMarkdown(request: Request): boolean {
  const accepted = request.headers.get('accept') ?? ''
  const [markdown, page] = [accepted.indexOf('text/markdown'), accepted.indexOf('text/html')]
  return markdown >= 0 && (page < 0 || markdown < page)
}

const nothing = (request: Request, around: Frame): Response => {
  const main = html`<h1>There is nothing here</h1><p><a href="/docs">Reference</a> · <a href="/docs/guide">Guide</a></p>`
  return reply(request, assetOf(HTML, frame('Not found', { ...around, current: '' }, { main })), 404)
}

function reply(request: Request, asset: Asset, status = 200): Response {
  const response = answerOf(asset, request.headers.get('accept-encoding') ?? '', status)
  response.headers.set('content-security-policy', POLICY)
  response.headers.set('cache-control', 'no-cache')
  response.headers.set('vary', 'accept, accept-encoding')
  return response
}
