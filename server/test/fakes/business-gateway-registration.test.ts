import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Register } from '../../src/registry/register.ts'
import { registerWith } from './business-gateway/registration.ts'
import { holdingOf } from './business-gateway/titles.ts'
import { type Json, PRYNNES, remortgage, transferOfEquity } from './business-gateway-messages.fixture.ts'

const DATES = { appliedOn: '2026-06-02', registeredOn: '2026-06-08' }

function registerOf(title: string): Register {
  const holding = holdingOf(title)
  assert.ok(holding?.status === 'VALID')
  return holding.register
}

const after = (body: Json, title: string, completion: 'in full' | 'early' = 'in full') =>
  registerWith(registerOf(title), body.data, DATES, completion)

const names = ({ proprietors }: Register) =>
  proprietors.map((one) => (one.type === 'INDIVIDUAL' ? `${one.forenames} ${one.surname}` : one.organisationName))
const lenders = ({ charges }: Register) =>
  charges.flatMap(({ chargees }) => chargees.map((one) => (one.type === 'ORGANISATION' ? one.organisationName : '')))

const changeOfName = (body: Json, party: object) => {
  body.data.parties.renamed = party
  body.data.transactions.name = {
    type: 'CN',
    priority: 4,
    fee_in_pence: 0,
    party_roles: [{ party_reference: 'renamed', role: 'APPLICANT' }],
  }
  return body
}

describe('the stand-in gateway: a register after registration', () => {
  it('has the new charge, and the old one only after an early completion', () => {
    const body = remortgage('deed', 'ST500678', 'LW-1', PRYNNES)
    const done = after(body, 'ST500678')
    assert.deepEqual(lenders(done), ['Northgate Building Society'])
    assert.deepEqual(
      [done.charges[0]?.dated, done.charges[0]?.enteredOn, done.editionDate],
      ['2026-05-01', '2026-06-02', '2026-06-08'],
    )
    assert.deepEqual(lenders(after(body, 'ST500678', 'early')), ['Eastmoor Bank plc', 'Northgate Building Society'])
    assert.deepEqual(names(done), ['William Prynne', 'Tracey Prynne'])
  })

  it('loses the old charge when its discharge is lodged by itself', () => {
    const early = after(remortgage('deed', 'ST500679', 'LW-1', PRYNNES), 'ST500679', 'early')
    const own = remortgage('deed', 'ST500679', 'LW-1', PRYNNES)
    delete own.data.transactions.charge
    assert.deepEqual(lenders(registerWith(early, own.data, DATES, 'in full')), ['Northgate Building Society'])
  })

  it('has who stays and who comes after a transfer, and no price', () => {
    const done = after(transferOfEquity(remortgage('deed', 'ST500678', 'LW-1', PRYNNES), 'tr1'), 'ST500678')
    assert.deepEqual(names(done), ['William Prynne', 'Ann Vane'])
    assert.equal(done.pricePaid, undefined)
    assert.equal(done.proprietorsSince, '2026-06-02')
  })

  it('has the new name after a change of name, of a person or a company', () => {
    const married = remortgage('deed', 'ST500678', 'LW-1', [['William', 'Prynne']])
    const tracey = { details: { type: 'PRIVATE_INDIVIDUAL', forenames: 'Tracey', surname: 'Lowe' } }
    assert.deepEqual(names(after(changeOfName(married, tracey), 'ST500678')), ['William Prynne', 'Tracey Lowe'])
    const company = {
      details: { type: 'UK_COMPANY', organisation_name: 'Saltmarsh Homes Limited', company_number: '06417238' },
    }
    const renamed = changeOfName(remortgage('deed', 'RC100001', 'LW-1', []), company)
    assert.deepEqual(names(after(renamed, 'RC100001')), ['Saltmarsh Homes Limited'])
  })

  it('loses a restriction that is cancelled, and those of a lender with its charge', () => {
    const body = remortgage('deed', 'ST500681', 'LW-1', PRYNNES)
    assert.equal(after(body, 'ST500681').restrictions.length, 1)
    body.data.transactions.cancel = { type: 'CANR', priority: 4, fee_in_pence: 0 }
    assert.equal(after(body, 'ST500681').restrictions.length, 0)
    assert.equal(registerOf('LR100001').restrictions.length, 1)
    assert.equal(after(body, 'LR100001').restrictions.length, 0)
  })
})
