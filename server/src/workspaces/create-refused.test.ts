import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sharedService, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aCompany,
  aCreation,
  CREATE,
  type Created,
  errorsOf,
  FIRM,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_FIRM_ID,
  put,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'
import { setStatus } from '../auth/manage.ts'

const SUSPENDED_FIRM_ID = '20000000-0000-4000-8000-00000000000f'
let service: TestService
before(async () => {
  service = await sharedService('still')
  const { db } = service.deps
  await db.query(
    `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'Gone Law', 'LAW_FIRM', now())`,
    [SUSPENDED_FIRM_ID],
  )
  const actor = { actingUser: 'test', correlationId: 'test', at: new Date() }
  await db.transaction((tx) => setStatus(tx, SUSPENDED_FIRM_ID, 'SUSPENDED', actor))
})

const create = (json: unknown, headers: Record<string, string> = {}, as = LENDER) =>
  service.call<Created>('POST', CREATE, { ...as, json, headers })

async function workspaceCount(): Promise<number> {
  const [row] = await service.deps.db.query<{ count: number }>('select count(*) from workspaces')
  return row?.count ?? 0
}

async function refused(json: unknown, ...fields: string[]): Promise<void> {
  const before = await workspaceCount()
  const answer = await create(json)
  assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields.sort()], answer.text)
  assert.equal(await workspaceCount(), before, 'nothing is kept')
}

const at = 'property.securityAddress'
const NAME = 'parties[0].partyDetails'

describe('POST /remortgage/workspaces: 400', () => {
  for (const [place, value] of [
    ['reference', undefined],
    ['reference', ''],
    ['reference', '   '],
    ['reference', 'x'.repeat(26)],
    ['reference', 42],
    ['reference', null],
    ['reference', 'x\u0000'],
    ['reference', 'REM\u200b1'],
    ['property', undefined],
    ['property', []],
    ['property.jurisdiction', 'SCOTLAND'],
    ['property.jurisdiction', null],
    ['property.titleNumber', ''],
    ['property.titleNumber', 'ABCD1'],
    ['property.titleNumber', 'ST1234567'],
    ['property.titleNumber', 'ST-500678'],
    ['property.titleNumber', 500678],
    ['property.titleNumber', null],
    ['property.uprn', '1'],
    [at, undefined],
    [at, { town: 'Exeter', postcode: 'EX4 3AN', street: 'Fore Street' }],
    [`${at}.flat`, 'x'.repeat(31)],
    [`${at}.name`, 'x'.repeat(51)],
    [`${at}.number`, 'x'.repeat(11)],
    [`${at}.number`, 83],
    [`${at}.number`, ''],
    [`${at}.street`, 'x'.repeat(61)],
    [`${at}.locality`, 'x'.repeat(61)],
    [`${at}.town`, undefined],
    [`${at}.town`, ' '],
    [`${at}.town`, 'x'.repeat(31)],
    [`${at}.county`, 'x'.repeat(61)],
    [`${at}.county`, null],
    [`${at}.country`, 'Wales'],
    [`${at}.postcode`, undefined],
    ['parties', undefined],
    ['parties', {}],
    ['parties', []],
    ['parties', Array.from({ length: 5 }, () => aBorrower())],
    ['parties', [aBorrower(), aCompany()]],
    ['parties', [aCompany(), aCompany()]],
    ['parties[0]', null],
    ['parties[0].type', undefined],
    ['parties[0].type', 'TRUST'],
    ['parties[0].role', undefined],
    ['parties[1].role', 'LENDER'],
    ['parties[0].age', 42],
    [NAME, undefined],
    [`${NAME}.forenames`, undefined],
    [`${NAME}.forenames`, ' '],
    [`${NAME}.forenames`, 'x'.repeat(91)],
    [`${NAME}.surname`, undefined],
    [`${NAME}.surname`, 'x'.repeat(51)],
    [`${NAME}.surname`, ['Prynne']],
    [`${NAME}.surname`, 'Pry\nnne'],
    [`${NAME}.forenames`, '- .'],
    [`${NAME}.title`, 'Mr'],
    ['parties[0].participants', undefined],
    ['parties[0].participants', []],
    ['parties[0].participants', [...aBorrower().participants, ...aBorrower().participants]],
    ['parties[0].participants[0].id', undefined],
    ['parties[0].participants[0].id', 'harbour'],
    ['parties[0].participants[0].role', undefined],
    ['parties[0].participants[0].role', 'LENDER'],
    ['parties[0].participants[0].name', 'Harbour'],
  ] as const) {
    it(`refuses ${place}: ${JSON.stringify(value)?.slice(0, 60) ?? 'left out'}`, () =>
      refused(put(aCreation(), place, value), place))
  }

  for (const postcode of ['', 'EX4', 'AA1 00Z', 'QX1 1AA', 'EX4 3CN', 'EX4-3AN', '90210', 'EX43 3AAN', 'É1 1AA']) {
    it(`refuses the postcode "${postcode}"`, () => refused(aCreation({ postcode }), `${at}.postcode`))
  }

  // Areas that lie wholly outside England and Wales.
  for (const area of 'AB DD DG EH FK G HS IV KA KW KY ML PA PH ZE BT JE GY IM'.split(' ')) {
    it(`refuses a property in ${area}`, () => refused(aCreation({ postcode: `${area}1 1aa` }), `${at}.postcode`))
  }

  it('names what is wrong whatever the type of a party, next to the type', () =>
    refused(
      aCreation({ parties: [{ type: 'TRUST', role: 'OWNER', colour: 1, participants: [], partyDetails: { age: 5 } }] }),
      ...['type', 'role', 'colour', 'participants', 'partyDetails.age'].map((name) => `parties[0].${name}`),
    ))

  for (const number of ['', '123456789', 'SC-12345', '12 34', 'ÀB123456']) {
    it(`refuses the registration number "${number}"`, () =>
      refused(
        put(aCreation({ parties: [aCompany()] }), `${NAME}.registrationNumber`, number),
        `${NAME}.registrationNumber`,
      ))
  }

  it('refuses an organisation’s name of 161 characters', () =>
    refused(aCreation({ parties: [aCompany('x'.repeat(161))] }), `${NAME}.organisationName`))

  it('refuses the details of a person for an organisation, and the other way round', async () => {
    const person = ['forenames', 'surname'].map((name) => `${NAME}.${name}`)
    const asCompany = { ...aBorrower(), type: 'ORGANISATION' }
    await refused(aCreation({ parties: [asCompany] }), `${NAME}.organisationName`, ...person)
    const asPerson = { ...aCompany(), type: 'INDIVIDUAL' }
    await refused(aCreation({ parties: [asPerson] }), `${NAME}.organisationName`, ...person)
  })

  for (const [what, firmId] of [
    ['an id that was never given', UNKNOWN_ID],
    ['a lender', LENDER_ID],
    ['a suspended firm', SUSPENDED_FIRM_ID],
  ] as const) {
    it(`refuses ${what} as the law firm, at every party that names it`, async () => {
      const parties = [aBorrower('Ann', 'Lee', firmId), aBorrower('Ben', 'Lee', firmId)]
      await refused(aCreation({ parties }), 'parties[0].participants[0].id', 'parties[1].participants[0].id')
    })
  }

  it('says the same of an unknown firm, a lender and a suspended firm', async () => {
    const answers = await Promise.all(
      [UNKNOWN_ID, LENDER_ID, SUSPENDED_FIRM_ID].map((id) =>
        create(aCreation({ parties: [aBorrower('Ann', 'Lee', id)] })),
      ),
    )
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  })

  it('refuses a second firm at the first party that names it', () =>
    refused(
      aCreation({ parties: [aBorrower(), aBorrower('T', 'P', OTHER_FIRM_ID), aBorrower('X', 'P', OTHER_FIRM_ID)] }),
      'parties[1].participants[0].id',
    ))

  it('tells all that is wrong at once', async () => {
    const parties = [
      { ...aCompany('', '123456789'), colour: 'red' },
      { ...aBorrower('Ann', 'x'.repeat(51), OTHER_FIRM_ID), role: 'OWNER' },
    ]
    const body = { ...aCreation({ reference: ' ', titleNumber: '??', postcode: 'x', parties }), extra: null }
    const answer = await create(body, { 'x-acting-user': 'nobody', 'idempotency-key': 'x'.repeat(256) })
    assert.equal(answer.status, 400)
    assert.deepEqual(
      fieldsOf(answer),
      [
        'Idempotency-Key',
        'X-Acting-User',
        'extra',
        'parties',
        'parties[0].colour',
        'parties[0].partyDetails.organisationName',
        'parties[0].partyDetails.registrationNumber',
        'parties[1].partyDetails.surname',
        'parties[1].participants[0].id',
        'parties[1].role',
        'property.securityAddress.postcode',
        'property.titleNumber',
        'reference',
      ].sort(),
    )
    for (const { field = '', message } of errorsOf(answer)) assert.ok(message.startsWith(field), message)
  })

  it('refuses what is no object', async () => {
    for (const json of [[], 'x', 5, null]) {
      const answer = await create(json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['']])
    }
  })
})

describe('POST /remortgage/workspaces: 401 and 403', () => {
  it('asks for a token', async () => {
    assert.equal((await service.call('POST', CREATE, { json: aCreation() })).status, 401)
  })

  it('lets no law firm create, whatever the body', async () => {
    const answers = await Promise.all([aCreation(), {}, [], null].map((json) => create(json, {}, FIRM)))
    for (const { status, text } of answers) assert.deepEqual([status, text], [403, answers[0]?.text])
    assert.match(answers[0]?.text ?? '', /Only a lender may do this/)
  })

  it('asks for the scope before it asks for the kind, and for both before it looks at the body', async () => {
    for (const client of ['sandbox-law-firm', 'sandbox-lender']) {
      const answer = await service.call('POST', CREATE, { json: {}, headers: await narrowToken(service, client) })
      assert.equal(answer.status, 403)
      const challenge = answer.headers.get('www-authenticate') ?? ''
      assert.match(challenge, /scope="x-api:create:remortgage_workspaces"/)
    }
  })

  it('counts before it judges: past the limit a law firm gets 429', async () => {
    const limited = await testService({ env: { RATE_LIMIT_PER_MINUTE: '1' }, worker: false })
    const statuses = []
    for (let i = 0; i < 2; i++)
      statuses.push((await limited.call('POST', CREATE, { as: 'sandbox-law-firm', json: {} })).status)
    assert.deepEqual(statuses, [403, 429])
  })
})
