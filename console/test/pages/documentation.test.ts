import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { openApiText } from '../../../server/src/route-manifest.ts'
import type { OpenApiDocument } from '../../src/reference/document.ts'
import { createSite } from '../../src/reference/site.ts'

describe('the documentation', async () => {
  const guideFolder = resolve(import.meta.dirname, '../../../docs/guide')
  const whole = JSON.parse(await openApiText()) as OpenApiDocument
  const site = await createSite({ document: async () => whole, publicUrl: 'http://localhost', guideFolder })
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await site.answer(new Request(`http://localhost${path}`, { headers }))
    return { response, body: await response.text() }
  }

  it('has the reference of every operation, compressed, under a policy that allows its own origin alone', async () => {
    const { response, body } = await get('/docs')
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    )
    for (const item of Object.values(whole.paths))
      for (const { operationId } of Object.values(item)) assert.ok(body.includes(`id="operation-${operationId}"`))
    assert.match(
      body.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"'),
      /approveLodgement[\s\S]*?"lodgementCaseStatus": "PREPARED"/,
    )
    const packed = await site.answer(
      new Request('http://localhost/docs', { headers: { 'accept-encoding': 'gzip, br' } }),
    )
    assert.equal(packed.headers.get('content-encoding'), 'br')
    assert.ok((await packed.arrayBuffer()).byteLength < body.length / 5)
  })

  it('has every page of the guide as HTML and as Markdown, with links that lead somewhere', async () => {
    const { body } = await get('/docs/guide')
    const addresses = [
      ...new Set([...body.matchAll(/href="(\/docs\/guide\/[\w-]+)/g)].map(([, address = '']) => address)),
    ]
    assert.ok(addresses.length >= 12)
    for (const address of addresses) {
      const { response, body: shown } = await get(address)
      assert.equal(response.status, 200, address)
      assert.equal(shown.match(/<h1/g)?.length, 1, address)
      for (const [, target = '', hash = ''] of shown.matchAll(/href="(\/docs\/guide[\w/-]*)?#([\w-]+)"/g)) {
        const there = target ? (await get(target)).body : shown
        assert.ok(there.includes(` id="${hash}"`), `${address}: ${target}#${hash}`)
      }
      const markdown = await get(`${address}.md`)
      assert.match(markdown.body, /^# /)
      assert.equal((await get(address, { accept: 'text/markdown' })).body, markdown.body)
      assert.equal((await get(address, { accept: 'text/html,text/markdown' })).body, shown)
    }
  })

  it('has every operation as Markdown, linked from the reference and from llms.txt', async () => {
    const reference = (await get('/docs')).body
    const { response, body: list } = await get('/llms.txt')
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.ok(Buffer.byteLength(list) < 50_000)
    assert.equal((await get('/docs', { accept: 'text/markdown' })).body, list)
    for (const item of Object.values(whole.paths)) {
      for (const { operationId, summary, responses } of Object.values(item)) {
        const address = `/docs/operations/${operationId}`
        assert.ok(reference.includes(`href="${address}.md"`), operationId)
        assert.ok(list.includes(`[${operationId}](http://localhost${address}.md): ${summary}`), operationId)
        const { body } = await get(`${address}.md`)
        assert.ok(body.startsWith(`# ${summary}\n`), operationId)
        for (const status of Object.keys(responses)) assert.match(body, new RegExp(`^(### |- )${status}\\b`, 'm'))
        assert.ok(Buffer.byteLength(body) < 30_000, `${operationId} has ${Buffer.byteLength(body)} bytes`)
        const asked = await get(address, { accept: 'text/markdown' })
        assert.equal(asked.body, body)
        assert.match(asked.response.headers.get('vary') ?? '', /\baccept\b/)
        const { headers } = (await get(address)).response
        assert.deepEqual([headers.get('location'), headers.get('vary')], [`/docs#operation-${operationId}`, 'accept'])
      }
    }
  })

  it('says in Markdown what an operation takes and answers, and how to call it', async () => {
    const { body } = await get('/docs/operations/approveLodgement.md')
    for (const part of [
      '`approveLodgement`: `POST /partner/api/platformconnect/v1/workspaces/{workspace_id}/lodgement-approvals`',
      'Scope: `x-api:approve:lodgement_applications` or `x-api:unapprove:lodgement_applications`, for law firms.',
      '- `workspace_id` (string uuid, in path, required)',
      '- `action` (string, required)',
      'Values: `APPROVE`, `UNAPPROVE`.',
      '- 409: The case is not ready',
      '- 404 NotFound: ',
      'curl -X POST http://localhost/partner',
      'await lodgeway.approveLodgement({',
      '"lodgementCaseStatus": "PREPARED"',
    ])
      assert.ok(body.includes(part), part)
    assert.match(
      (await get('/docs/operations/updateTitleReconciliation.md')).body,
      /^With `action: \w+` and `type: \w+`:$/m,
    )
  })

  it('has Markdown whose links lead somewhere', async () => {
    const seen = new Set<string>()
    const walk = async (address: string): Promise<void> => {
      if (seen.has(address) || address === '/openapi.json') return
      seen.add(address)
      const { response, body } = await get(address)
      assert.equal(response.status, 200, address)
      const prose = body.replaceAll(/^```[\s\S]*?^```$/gm, '')
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin, pathname } = new URL(target, `http://localhost${address}`)
        if (origin === 'http://localhost') await walk(pathname)
      }
    }
    await walk('/llms.txt')
    assert.ok(seen.size > 90)
  })

  it('has nothing else', async () => {
    for (const path of [
      '/docs/operations/none.md',
      '/docs/operations',
      '/docs/guide/none',
      '/docs/guide/..%2fsecurity',
      '/docs/a/none.js',
    ])
      assert.equal((await get(path)).response.status, 404, path)
  })
})
