import { type Asset, answerOf, assetOf, readAssets } from '../assets.ts'
import { html } from '../ui/html.ts'
import type { OpenApiDocument } from './document.ts'
import { type Frame, frame } from './frame.ts'
import { groupsOf, type Placed } from './groups.ts'
import { type GuidePage, guideMarkdown, guidePage, readGuide } from './guide.ts'
import { llmsText } from './llms.ts'
import { operationMarkdown } from './operation-markdown.ts'
import { referencePage } from './page.ts'

// The reference at /docs and the guide beside it, also as Markdown. They need no session and none of the console's pages.

export type SiteParts = {
  /** Called when the reference is first read: to make it takes longer than to start. */
  document(): Promise<OpenApiDocument>
  publicUrl: string
  guideFolder: string
}

const STYLES = ['tokens', 'base', 'frame', 'reference']
const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

export async function createSite({ document, publicUrl, guideFolder }: SiteParts) {
  const assets = await readAssets({ base: '/docs/a', style: 'docs', styles: STYLES, scripts: ['reference'] })
  const guide = await readGuide(guideFolder)
  const around: Frame = { assets, guide: guide.filter(({ name }) => name !== 'README') }
  const pages = new Map<string, Asset>()
  const served = async () => ({ ...(await document()), servers: [{ url: publicUrl }] })

  async function markdownAt(pathname: string): Promise<string | undefined> {
    if (pathname === '/llms.txt' || pathname === '/docs') return llmsText(await document(), guide, publicUrl)
    const found = guideAt(pathname)
    if (found) return guideMarkdown(found, guide, publicUrl)
    const placed = await operationAt(pathname)
    return placed && operationMarkdown(await served(), placed)
  }

  async function pageAt(pathname: string): Promise<string | undefined> {
    if (pathname === '/docs') return referencePage(await served(), around)
    const found = guideAt(pathname)
    return found && guidePage(found, around, guide)
  }

  function guideAt(pathname: string): GuidePage | undefined {
    const [match, name = 'README'] = /^\/docs\/guide(?:\/([\w-]+)(?:\.md)?)?$/.exec(pathname) ?? []
    return match === undefined ? undefined : guide.find((one) => one.name === name)
  }

  async function operationAt(pathname: string): Promise<Placed | undefined> {
    const [, id] = /^\/docs\/operations\/(\w+)(?:\.md)?$/.exec(pathname) ?? []
    if (id === undefined) return undefined
    const all = groupsOf(await document()).flatMap(({ operations }) => operations)
    return all.find(({ operation }) => operation.operationId === id)
  }

  async function find(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const asMarkdown = pathname.endsWith('.md') || wantsMarkdown(request)
    const type = asMarkdown ? MARKDOWN : pathname === '/llms.txt' ? TEXT : HTML
    const known = pages.get(type + pathname)
    if (known) return reply(request, known)
    const text = await (type === HTML ? pageAt(pathname) : markdownAt(pathname))
    if (text === undefined) return (await operationAt(pathname)) ? toReference(pathname) : nothing(request, around)
    const asset = assetOf(type, text)
    pages.set(type + pathname, asset)
    return reply(request, asset)
  }

  return { answer: (request: Request): Promise<Response> => assets.find(request) ?? find(request) }
}

/** As a program asks that reads Markdown: it is named before HTML, or HTML is not named. */
function wantsMarkdown(request: Request): boolean {
  const accepted = request.headers.get('accept') ?? ''
  const [markdown, page] = [accepted.indexOf('text/markdown'), accepted.indexOf('text/html')]
  return markdown >= 0 && (page < 0 || markdown < page)
}

/** In HTML an operation is a part of the reference. */
const toReference = (pathname: string): Response => {
  const location = pathname.replace('/operations/', '#operation-')
  return new Response(null, { status: 303, headers: { location, vary: 'accept' } })
}

const nothing = (request: Request, around: Frame): Promise<Response> => {
  const main = html`<h1>There is nothing here</h1><p><a href="/docs">Reference</a> · <a href="/docs/guide">Guide</a></p>`
  return reply(request, assetOf(HTML, frame('Not found', { ...around, current: '' }, { main })), 404)
}

async function reply(request: Request, asset: Asset, status = 200): Promise<Response> {
  const response = await answerOf(asset, request.headers.get('accept-encoding') ?? '', status)
  response.headers.set('content-security-policy', POLICY)
  response.headers.set('cache-control', 'no-cache')
  response.headers.set('vary', 'accept, accept-encoding')
  return response
}
