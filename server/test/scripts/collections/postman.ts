import { ABOUT, type Body, type Caller, type Collection, ENVIRONMENT, type Field, type Item } from './model.ts'
import { expressionOf, keepIds } from './scripts.ts'

// A collection in the JSON of Postman, version 2.1.

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
// Fixed, so that an import replaces the one before.
const COLLECTION_ID = '5f7d2f0e-6c0e-4a8e-9b61-3f4f0c9f4a11'
const ENVIRONMENT_ID = '0c6a0b53-8b0f-4f0f-9d0a-5a8f8a1a7c21'

export function postmanFiles({ folders, ids, etags }: Collection): Map<string, string> {
  const keep = keepIds(ids, 'body', 'pm.response.code < 300', 'pm.collectionVariables.set')
  const read = 'let body\ntry {\n  body = pm.response.json()\n} catch {\n  body = undefined // a file\n}'
  const collection = {
    info: { _postman_id: COLLECTION_ID, name: 'Lodgeway', description: ABOUT, schema: SCHEMA },
    auth: bearer('firm'),
    event: [script('prerequest', FETCH_TOKENS), script('test', `${read}\n${keep}`)],
    variable: [
      ...[...ids, 'lenderToken', 'firmToken', 'tokensExpireAt'].map((key) => ({ key, value: '' })),
      ...etags.map((key) => ({ key, value: '*' })),
    ],
    item: folders.map(({ name, description, items }) => ({ name, description, item: items.map(requestOf) })),
  }
  const environment = {
    id: ENVIRONMENT_ID,
    name: 'Sandbox',
    values: Object.entries(ENVIRONMENT).map(([key, value]) => ({ key, value, enabled: true })),
    _postman_variable_scope: 'environment',
  }
  return new Map([
    ['lodgeway.postman_collection.json', `${JSON.stringify(collection, null, 2)}\n`],
    ['sandbox.postman_environment.json', `${JSON.stringify(environment, null, 2)}\n`],
  ])
}

const bearer = (caller: Caller) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${caller}Token}}`, type: 'string' }],
})

const FETCH_TOKENS = `\
// Both tokens, a minute before the last ones expire.
const isFresh = Number(pm.collectionVariables.get("tokensExpireAt")) > Date.now()
for (const caller of isFresh ? [] : ["lender", "firm"]) {
  const fields = {
    grant_type: "client_credentials",
    client_id: pm.variables.get(caller + "ClientId"),
    client_secret: pm.variables.get(caller + "ClientSecret"),
  }
  const body = { mode: "urlencoded", urlencoded: Object.entries(fields).map(([key, value]) => ({ key, value })) }
  pm.sendRequest({ url: pm.variables.get("baseUrl") + "/oauth/token", method: "POST", body }, (error, response) => {
    if (error || response.code !== 200) return console.error("No token of the " + caller, error || response.text())
    const { access_token, expires_in } = response.json()
    pm.collectionVariables.set(caller + "Token", access_token)
    pm.collectionVariables.set("tokensExpireAt", String(Date.now() + (expires_in - 60) * 1000))
  })
}`

function requestOf({ name, method, path, pathParameters, query, headers, as, body, description, ...item }: Item) {
  const url = {
    raw: `{{baseUrl}}${path}`,
    host: ['{{baseUrl}}'],
    path: path.slice(1).split('/'),
    ...(query.length > 0 && { query: query.map(fieldOf) }),
    ...(pathParameters.length > 0 && { variable: pathParameters.map(fieldOf) }),
  }
  const checks = testOf(item)
  return {
    name,
    ...(checks && { event: [script('test', checks)] }),
    request: {
      method,
      ...(as === 'nobody' && { auth: { type: 'noauth' } }),
      ...(as === 'lender' && { auth: bearer(as) }),
      header: headers.map(fieldOf),
      ...(body && { body: bodyOf(body) }),
      url,
      description,
    },
  }
}

function testOf({ etag, expected, captured = {} }: Pick<Item, 'etag' | 'expected' | 'captured'>): string {
  const kept = Object.entries(captured)
  const values = Object.entries(expected?.values ?? {})
  return [
    ...(etag
      ? [`if (pm.response.headers.get("ETag")) pm.collectionVariables.set("${etag}", pm.response.headers.get("ETag"))`]
      : []),
    ...(expected
      ? [`pm.test("answers ${expected.status}", () => pm.response.to.have.status(${expected.status}))`]
      : []),
    ...(kept.length + values.length > 0 ? ['const answer = pm.response.json()'] : []),
    ...values.map(
      ([at, value]) => `pm.test("reaches ${value}", () => pm.expect(answer${expressionOf(at)}).to.equal("${value}"))`,
    ),
    ...kept.map(([variable, at]) => `pm.collectionVariables.set("${variable}", answer${expressionOf(at)})`),
  ].join('\n')
}

function bodyOf(body: Body): object {
  if (body.type === 'json') return { mode: 'raw', raw: body.text, options: { raw: { language: 'json' } } }
  if (body.type === 'form') return { mode: 'urlencoded', urlencoded: body.fields.map(fieldOf) }
  const formdata = body.fields.map((one) =>
    one.name === 'file'
      ? { key: one.name, type: 'file', src: one.value, contentType: 'application/pdf' }
      : { ...fieldOf(one), type: 'text' },
  )
  return { mode: 'formdata', formdata }
}

const fieldOf = ({ name, value, off }: Field) => ({ key: name, value, ...(off && { disabled: true }) })

const script = (listen: string, text: string) => ({
  listen,
  script: { type: 'text/javascript', exec: text.split('\n') },
})
