import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { App } from '../http/http.ts'
import { Answer, Type, Uuid } from '../http/schema.ts'
import { buildOpenApi } from './openapi.ts'
import { collectRoutes, SAMPLE } from './sample-document.fixture.ts'

describe('buildOpenApi, given an incomplete route', () => {
  const schema = {
    operationId: 'x',
    summary: 'X',
    description: 'Says X.',
    tags: ['Reports'],
    response: { 200: Type.Object({}) },
  }
  const built = async (...routes: Parameters<App['route']>[0][]) =>
    buildOpenApi({
      ...SAMPLE,
      routes: await collectRoutes((app) => {
        for (const route of routes) app.route(route)
      }),
    })
  const route = { method: 'GET', url: '/x', config: { scope: 'none' }, handler: () => {} } as const

  it('refuses one without operationId, summary, description, tags, response or scope', async () => {
    await assert.rejects(built(route), /GET \/x cannot be documented\. It needs a scope, operationId/)
    await assert.rejects(built({ ...route, config: {}, schema }), /needs a scope/)
    await assert.rejects(built({ ...route, schema: { ...schema, description: '' } }), /needs a .*description/)
  })

  it('refuses a parameter or a property without a description, and names its place', async () => {
    const params = Type.Object({ id: Uuid() })
    await assert.rejects(
      built({ ...route, url: '/x/:id', schema: { ...schema, params } }),
      /description: GET \/x\/\{id\} id\./,
    )
    const querystring = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) })
    await assert.rejects(built({ ...route, schema: { ...schema, querystring } }), /description: GET \/x limit\./)
    const response = { 200: Type.Object({ all: Type.Array(Answer('One', { a: Uuid() })), b: Answer('Two', {}) }) }
    await assert.rejects(built({ ...route, schema: { ...schema, response } }), /: GET \/x\.all, GET \/x\.b, One\.a\./)
    const webhooks = { HAPPENED: Type.Object({ data: Type.Object({ a: Uuid() }, { description: 'Facts.' }) }) }
    await assert.rejects(buildOpenApi({ ...SAMPLE, routes: [], webhooks }), /: POST HAPPENED, POST HAPPENED\.data\.a\./)
  })

  it('refuses a list, an open object and a choice without a limit, and names their places', async () => {
    const open = { description: 'Something.' }
    const body = Answer('Body', {
      list: Type.Array(Type.String(), open),
      map: Type.Record(Type.String(), Type.String(), open),
      choice: Type.Enum(['A'], open),
    })
    const place = 'components\\.schemas\\.Body\\.properties\\.'
    await assert.rejects(
      built({ ...route, schema: { ...schema, response: { 200: body } } }),
      new RegExp(`${place}list, ${place}map, ${place}choice`),
    )
  })

  it('refuses one for which no 400 can be generated', async () => {
    const taking = { ...schema, body: Type.Object({}) }
    await assert.rejects(built({ ...route, method: 'POST', schema: taking }), /needs an example of its 400/)
  })

  it('refuses an unknown tag, an unknown scope and an operationId used twice', async () => {
    await assert.rejects(built({ ...route, schema: { ...schema, tags: ['Y'] } }), /tag Y is not among/)
    await assert.rejects(built({ ...route, schema, config: { scope: 'y' } }), /scope y is not among/)
    await assert.rejects(built({ ...route, schema }, { ...route, url: '/y', schema }), /Another operation is called x/)
  })

  it('refuses a path parameter that no schema describes', async () => {
    await assert.rejects(built({ ...route, url: '/x/:id', schema }), /must describe id/)
  })

  it('refuses two schemas with the same title', async () => {
    const response = { 200: Answer('Same', { a: Uuid() }), 201: Answer('Same', { b: Uuid() }) }
    await assert.rejects(built({ ...route, schema: { ...schema, response } }), /Two different schemas.* Same/)
  })

  it('refuses a union with a discriminator whose branches have no title', async () => {
    const union = Type.Unsafe({ discriminator: { propertyName: 'a' }, oneOf: [{ properties: { a: { const: 1 } } }] })
    await assert.rejects(built({ ...route, schema: { ...schema, response: { 200: union } } }), /needs a title/)
  })
})
