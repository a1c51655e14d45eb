import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import { startAssistant, TOOLS } from './assistant.ts'

// Every operation of the document is tried against a service that is no sandbox.

describe('lodgeway mcp and a live service', () => {
  type Called = { operations: Set<string>; scopes: string[]; url: string; close(): void }
  type Raw = Record<
    string,
    { operationId: string; parameters?: { name: string; in: string; required?: boolean; example?: unknown }[] }
  >
  let document: { paths: Record<string, Raw> }
  before(async () => {
    document = JSON.parse(await readFile(resolve(import.meta.dirname, '../../openapi.json'), 'utf8'))
  })
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
    )

  /** Grants every scope that is asked for, has no sandbox, and notes what it is asked to do. */
  async function startLive(): Promise<Called> {
    const called: Called = { operations: new Set(), scopes: [], url: '', close: () => server.close() }
    // `/requests/errors` before `/requests/{request_id}`.
    const byDetail = operations().sort((one, other) => one.path.split('{').length - other.path.split('{').length)
    const patterns = byDetail.map(({ operationId, method, path }) => ({
      operationId,
      pattern: new RegExp(`^${method} ${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
    const every = [
      ...new Set([...JSON.stringify(document.paths).matchAll(/"oauth2":\["([^"]+)"\]/g)].map(([, one = '']) => one)),
    ]
    const server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      const answer = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      if (pathname === '/openapi.json') return answer(document)
      if (pathname.startsWith('/sandbox/')) return response.writeHead(404).end()
      if (pathname === '/oauth/token') {
        let form = ''
        for await (const piece of request) form += piece
        const asked = /scope/.test(form)
          ? (new URLSearchParams(form).get('scope') ?? JSON.parse(form).scope)
          : undefined
        const scope = asked ?? every.join(' ')
        called.scopes = scope.split(' ')
        const claims = Buffer.from(JSON.stringify({ scope, client_id: 'c', subscriber_id: 's', exp: 4e9 })).toString(
          'base64url',
        )
        return answer({ access_token: `e.${claims}.s`, expires_in: 3_600, scope, token_type: 'Bearer' })
      }
      const found = patterns.find(({ pattern }) => pattern.test(`${request.method} ${pathname}`))
      if (found) called.operations.add(found.operationId)
      return answer({})
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    called.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return called
  }

  /** Tries every operation of the document, and returns those that reached the service. */
  async function tryAll(...options: string[]) {
    const live = await startLive()
    const assistant = await startAssistant(live.url, ...options)
    const { tools } = await assistant.client.listTools()
    for (const { operationId, parameters = [] } of operations()) {
      const given = (place: string) =>
        Object.fromEntries(
          parameters.filter((one) => one.in === place && one.required).map(({ name, example }) => [name, example]),
        )
      await assistant.use('call_operation', {
        operation: operationId,
        path: given('path'),
        query: given('query'),
        body: {},
      })
    }
    live.close()
    return { ...live, assistant, tools }
  }

  const DECISIONS = [
    'approveFinancialSettlementSchedule',
    'approveLodgement',
    'authoriseFunds',
    'closeRequisition',
    'confirmLineItemPayment',
    'confirmReadiness',
    'deleteConfirmation',
    'reportPaymentFailure',
  ]
  const idsOf = (fits: (one: { method: string; path: string; operationId: string }) => boolean) =>
    operations()
      .filter((one) => !one.path.startsWith('/sandbox/') && one.path !== '/oauth/token' && fits(one))
      .map(({ operationId }) => operationId)
      .sort()
  const isDecision = (scope: string) => /approve|authorise/.test(scope)

  it('only reads, with a token that allows no more', async () => {
    const { operations: reached, scopes, tools } = await tryAll()
    assert.deepEqual(
      [...reached].sort(),
      idsOf(({ method }) => method === 'GET'),
    )
    assert.deepEqual(
      scopes.filter((scope) => !/view:/.test(scope)),
      [],
    )
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      TOOLS.filter((name) => name !== 'play').map((name) => [name, true]),
    )
  })

  it('changes matters with --allow-writes, and never decides', async () => {
    const { operations: reached, scopes, assistant } = await tryAll('--allow-writes')
    const files = ['attachDocument', 'uploadFile']
    assert.deepEqual(
      [...reached].sort(),
      idsOf(({ operationId }) => ![...DECISIONS, ...files].includes(operationId)),
    )
    assert.ok(!scopes.some(isDecision) && scopes.includes('edit:workspaces'))
    for (const operation of DECISIONS) {
      const { text, isError } = await assistant.use('call_operation', { operation })
      assert.ok(isError && /only people make/.test(text), text)
    }
  })
})
