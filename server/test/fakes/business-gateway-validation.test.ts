import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pdfOf } from './business-gateway/files.ts'
import { theStandIn } from './business-gateway.fixture.ts'
import { type Json, PRYNNES, remortgage, transferOfEquity } from './business-gateway-messages.fixture.ts'

const { client, lodger, days, prynne } = await theStandIn()

describe('the stand-in gateway: what it refuses', () => {
  describe('what is refused at once', () => {
    const cases: [string, (data: Json) => void, string][] = [
      ['a missing type', (data) => delete data.type, '/data/type'],
      [
        'text for a boolean',
        (data) => (data.titles.t1.disclosable_overriding_interests = 'false'),
        '/data/titles/t1/disclosable_overriding_interests',
      ],
      [
        'a date in the future',
        (data) => (data.transactions.charge.details.date = '3000-01-01'),
        '/data/transactions/charge/details/date',
      ],
      [
        'pence in a value',
        (data) => (data.transactions.charge.details.value = 1.5),
        '/data/transactions/charge/details/value',
      ],
      ['a field that does not exist', (data) => (data.parties.b1.nickname = 'Bill'), '/data/parties/b1/nickname'],
      ['a reference to nobody', (data) => data.applicants.push('nobody'), '/data/applicants'],
      [
        'details of the wrong kind',
        (data) => delete data.transactions.discharge.details,
        '/data/transactions/discharge/details',
      ],
      ['one priority twice', (data) => (data.transactions.charge.priority = 1), '/data/transactions'],
      ['a long customer reference', (data) => (data.customer_reference = 'x'.repeat(26)), '/data/customer_reference'],
    ]
    for (const version of ['v1', 'v2']) {
      for (const [what, change, pointer] of cases) {
        it(`${what} (${version})`, async () => {
          const body = prynne()
          change(body.data)
          const { status, json } = await lodger.submit(body, version)
          assert.equal(status, 400)
          assert.deepEqual([...new Set(json.errors.map((one: Json) => one.pointer))], [pointer])
        })
      }
    }

    it('a request without an Idempotency-Key, or that is not JSON', async () => {
      assert.equal((await client.rest('/v1/applications', { method: 'POST', body: prynne() })).status, 400)
      assert.equal((await lodger.submit('text')).status, 400)
    })
  })

  const wrong: [string, string, (data: Json) => void][] = [
    ['a document that was never uploaded', 'OC018', (data) => (data.documents.deed.document_id = 'x')],
    ['a document of another type', 'document-type-valid', (data) => (data.documents.deed.type = 'CH1')],
    ['no deed', 'all-mandatory-documents-provided', (data) => (data.transactions.charge.documents = [])],
    [
      'a proprietor who is no borrower',
      'all-proprietors-matched-to-borrowers',
      (data) => data.transactions.charge.party_roles.shift(),
    ],
    ['no lender', 'charge-has-valid-lender', (data) => data.transactions.charge.party_roles.pop()],
    ['a fee for a discharge', 'discharge-fee-zero', (data) => (data.transactions.discharge.fee_in_pence = 1)],
    ['too small a fee for a charge', 'CHARGE-FEE', (data) => (data.transactions.charge.fee_in_pence = 1999)],
    ['a deed that is not on record', 'mdref-on-record', (data) => (data.transactions.charge.details.mdref = 'XX1')],
    ['an unknown title', 'unknown-title-number', (data) => (data.titles.t1.title_number = 'NF100001')],
    ['a closed title', 'title-must-be-valid', (data) => (data.titles.t1.title_number = 'DT501578')],
    ['a part without a description', 'title-scope-is-valid', (data) => (data.titles.t1.scope_details.scope = 'PART')],
    [
      'overriding interests without a form',
      'di-form-required',
      (data) => (data.titles.t1.disclosable_overriding_interests = true),
    ],
    [
      'the warning not understood',
      'submission-warning-understood',
      (data) => (data.submission_warning_understood = false),
    ],
    [
      'an unrepresented party without evidence',
      'identity-evidence-has-type',
      (data) => (data.parties.b1.representation_type = 'NOT_REPRESENTED'),
    ],
    [
      'no address where one is promised',
      'address-for-service-option-is-valid',
      (data) => (data.parties.b1.addresses = []),
    ],
    ['a transaction of another kind of application', 'transaction-type-valid', (data) => (data.type = 'REMOVE_JP1')],
  ]
  for (const [what, type, change] of wrong) {
    it(`fails the validation of ${what}`, async () => {
      const body = prynne()
      change(body.data)
      const id = await lodger.lodged(body)
      days(1)
      const { status, errors } = await lodger.informationOf(id)
      assert.equal(status, 'VALIDATION_FAILED')
      assert.ok(
        errors.some((one: Json) => one.type === type),
        JSON.stringify(errors),
      )
      assert.deepEqual(await lodger.typesOf(id), ['validation-failed'])
    })
  }

  it('refuses a file that is no document, and one that it no longer has', async () => {
    const text = await client.upload('MRTG_DEED', Buffer.from('plain text'))
    const encrypted = await client.upload('MRTG_DEED', Buffer.concat([pdfOf(['x']), Buffer.from('/Encrypt 9 0 R')]))
    for (const file of [text, encrypted]) {
      const id = await lodger.lodged(remortgage(file, 'ST500678', 'LW-file', PRYNNES))
      days(1)
      assert.deepEqual(
        (await lodger.informationOf(id)).errors.map((one: Json) => one.type),
        ['document-valid'],
      )
    }
    days(180)
    const id = await lodger.lodged(prynne())
    days(1)
    assert.deepEqual(
      (await lodger.informationOf(id)).errors.map((one: Json) => one.type),
      ['OC018'],
    )
  })

  describe('a transfer of equity', () => {
    const equity = async () => transferOfEquity(prynne(), await client.upload('TR1'))

    it('is accepted', async () => {
      const id = await lodger.lodged(await equity())
      days(1)
      const { status, errors } = await lodger.informationOf(id)
      assert.equal(status, 'ACCEPTED_PRIORITY_PROTECTED', JSON.stringify(errors))
    })

    const faults: [string, string, (data: Json) => void][] = [
      [
        'without a transferee',
        'transfer-has-transferee',
        ({ transactions }) => transactions.transfer.party_roles.splice(2),
      ],
      [
        'of which a proprietor is no transferor',
        'all-proprietors-matched-to-transferors',
        ({ transactions }) => transactions.transfer.party_roles.splice(1, 1),
      ],
      [
        'for value without a value',
        'consideration-type-is-valid',
        ({ transactions }) => delete transactions.transfer.details.value,
      ],
      [
        'for value with another consideration',
        'consideration-type-is-valid',
        ({ transactions }) => (transactions.transfer.details.consideration_type = 'OTHER'),
      ],
      [
        'to two without a trust',
        'declaration-of-trust',
        ({ transactions }) => delete transactions.transfer.details.trust_declaration_type,
      ],
      [
        'with a band',
        'full-value-of-property-or-band-is-valid',
        ({ transactions }) =>
          (transactions.transfer.details.value_band = { lower_value_band: 0, upper_value_band: 100_000 }),
      ],
      ['to somebody without an address', 'transferee-has-valid-address', ({ parties }) => delete parties.new.addresses],
      ['with a fee for the charge', 'CHARGE-FEE', ({ transactions }) => (transactions.charge.fee_in_pence = 2000)],
      [
        'without its deed',
        'all-mandatory-documents-provided',
        ({ transactions }) => (transactions.transfer.documents = []),
      ],
      [
        'of which a transferor has no capacity',
        'capacity-provided',
        ({ transactions }) => delete transactions.transfer.party_roles[0].capacity,
      ],
    ]
    for (const [what, type, change] of faults) {
      it(`fails its validation ${what}`, async () => {
        const body = await equity()
        change(body.data)
        const id = await lodger.lodged(body)
        days(1)
        const { errors } = await lodger.informationOf(id)
        assert.ok(
          errors.some((one: Json) => one.type === type),
          JSON.stringify(errors),
        )
      })
    }

    it('of a title with a restriction and a charge is accepted with warnings', async () => {
      const body = await equity()
      body.data.titles.t1.title_number = 'ST500681'
      delete body.data.transactions.discharge
      const { warnings } = await lodger.informationOf(await lodger.lodged(body))
      assert.equal(warnings.length, 2)
    })

    it('where nobody may have two roles is refused at once', async () => {
      const body = await equity()
      body.data.transactions.transfer.type = 'T'
      const { status, json } = await lodger.submit(body)
      assert.equal(status, 400)
      assert.match(json.errors[0].detail, /several roles/)
    })
  })
})
