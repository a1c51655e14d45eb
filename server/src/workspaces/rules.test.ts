import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cancellationErrors, creationErrors, postcodeOf, referencePrefixOf } from './rules.ts'

const FIRM = '20000000-0000-4000-8000-00000000000a'
const OTHER_FIRM = '20000000-0000-4000-8000-00000000000b'

const aParty = (type = 'INDIVIDUAL', id: unknown = FIRM) => ({ type, participants: [{ id }] })
const aBody = (parties: unknown, securityAddress: unknown = { number: '83' }) => ({
  property: { securityAddress },
  parties,
})
const fieldsOf = (body: unknown) => creationErrors(body).map(({ field }) => field)

describe('creationErrors', () => {
  it('finds nothing wrong with one organisation, nor with one to four individuals', () => {
    assert.deepEqual(fieldsOf(aBody([aParty('ORGANISATION')])), [])
    for (let count = 1; count <= 4; count++) {
      assert.deepEqual(fieldsOf(aBody(Array.from({ length: count }, () => aParty()))), [])
    }
  })

  it('tells mixed types and two organisations at parties', () => {
    assert.deepEqual(fieldsOf(aBody([aParty(), aParty('ORGANISATION')])), ['parties'])
    assert.deepEqual(fieldsOf(aBody([aParty('ORGANISATION'), aParty('ORGANISATION')])), ['parties'])
  })

  for (const part of ['flat', 'name', 'number']) {
    it(`is content with ${part} alone`, () => assert.deepEqual(fieldsOf(aBody([aParty()], { [part]: '1' })), []))
  }

  it('tells an address without flat, name and number', () => {
    assert.deepEqual(fieldsOf(aBody([aParty()], { street: 'Fore Street' })), ['property.securityAddress'])
  })

  it('tells the first party that names another firm, and only that one', () => {
    const parties = [aParty(), aParty(), aParty('INDIVIDUAL', OTHER_FIRM), aParty('INDIVIDUAL', OTHER_FIRM)]
    assert.deepEqual(fieldsOf(aBody(parties)), ['parties[2].participants[0].id'])
  })

  it('takes the same firm in capitals for the same firm, and another for another', () => {
    const inCapitals = (id: string) => fieldsOf(aBody([aParty(), aParty('INDIVIDUAL', id.toUpperCase())]))
    assert.deepEqual(inCapitals(FIRM), [])
    assert.deepEqual(inCapitals(OTHER_FIRM), ['parties[1].participants[0].id'])
  })

  it('compares only those who name a firm', () => {
    assert.deepEqual(fieldsOf(aBody([{ type: 'INDIVIDUAL' }, aParty(), aParty('INDIVIDUAL', 5)])), [])
    assert.deepEqual(fieldsOf(aBody([aParty('INDIVIDUAL', 'harbour'), aParty()])), [])
    assert.deepEqual(fieldsOf(aBody([aParty('INDIVIDUAL', { toString: 1 }), aParty()])), [])
    assert.deepEqual(fieldsOf(aBody([{}, aParty(), aParty('INDIVIDUAL', OTHER_FIRM)])), [
      'parties[2].participants[0].id',
    ])
  })

  it('tells all of these at once', () => {
    const parties = [aParty(), aParty('ORGANISATION', OTHER_FIRM)]
    assert.deepEqual(fieldsOf(aBody(parties, {})), [
      'property.securityAddress',
      'parties',
      'parties[1].participants[0].id',
    ])
  })

  it('takes anything that is sent: the schema refuses what is no workspace', () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => Array.isArray(creationErrors(json))))
    const likely = fc.record({
      property: fc.oneof(fc.record({ securityAddress: fc.jsonValue() }), fc.jsonValue()),
      parties: fc.oneof(
        fc.array(fc.oneof(fc.record({ type: fc.jsonValue(), participants: fc.jsonValue() }), fc.jsonValue())),
        fc.jsonValue(),
      ),
    })
    fc.assert(fc.property(likely, (json) => Array.isArray(creationErrors(json))))
  })
})

describe('cancellationErrors', () => {
  it('asks for notes where the reason is OTHER', () => {
    const fields = cancellationErrors({ cancellationReason: 'OTHER' }).map(({ field }) => field)
    assert.deepEqual(fields, ['cancellationNotesForOther'])
  })

  it('asks for nothing more where they are given, nor with any other reason', () => {
    assert.deepEqual(cancellationErrors({ cancellationReason: 'OTHER', cancellationNotesForOther: 'Sold.' }), [])
    assert.deepEqual(cancellationErrors({ cancellationReason: 'TITLE_COMPLICATIONS' }), [])
    for (const nothing of [undefined, null, {}]) assert.deepEqual(cancellationErrors(nothing), [])
  })
})

describe('postcodeOf', () => {
  for (const [squeezed, kept] of [
    ['EX43AN', 'EX4 3AN'],
    ['EC1A1BB', 'EC1A 1BB'],
    ['W1A0AX', 'W1A 0AX'],
    ['M160RA', 'M16 0RA'],
    ['GIR0AA', 'GIR 0AA'],
  ] as const) {
    it(`keeps ${squeezed} as ${kept}`, () => assert.equal(postcodeOf(squeezed), kept))
  }
})

describe('referencePrefixOf', () => {
  for (const [at, prefix] of [
    ['2026-03-14T09:30:00Z', 'LW26'],
    ['2099-12-31T23:59:59Z', 'LW99'],
    ['2105-01-01T00:00:00Z', 'LW05'],
  ] as const) {
    it(`is ${prefix} at ${at}`, () => assert.equal(referencePrefixOf(new Date(at)), prefix))
  }
})
