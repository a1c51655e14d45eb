import {
  ABOUT,
  type Body,
  type Caller,
  type Collection,
  ENVIRONMENT,
  type Field,
  type Folder,
  type Item,
} from './model.ts'
import { expressionOf, keepIds } from './scripts.ts'

// A collection in the files of Bruno, by their paths.

export function brunoFiles({ folders, ids, etags }: Collection): Map<string, string> {
  const script = keepIds(ids, 'res.body', 'res.status < 300', 'bru.setVar')
  return new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: 'Lodgeway', type: 'collection', ignore: [] }, null, 2)}\n`],
    [
      'collection.bru',
      blocks(
        dictionary('auth', [['mode', 'oauth2']]),
        oauth2('firm'),
        dictionary('vars:pre-request', [
          ...ids.map((name) => [name, ''] as const),
          ...etags.map((name) => [name, '*'] as const),
        ]),
        text('script:post-response', script),
        text('docs', ABOUT),
      ),
    ],
    ['environments/Sandbox.bru', blocks(dictionary('vars', Object.entries(ENVIRONMENT)))],
    ...folders.flatMap(filesOf),
  ])
}

const filesOf = ({ id, name, description, items }: Folder, index: number): [string, string][] => [
  [
    `${id}/folder.bru`,
    blocks(
      dictionary('meta', [
        ['name', name],
        ['seq', String(index + 1)],
      ]),
      dictionary('auth', [['mode', 'inherit']]),
      text('docs', description),
    ),
  ],
  ...items.map((item, at): [string, string] => [`${id}/${item.id}.bru`, requestOf(item, at + 1)]),
]

const MODES = { json: 'json', form: 'formUrlEncoded', upload: 'multipartForm' }
const AUTH = { nobody: 'none', firm: 'inherit', lender: 'oauth2' }

function requestOf(item: Item, sequence: number): string {
  const {
    name,
    method,
    path,
    pathParameters,
    query,
    headers,
    as,
    body,
    etag,
    expected,
    captured = {},
    description,
  } = item
  const sent = query.filter(({ off }) => !off).map((one) => `${one.name}=${one.value}`)
  return blocks(
    dictionary('meta', [
      ['name', name],
      ['type', 'http'],
      ['seq', String(sequence)],
    ]),
    dictionary(method.toLowerCase(), [
      ['url', `{{baseUrl}}${path}${sent.length > 0 ? `?${sent.join('&')}` : ''}`],
      ['body', body ? MODES[body.type] : 'none'],
      ['auth', AUTH[as]],
    ]),
    dictionary('params:query', fieldsOf(query)),
    dictionary('params:path', fieldsOf(pathParameters)),
    dictionary('headers', fieldsOf(headers)),
    as === 'lender' ? oauth2(as) : '',
    body ? bodyOf(body) : '',
    dictionary(
      'vars:post-response',
      Object.entries(captured).map(([variable, pointer]) => [variable, `res.body${expressionOf(pointer)}`]),
    ),
    dictionary('assert', [
      ...(expected ? [['res.status', `eq ${expected.status}`] as const] : []),
      ...Object.entries(expected?.values ?? {}).map(
        ([at, value]) => [`res.body${expressionOf(at)}`, `eq ${value}`] as const,
      ),
    ]),
    text('script:post-response', etag ? `if (res.headers.etag) bru.setVar("${etag}", res.headers.etag)` : ''),
    text('docs', description),
  )
}

const oauth2 = (caller: Caller) =>
  dictionary('auth:oauth2', [
    ['grant_type', 'client_credentials'],
    ['access_token_url', '{{baseUrl}}/oauth/token'],
    ['refresh_token_url', ''],
    ['client_id', `{{${caller}ClientId}}`],
    ['client_secret', `{{${caller}ClientSecret}}`],
    ['scope', ''],
    ['credentials_placement', 'body'],
    ['credentials_id', caller],
    ['token_placement', 'header'],
    ['token_header_prefix', 'Bearer'],
    ['auto_fetch_token', 'true'],
    ['auto_refresh_token', 'false'],
  ])

function bodyOf(body: Body): string {
  if (body.type === 'json') return text('body:json', body.text)
  if (body.type === 'form') return dictionary('body:form-urlencoded', fieldsOf(body.fields))
  const fields = body.fields.map((one) =>
    one.name === 'file' ? { ...one, value: `@file(${one.value}) @contentType(application/pdf)` } : one,
  )
  return dictionary('body:multipart-form', fieldsOf(fields))
}

const fieldsOf = (fields: readonly Field[]) =>
  fields.map(({ name, value, off }) => [`${off ? '~' : ''}${name}`, value] as const)

const blocks = (...all: string[]) => all.filter((one) => one !== '').join('\n')

const dictionary = (name: string, entries: readonly (readonly [string, string])[]) =>
  entries.length > 0 ? block(name, entries.map(([key, value]) => `${key}: ${value}`).join('\n')) : ''

const text = (name: string, content: string) => (content ? block(name, content) : '')

/** A line of `}` alone ends a block, so that everything in it is indented. */
const block = (name: string, content: string) => `${name} {\n${content.replaceAll(/^(?=.)/gm, '  ')}\n}\n`
