import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from '../platform/http/schema.ts'
import { withoutSecrets } from '../platform/operations/log.ts'
import { addNamesIn, bounded, correlationIdIn, errorsIn, isLogged } from './rules.ts'

const NOW = Date.parse('2026-03-14T09:30:00Z')
const client = { logUntil: new Date(NOW + 1) }
const person = { person: { email: 'sam.reid@harbour.example', isApprover: false, mayDecide: true } }

describe('a request is logged', () => {
  const CASES: [what: string, expected: boolean, ...given: Parameters<typeof isLogged>][] = [
    ['of a client in the sandbox', true, { caller: {}, method: 'GET', isOfSandbox: false }, 'sandbox', NOW],
    ['of a person who changes something', true, { caller: person, method: 'POST', isOfSandbox: false }, 'sandbox', NOW],
    ['of a page that reads', false, { caller: person, method: 'GET', isOfSandbox: false }, 'sandbox', NOW],
    [
      'with which the sandbox makes its matters',
      false,
      { caller: {}, method: 'POST', isOfSandbox: true },
      'sandbox',
      NOW,
    ],
    ['of a client elsewhere', false, { caller: {}, method: 'GET', isOfSandbox: false }, 'live', NOW],
    ['while an operator wants it', true, { caller: client, method: 'GET', isOfSandbox: false }, 'live', NOW],
    ['after that time', false, { caller: client, method: 'GET', isOfSandbox: false }, 'live', NOW + 1],
    ['of a person elsewhere', false, { caller: person, method: 'POST', isOfSandbox: false }, 'live', NOW],
  ]
  for (const [what, expected, ...given] of CASES)
    it(`${what}: ${expected}`, () => assert.equal(isLogged(...given), expected))
})

describe('errors', () => {
  const names = new Set(['parties', 'partyDetails', 'surname', 'MORTGAGE_DEED'])
  const isName = (text: string) => names.has(text)
  const id = '0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d'

  it('are whole in the sandbox', () => {
    const errors = [{ field: 'Prynne', message: 'Prynne is not expected here.' }, { message: 'No.' }]
    assert.deepEqual(errorsIn(errors, 'sandbox', isName), errors)
  })

  const FIELDS: Record<string, string> = {
    'parties[0].partyDetails.surname': 'parties[0].partyDetails.surname',
    'parties[3].Tracey Prynne': 'parties[3].…',
    Prynne: '…',
    [`parties[${id}].MORTGAGE_DEED`]: `parties[${id}].MORTGAGE_DEED`,
    'parties[31926819]': 'parties[…]',
  }
  for (const [field, kept] of Object.entries(FIELDS))
    it(`elsewhere have no message, and of their field only what the interface names: ${kept}`, () => {
      assert.deepEqual(errorsIn([{ field, message: 'Prynne' }], 'live', isName), [{ field: kept }])
    })

  it('elsewhere may have no field at all', () => assert.deepEqual(errorsIn([{ message: 'x' }], 'live', isName), [{}]))
})

describe('the names of the interface', () => {
  it('are those of properties and fixed values, at any depth', () => {
    const body = Type.Object({
      a: Type.Array(Type.Object({ b: Type.Enum(['C', 'D']) })),
      e: Type.String({ title: 'F' }),
    })
    const names = new Set<string>()
    addNamesIn({ body }, names, new Set())
    assert.deepEqual([...names].sort(), ['C', 'D', 'a', 'b', 'e'])
  })
})

describe('a correlation id outside the sandbox', () => {
  const IDS: Record<string, boolean> = {
    '0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d': true,
    '0B1C8A526F0E4A559A3C6D3F2A1B4C5D': true,
    'tracey-prynne': false,
    '31926819': false,
    'order-0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d': false,
  }
  for (const [id, isKept] of Object.entries(IDS))
    it(`${isKept ? 'is' : 'is not'} kept: ${id}`, () => {
      assert.equal(correlationIdIn(id, 'live'), isKept ? id : undefined)
      assert.equal(correlationIdIn(id, 'sandbox'), id)
    })
})

describe('a body', () => {
  it('is cut, and says so', () => {
    assert.deepEqual(bounded('{}', withoutSecrets), { text: '{}', isTruncated: false })
    const { text, isTruncated } = bounded('x'.repeat(20_000), withoutSecrets)
    assert.deepEqual([text.length, isTruncated], [16_384, true])
  })

  const SECRETS: Record<string, string> = {
    '{"sharedSecret":"abc","sharedSecretExpiry":"2027"}': '{"sharedSecret":"[redacted]","sharedSecretExpiry":"2027"}',
    '{"client_secret" : "a\\"b"}': '{"client_secret":"[redacted]"}',
    '{"token":"cut': '{"token":"[redacted]"',
    '["whsec_abc=","Bearer abcdefgh"]': '["[redacted]","Bearer [redacted]"]',
    '/x?q=a&access_token=b': '/x?q=a&access_token=[redacted]',
  }
  for (const [text, shown] of Object.entries(SECRETS))
    it(`has no secret: ${shown}`, () => assert.equal(bounded(text, withoutSecrets).text, shown))

  it('is searched in time that grows with its length alone', () => {
    const began = performance.now()
    for (const part of ['a.', '?', '"', '"a":"', 'a://', 'a://b:', 'eyJ', '\\"'])
      bounded(part.repeat(500_000), withoutSecrets)
    assert.ok(performance.now() - began < 5_000)
  })
})
