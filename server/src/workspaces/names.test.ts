import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { detailsOf, nameFrom } from './names.ts'

describe('nameOf', () => {
  it('keeps the name of a person as it was given', () => {
    const details = { forenames: 'Zoë  Anne', surname: "O'Brien-Łukasz" }
    assert.deepEqual(nameFrom('INDIVIDUAL', details), { type: 'INDIVIDUAL', ...details })
  })

  for (const [given, kept] of [
    ['2294747', '02294747'],
    ['1', '00000001'],
    ['02294747', '02294747'],
    ['sc123456', 'SC123456'],
    ['OC1', 'OC1'],
    ['R0000012', 'R0000012'],
  ] as const) {
    it(`keeps the registration number ${given} as ${kept}`, () => {
      const name = nameFrom('ORGANISATION', { organisationName: 'Turner Holdings Limited', registrationNumber: given })
      assert.deepEqual(name, {
        type: 'ORGANISATION',
        organisationName: 'Turner Holdings Limited',
        registrationNumber: kept,
      })
    })
  }

  it('leaves out a registration number that was not given', () => {
    const name = nameFrom('ORGANISATION', { organisationName: 'The Village Hall' })
    assert.deepEqual(Object.keys(name), ['type', 'organisationName'])
  })

  it('changes nothing when it is done again', () => {
    const registrationNumber = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/)
    fc.assert(
      fc.property(registrationNumber, (number) => {
        const once = nameFrom('ORGANISATION', { organisationName: 'X', registrationNumber: number })
        assert.deepEqual(nameFrom('ORGANISATION', once), once)
      }),
    )
  })
})

describe('detailsOf', () => {
  it('shows details in one order, whatever order they are stored in: an ETag depends on it', () => {
    const person = { surname: 'Prynne', type: 'INDIVIDUAL', forenames: 'William' } as const
    assert.equal(JSON.stringify(detailsOf(person)), '{"forenames":"William","surname":"Prynne"}')
    const firm = { registrationNumber: '02294747', type: 'ORGANISATION', organisationName: 'Turner' } as const
    assert.equal(JSON.stringify(detailsOf(firm)), '{"organisationName":"Turner","registrationNumber":"02294747"}')
  })

  it('gives back what a name was made of', () => {
    const details = { forenames: 'Tracey', surname: 'Prynne' }
    assert.deepEqual(detailsOf(nameFrom('INDIVIDUAL', details)), details)
  })
})
