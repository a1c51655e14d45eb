import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { Choice, Closed, Email, NameText, OneOf, Page, PlainText, Text, Type, Uuid } from './schema.ts'
import { compileChecks, MalformedBody } from './validate.ts'

const both = { role: Type.Literal('BORROWER'), id: Type.Optional(Uuid()) }
const Person = Closed({ type: Type.Literal('INDIVIDUAL'), ...both, details: Closed({ surname: NameText(1, 5) }) })
const Firm = Closed({ type: Type.Literal('ORGANISATION'), ...both, details: Closed({ name: Text(1, 10) }) })
const Body = Closed({
  reference: Text(1, 25),
  id: Type.Optional(Uuid()),
  email: Type.Optional(Email()),
  amount: Type.Optional(Type.Number({ minimum: 0, maximum: 10 })),
  kind: Type.Optional(Choice(['A', 'B'])),
  note: Type.Optional(Text(1, 50)),
  plain: Type.Optional(PlainText(1, 50)),
  name: Type.Optional(NameText(1, 50)),
  only: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1 })),
  code: Type.Optional(Type.String({ pattern: '^MD\\d+$', 'x-expected': 'MD and digits' })),
  parties: Type.Optional(Type.Array(OneOf('type', [Person, Firm]), { minItems: 1, maxItems: 4 })),
})
const SCHEMAS = {
  params: Type.Object({ workspace_id: Uuid() }),
  querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
  body: Body,
}
const check = compileChecks(SCHEMAS, { closedQuery: true })
const ID = '10000000-0000-4000-8000-00000000000A'
const SENT = { method: 'POST', route: { scope: 'edit:workspace_parties' } }
const request = (body: unknown, rest: object = {}) =>
  ({ ...SENT, params: { workspace_id: ID }, query: {}, headers: {}, body, ...rest }) as unknown as FastifyRequest
const fieldsOf = (body: unknown, rest?: object) => check(request(body, rest)).map(({ field }) => field)
const messagesOf = (body: unknown, rest?: object) => check(request(body, rest)).map(({ message }) => message)

describe('the check of a request', () => {
  it('finds nothing wrong with a valid one', () => assert.deepEqual(fieldsOf({ reference: 'R' }), []))

  it('reports all errors of path, query, headers and body at once', () => {
    const rest = {
      params: { workspace_id: 'x' },
      query: { limit: '0' },
      headers: { 'x-acting-user': 'nobody', 'idempotency-key': '' },
    }
    assert.deepEqual(fieldsOf({ extra: 1 }, rest), [
      'workspace_id',
      'limit',
      'Idempotency-Key',
      'X-Acting-User',
      'reference',
      'extra',
    ])
  })

  it('reports a body that is not JSON together with the other errors', () => {
    const errors = check(
      request(new MalformedBody('The body is not well-formed JSON.'), { params: { workspace_id: 'x' } }),
    )
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['workspace_id', undefined],
    )
  })

  for (const [what, body, field, message] of [
    ['a missing property', {}, 'reference', 'reference is required.'],
    ['an unknown property', { reference: 'R', colour: 1 }, 'colour', 'colour is not expected here.'],
    ['an unknown property whose name is a number', { reference: 'R', 5: 1 }, '5', '5 is not expected here.'],
    ['null', { reference: null }, 'reference', 'reference must be a string.'],
    ['a number for a string', { reference: 1 }, 'reference', 'reference must be a string.'],
    [
      'a text that is too long',
      { reference: 'x'.repeat(26) },
      'reference',
      'reference must be 1 to 25 characters long.',
    ],
    ['only spaces', { reference: '   ' }, 'reference', 'reference must be 1 to 25 characters long.'],
    ['no UUID', { reference: 'R', id: 'x' }, 'id', 'id must be a UUID.'],
    ['a UUID as a URN', { reference: 'R', id: `urn:uuid:${ID}` }, 'id', 'id must be a UUID.'],
    ['no e-mail address', { reference: 'R', email: 'x' }, 'email', 'email must be an e-mail address.'],
    ['a number out of range', { reference: 'R', amount: 11 }, 'amount', 'amount must be 0 to 10.'],
    ['a value outside an enum', { reference: 'R', kind: 'C' }, 'kind', 'kind must be one of A, B.'],
    ['a pattern with its own message', { reference: 'R', code: 'x' }, 'code', 'code must be MD and digits.'],
    ['too few items', { reference: 'R', parties: [] }, 'parties', 'parties must have 1 to 4 items.'],
    ['a wrong number of items', { reference: 'R', only: [] }, 'only', 'only must have exactly 1 item.'],
    ['a body that is a list', [], undefined, 'The body must be a JSON object.'],
    ['no body', undefined, undefined, 'A JSON body is required.'],
  ] as const) {
    it(`says for ${what}: ${message}`, () => {
      assert.deepEqual(check(request(body)), [field === undefined ? { message } : { field, message }])
    })
  }

  it('names the exact field inside a union, dotted and numbered', () => {
    const parties = [
      { type: 'INDIVIDUAL', role: 'BORROWER', details: { surname: 'Ok' } },
      { type: 'ORGANISATION', role: 'BORROWER', details: { surname: 'no' } },
    ]
    assert.deepEqual(messagesOf({ reference: 'R', parties }), [
      'parties[1].details.name is required.',
      'parties[1].details.surname is not expected here.',
    ])
  })

  for (const [what, tag, message] of [
    ['wrong', { type: 'X' }, 'parties[0].type must be one of INDIVIDUAL, ORGANISATION.'],
    ['not text', { type: 5 }, 'parties[0].type must be one of INDIVIDUAL, ORGANISATION.'],
    ['missing', {}, 'parties[0].type is required.'],
  ] as const) {
    it(`reports what is wrong in every branch of a union whose tag is ${what}, and nothing else`, () => {
      const wrong = { ...tag, role: 'OWNER', id: 'x', colour: 1, details: { surname: 5, name: 5, age: 5 } }
      const messages = [
        message,
        'parties[0].role must be BORROWER.',
        'parties[0].id must be a UUID.',
        'parties[0].colour is not expected here.',
        'parties[0].details.age is not expected here.',
      ]
      assert.deepEqual(messagesOf({ reference: 'R', parties: [wrong] }).sort(), messages.sort())
      const needed = ['details is required.', 'role is required.'].map((one) => `parties[0].${one}`)
      assert.deepEqual(messagesOf({ reference: 'R', parties: [tag] }).sort(), [message, ...needed].sort())
    })
  }

  it('says which character does not belong in a name or a reference', () => {
    for (const [text, problem] of [
      ['Ann\nLee', 'must not hold a line break (U+000A)'],
      ['Ann\u2028Lee', 'must not hold a line break (U+2028)'],
      ['Ann\u0007', 'must not hold a control character (U+0007)'],
      ['Ann\u200bLee', 'must not hold an invisible format character (U+200B)'],
      ['\u202eAnn', 'must not hold an invisible format character (U+202E)'],
      ['Ann\u{e0041}', 'must not hold an invisible format character (U+E0041)'],
      ['\ue000', 'must not hold a private-use character (U+E000)'],
    ] as const) {
      assert.deepEqual(messagesOf({ reference: 'R', plain: text }), [`plain ${problem}.`])
      assert.deepEqual(messagesOf({ reference: 'R', name: text }), [`name ${problem}.`])
    }
    const lone = { reference: 'R', plain: ' 12/34\t', name: '12' }
    assert.deepEqual(messagesOf(lone), ['name must hold at least one letter.'], 'surrounding space is removed first')
    for (const name of ['3i', 'Ł', '李', 'O’Brien-Smith', 'Ann\u00a0Lee']) {
      assert.deepEqual(messagesOf({ reference: 'R', name }), [])
    }
    assert.deepEqual(messagesOf({ reference: 'R', name: ' ' }), ['name must be 1 to 50 characters long.'])
  })

  it('lower-cases UUIDs and trims texts where they are accepted', () => {
    const body = { reference: '  R  ', id: ID }
    const sent = request(body)
    assert.deepEqual(check(sent), [])
    assert.deepEqual(body, { reference: 'R', id: ID.toLowerCase() })
    assert.deepEqual(sent.params, { workspace_id: ID.toLowerCase() })
  })

  it('refuses query parameters that the operation does not have, unless it ignores them', () => {
    const query = JSON.parse('{ "limit": "7", "stauts": "LODGED", "__proto__": "1", "toString": "" }')
    assert.deepEqual(messagesOf({ reference: 'R' }, { query }), [
      'stauts is not a parameter of this operation.',
      '__proto__ is not a parameter of this operation.',
      'toString is not a parameter of this operation.',
    ])
    assert.deepEqual(compileChecks({})(request(undefined, { query })), [])
    assert.equal(compileChecks({}, { closedQuery: true })(request(undefined, { query: { x: '' } })).length, 1)
  })

  it('reads numbers from text in the query only', () => {
    const sent = request({ reference: 'R' }, { query: { limit: '7' } })
    assert.deepEqual(check(sent), [])
    assert.deepEqual(sent.query, { limit: 7 })
    assert.deepEqual(fieldsOf({ reference: 'R', amount: '7' }), ['amount'])
  })

  for (const limit of ['', '1.5', 'x', ['1', '2']]) {
    it(`refuses limit ${JSON.stringify(limit)}`, () => {
      assert.deepEqual(fieldsOf({ reference: 'R' }, { query: { limit } }), ['limit'])
    })
  }

  it('refuses the character NUL and half a surrogate pair, which the database cannot store', () => {
    assert.deepEqual(fieldsOf({ reference: 'a\u0000b' }), ['reference'])
    assert.deepEqual(fieldsOf({ reference: 'a\ud800b', colour: 1 }), ['reference', 'colour'], 'with all others')
    assert.deepEqual(fieldsOf({ reference: 'R', id: '\u0000' }), ['id'], 'once')
  })

  it('shortens a long property name', () => {
    const name = 'x'.repeat(100_000)
    const shown = `${'x'.repeat(100)}…`
    assert.deepEqual(messagesOf({ reference: 'R', [name]: 1 }), [`${shown} is not expected here.`])
    assert.equal(fieldsOf({ reference: 'R', [name]: ['\u0000'] })[0], `${shown}[0]`)
  })

  it('names the choices when the value is not text', () => {
    assert.deepEqual(messagesOf({ reference: 'R', kind: 5 }), ['kind must be one of A, B.'])
  })

  it('normalises accented letters, except in a text that would take long to normalise', () => {
    const name = 'e\u0301'
    const accents = 'a'.concat('\u0301\u0316'.repeat(20))
    const body = { reference: name, note: accents }
    assert.deepEqual(fieldsOf(body), [])
    assert.deepEqual(body, { reference: '\u00e9', note: accents })
  })

  it('has pages without a cursor', () => {
    assert.deepEqual(Page('P', Type.String()).required, ['records'])
  })
})
