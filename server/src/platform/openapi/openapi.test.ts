import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Type } from '../http/schema.ts'
import type { Answered, MediaType, Operation, Parameter } from './document.ts'
import { buildOpenApi, printOpenApi } from './openapi.ts'
import { collectRoutes, SAMPLE, sampleDocument, sampleRoutes } from './sample-document.fixture.ts'

const document = await sampleDocument()

describe('buildOpenApi', () => {
  it('passes the strictest rules of the linter without a warning', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
    try {
      await writeFile(join(folder, 'openapi.json'), printOpenApi(document))
      assert.deepEqual(await lint(join(folder, 'openapi.json')), [])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('gives every JSON body and every good JSON response an example', () => {
    for (const { operation } of operations()) {
      const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
      const contents = [operation.requestBody?.content, ...good.map(([, answer]) => (answer as Answered).content)]
      for (const media of contents.flatMap((content) => content?.['application/json'] ?? [])) {
        assert.ok(media.example !== undefined || media.examples, operation.operationId)
      }
    }
  })

  it('gives only examples that fit their schema', () => {
    const examples = [...examplesIn(document)]
    assert.ok(examples.length > 60, `only ${examples.length} examples`)
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addFormat('binary', true).addSchema({ ...document, $id: 'document' })
    for (const { schema, value } of examples) {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
      assert.ok(ajv.validate(absolute, value), `${ajv.errorsText()} in ${JSON.stringify(value)}`)
    }
  })

  it('leaves out what is undocumented, and the HEAD that Fastify adds to each GET', () => {
    assert.equal(document.paths['/livez'], undefined)
    assert.deepEqual(Object.keys(document.paths['/workspaces'] ?? {}), ['get', 'post'])
  })

  it('gives the same document for any order of the routes', async () => {
    const routes = await collectRoutes(sampleRoutes)
    const there = printOpenApi(await buildOpenApi({ ...SAMPLE, routes }))
    const back = printOpenApi(await buildOpenApi({ ...SAMPLE, routes: routes.toReversed() }))
    assert.equal(there, back)
  })

  it('lets other requests be answered while it is made', async () => {
    const made = buildOpenApi({ ...SAMPLE, routes: await collectRoutes(sampleRoutes) })
    assert.equal(await Promise.race([made, setImmediate('other work')]), 'other work')
  })

  it('names path parameters in the order of the path', () => {
    const { parameters = [] } = find('withdrawFile')
    assert.deepEqual(
      (parameters as Parameter[]).filter((one) => one.in === 'path').map(({ name }) => name),
      ['workspace_id', 'file_id'],
    )
  })

  it('names the scope, alternatives where the body decides, and nothing where anyone may call', () => {
    assert.deepEqual(find('getWorkspace').security, [{ oauth2: ['view:workspaces'] }])
    assert.deepEqual(find('approve').security, [
      { oauth2: ['approve:workspaces'] },
      { oauth2: ['unapprove:workspaces'] },
    ])
    assert.deepEqual(find('issueToken').security, [])
  })

  it('says which kinds of subscriber may call', () => {
    assert.match(find('updateTitleReconciliation').description ?? '', /Only for law firms\./)
    assert.deepEqual(find('updateTitleReconciliation')['x-callers'], ['LAW_FIRM'])
  })

  it('turns a schema with a title into a component, with the rules that code checks, without internal keywords', () => {
    const { Workspace, IndividualName } = document.components.schemas
    assert.deepEqual(Workspace?.properties?.['securityAddress'], { $ref: '#/components/schemas/Address' })
    const surname = { type: 'string', minLength: 1, maxLength: 50, pattern: '\\S', description: 'The family name.' }
    assert.deepEqual(IndividualName?.properties?.['surname'], surname)
  })

  it('maps the values of a discriminator to its branches, also in a nested union', () => {
    const { ReconcileRequest, UpdatePartyNameRequest } = document.components.schemas
    assert.deepEqual(ReconcileRequest?.discriminator?.mapping, {
      UPDATE_PARTY_NAME: '#/components/schemas/UpdatePartyNameRequest',
      SET_AS_INCOMING_PROPRIETOR: '#/components/schemas/SetAsIncomingProprietorRequest',
    })
    assert.deepEqual(Object.keys(UpdatePartyNameRequest?.discriminator?.mapping ?? {}), ['INDIVIDUAL', 'ORGANISATION'])
    const media = find('updateTitleReconciliation').requestBody?.content['application/json']
    assert.deepEqual(Object.keys(media?.examples ?? {}), ['UPDATE_PARTY_NAME', 'SET_AS_INCOMING_PROPRIETOR'])
  })

  it('adds the headers and statuses that go with the method', () => {
    assert.deepEqual(headersAsked('createWorkspace'), ['X-Request-Correlation-Id', 'X-Acting-User', 'Idempotency-Key'])
    assert.deepEqual(headersAsked('updateTitleReconciliation').at(-1), 'If-Match')
    assert.deepEqual(headersAsked('getWorkspace').at(-1), 'If-None-Match')
    assert.deepEqual(headersAsked('listWorkspaces').at(-1), 'X-Acting-User')
    assert.deepEqual(headersAsked('issueToken'), ['X-Request-Correlation-Id'])
    assert.equal(statuses('getWorkspace'), '200 304 400 401 403 404 406 408 429 431 500 503')
    assert.equal(statuses('listWorkspaces'), '200 400 401 403 406 408 429 431 500 503')
    assert.equal(statuses('createWorkspace'), '202 400 401 403 406 408 409 413 415 422 429 431 500 503')
    assert.equal(statuses('updateTitleReconciliation'), '200 400 401 403 404 406 408 412 413 415 429 431 500 503')
    assert.equal(statuses('issueToken'), '200 400 401 406 408 413 415 431 500 503')
  })

  it('describes a download with its ranges and its own headers', () => {
    assert.match(statuses('getReportContent'), /^200 206 304 .* 416 /)
    const { content, headers = {} } = answer('getReportContent', 206)
    assert.deepEqual(Object.keys(content ?? {}), ['application/octet-stream'])
    assert.ok('Content-Range' in headers && 'Content-Disposition' in headers && 'X-Report-Row-Count' in headers)
  })

  it('describes the refusals of a route in its own words', () => {
    assert.match(answer('getReportContent', 404).description, /^No report of this name/)
    assert.match(answer('createWorkspace', 409).description, /^The subscriber is being moved\. Or: The first request/)
  })

  it('shows what the service answers to a wrong request, with the fields of the operation', () => {
    assert.deepEqual(example('approve', 400), {
      errors: [
        { field: 'workspace_id', message: 'workspace_id must be a UUID.' },
        { field: 'action', message: 'action is required.' },
        { field: 'approvedBy', message: 'approvedBy is required.' },
      ],
    })
    assert.deepEqual(example('listWorkspaces', 400), {
      errors: [
        { field: 'cursor', message: 'cursor must be the nextCursor of an earlier page.' },
        { field: 'limit', message: 'limit must be 1 to 100.' },
        { field: 'status', message: 'status must be one of CREATED, PREPARED, CLOSED.' },
      ],
    })
    assert.deepEqual(example('getReportContent', 400), {
      errors: [{ field: 'X-Acting-User', message: 'X-Acting-User must be the e-mail address of a person.' }],
    })
  })

  it('takes another error body for a class of statuses, except those that the connection sends', () => {
    const schema = answer('issueToken', 415).content?.['application/json']?.schema
    assert.deepEqual(schema, { $ref: '#/components/schemas/TokenError' })
    assert.deepEqual(find('issueToken').responses['408'], { $ref: '#/components/responses/RequestTimeout' })
  })

  it('says which type a part of a form is sent as', () => {
    const form = find('uploadFile').requestBody?.content['multipart/form-data']
    assert.deepEqual(form?.encoding, { file: { contentType: 'application/pdf' } })
  })

  it('describes what webhooks receive, and what they answer if it matters', async () => {
    assert.equal(document.webhooks?.['WORKSPACE_CREATED']?.post?.operationId, 'onWorkspaceCreated')
    const webhookAnswers = { WORKSPACE_CREATED: Type.String({ description: 'The answer.' }) }
    const { webhooks } = await buildOpenApi({ ...SAMPLE, routes: [], webhookAnswers })
    assert.partialDeepStrictEqual(webhooks?.['WORKSPACE_CREATED']?.post?.responses['2XX'], {
      content: { 'text/plain': { schema: { type: 'string' } } },
    })
  })
})

async function lint(file: string): Promise<unknown[]> {
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const args = [cli, 'lint', file, '--config', join(root, 'redocly.yaml'), '--format', 'json']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return JSON.parse(stdout).problems
}

function operations(): { path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  )
}

function find(id: string): Operation {
  const found = operations().find(({ operation }) => operation.operationId === id)
  assert.ok(found, `there is no operation ${id}`)
  return found.operation
}

const statuses = (id: string) => Object.keys(find(id).responses).join(' ')
const answer = (id: string, status: number) => find(id).responses[status] as Answered
const example = (id: string, status: number) => answer(id, status).content?.['application/json']?.example
const headersAsked = (id: string) =>
  (find(id).parameters ?? []).flatMap((one) => ('$ref' in one ? [one.$ref.split('/').at(-1)] : []))

// Every object that has both a schema and an example: bodies, parameters, headers.
function* examplesIn(node: unknown): Generator<{ schema: unknown; value: unknown }> {
  if (node === null || typeof node !== 'object') return
  const { schema, example, examples } = node as Partial<MediaType>
  if (schema && example !== undefined) yield { schema, value: example }
  if (schema && examples) for (const { value } of Object.values(examples)) yield { schema, value }
  for (const one of Object.values(node)) yield* examplesIn(one)
}
