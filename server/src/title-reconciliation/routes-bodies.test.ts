import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReconciliation, reconcilingWith } from '../../test/fixtures/reconciliation.ts'
import { sharedService } from '../../test/fixtures/service.ts'
import { aCompany, aWorkspace, FIRM, fieldsOf, put, UNKNOWN_ID, WORKSPACES } from '../../test/fixtures/workspaces.ts'

// 400: what a body may look like, and that all that is wrong with it is told at once.

const service = await sharedService('still')
const { patch } = reconcilingWith(service)

const PERSON = { forenames: 'Ann', surname: 'Lee' }
const COMPANY = { organisationName: 'Hill plc', registrationNumber: '1' }
const rename = (details: 'partyDetails' | 'proprietorDetails', action: string) => ({
  action,
  [details === 'partyDetails' ? 'partyId' : 'proprietorId']: UNKNOWN_ID,
  type: 'INDIVIDUAL',
  [details]: PERSON,
})
const GOOD = {
  UPDATE_PARTY_NAME: rename('partyDetails', 'UPDATE_PARTY_NAME'),
  SET_AS_INCOMING_PROPRIETOR: { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: UNKNOWN_ID },
  SET_AS_OUTGOING_PROPRIETOR: { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: UNKNOWN_ID },
  UPDATE_PROPRIETOR_NAME: rename('proprietorDetails', 'UPDATE_PROPRIETOR_NAME'),
  UPDATE_OUTGOING_PROPRIETOR_NAME: rename('proprietorDetails', 'UPDATE_OUTGOING_PROPRIETOR_NAME'),
}
const ALL = { partyId: UNKNOWN_ID, proprietorId: UNKNOWN_ID, partyDetails: PERSON, proprietorDetails: PERSON }
const PARTY = GOOD.UPDATE_PARTY_NAME
const ORGANISATION = { ...PARTY, type: 'ORGANISATION', partyDetails: COMPANY }

/** A well-formed body goes on to be judged by what is stored: there is no such workspace. */
async function judged(json: object): Promise<[number, string[]]> {
  const answer = await patch(UNKNOWN_ID, json)
  return [answer.status, fieldsOf(answer)]
}
const PASSED = [404, ['workspace_id']]

for (const [action, good] of Object.entries(GOOD)) {
  describe(action, () => {
    it('takes its own properties', async () => assert.deepEqual(await judged(good), PASSED))

    it('needs each of them', async () => {
      for (const property of Object.keys(good)) {
        assert.deepEqual(await judged(put(good, property, undefined)), [400, [property]])
      }
      const needed = Object.keys(good).filter((property) => property !== 'action')
      assert.deepEqual(await judged({ action }), [400, needed.sort()])
    })

    it('refuses null, and what is of another kind', async () => {
      for (const property of Object.keys(good)) {
        assert.deepEqual(await judged(put(good, property, null)), [400, [property]])
        assert.deepEqual(await judged(put(good, property, 7)), [400, [property]])
      }
    })

    it('refuses the properties of another action, each at itself', async () => {
      const others = Object.keys(ALL).filter((property) => !(property in good))
      assert.deepEqual(await judged({ ...ALL, ...good }), [400, others.sort()])
      for (const property of others) {
        const value = ALL[property as keyof typeof ALL]
        assert.deepEqual(await judged({ ...good, [property]: value }), [400, [property]])
      }
    })

    it('refuses what no action knows', async () => {
      assert.deepEqual(await judged({ ...good, colour: 'red', titleStatus: 'INCOMING' }), [
        400,
        ['colour', 'titleStatus'],
      ])
    })

    it('refuses an id that is no UUID', async () => {
      const id = 'partyId' in good ? 'partyId' : 'proprietorId'
      assert.deepEqual(await judged(put(good, id, '123')), [400, [id]])
      assert.deepEqual(await judged(put(good, id, '')), [400, [id]])
    })
  })
}

describe('action', () => {
  it('is one of the five', async () => {
    for (const action of ['', 'update_party_name', 'constructor', 'DELETE', 7, null, {}, ['UPDATE_PARTY_NAME']]) {
      assert.deepEqual(await judged({ ...PARTY, action }), [400, ['action']], JSON.stringify(action))
    }
  })

  it('is asked for beside the properties that no action knows', async () => {
    assert.deepEqual(await judged({}), [400, ['action']])
    assert.deepEqual(await judged({ partyId: 5, colour: 1, size: 2 }), [400, ['action', 'colour', 'size']])
  })
})

describe('type and details', () => {
  for (const details of ['partyDetails', 'proprietorDetails'] as const) {
    const good = details === 'partyDetails' ? PARTY : GOOD.UPDATE_PROPRIETOR_NAME
    it(`${details} is closed, by type`, async () => {
      const other = { ...good, [details]: COMPANY }
      const missing = [`${details}.forenames`, `${details}.surname`]
      const strange = [`${details}.organisationName`, `${details}.registrationNumber`]
      assert.deepEqual(await judged(other), [400, [...missing, ...strange].sort()])
      const company = { ...good, type: 'ORGANISATION' }
      assert.deepEqual(await judged(company), [400, [...missing, `${details}.organisationName`].sort()])
      const title = put(good, `${details}.title`, 'Mrs')
      assert.deepEqual(await judged(title), [400, [`${details}.title`]])
    })
  }

  it('tells all that is wrong where the type is not known', async () => {
    const wrong = { action: 'UPDATE_PARTY_NAME', partyId: 'x', type: 'COMPANY', partyDetails: [], colour: 1 }
    assert.deepEqual(await judged(wrong), [400, ['colour', 'partyDetails', 'partyId', 'type']])
    const details = { forenames: '', colour: 1 }
    const inside = { action: 'UPDATE_PARTY_NAME', proprietorId: UNKNOWN_ID, partyDetails: details }
    const fields = ['partyDetails.colour', 'partyId', 'proprietorId', 'type']
    assert.deepEqual(await judged(inside), [400, fields], 'what either type refuses')
  })

  for (const [good, field, max] of [
    [PARTY, 'partyDetails.forenames', 90],
    [PARTY, 'partyDetails.surname', 50],
    [ORGANISATION, 'partyDetails.organisationName', 160],
    [ORGANISATION, 'partyDetails.registrationNumber', 8],
    [GOOD.UPDATE_PROPRIETOR_NAME, 'proprietorDetails.forenames', 90],
    [GOOD.UPDATE_OUTGOING_PROPRIETOR_NAME, 'proprietorDetails.surname', 50],
  ] as const) {
    it(`${field} is 1 to ${max} characters without the space around it`, async () => {
      const letter = field.endsWith('registrationNumber') ? 'A' : '𝔸'
      assert.deepEqual(await judged(put(good, field, `  ${letter.repeat(max)}\n`)), PASSED)
      assert.deepEqual(await judged(put(good, field, letter.repeat(max + 1))), [400, [field]])
      for (const blank of ['', ' \t ']) assert.deepEqual(await judged(put(good, field, blank)), [400, [field]])
      for (const value of [null, 7, {}]) assert.deepEqual(await judged(put(good, field, value)), [400, [field]])
    })
  }

  it('registrationNumber is letters and digits, and may be left out', async () => {
    for (const value of ['22-94747', '２２９４７', 'OC 12345']) {
      const json = put(ORGANISATION, 'partyDetails.registrationNumber', value)
      assert.deepEqual(await judged(json), [400, ['partyDetails.registrationNumber']], value)
    }
    assert.deepEqual(await judged(put(ORGANISATION, 'partyDetails.registrationNumber', undefined)), PASSED)
  })

  it('refuses text that cannot be kept or seen, and a name without a letter', async () => {
    for (const value of ['Ann\u0000', '\ud800', 'Ann\u200b Lee', '12']) {
      assert.deepEqual(await judged(put(PARTY, 'partyDetails.forenames', value)), [400, ['partyDetails.forenames']])
    }
  })

  it('must be the type that is stored: 400 at type', async () => {
    const [person, company] = [await aWorkspace(service), await aWorkspace(service, { parties: [aCompany()] })]
    for (const [{ workspaceId }, json] of [
      [person, ORGANISATION],
      [company, PARTY],
    ] as const) {
      const partyId = (await readReconciliation(service, workspaceId)).parties[0]?.partyId
      const answer = await patch(workspaceId, { ...json, partyId })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['type']])
    }
  })
})

describe('all that is wrong with a request', () => {
  it('is told at once: path, header and body', async () => {
    const answer = await patch('123', { ...PARTY, partyDetails: {}, colour: 1 }, { 'x-acting-user': 'nobody' })
    const fields = ['X-Acting-User', 'colour', 'partyDetails.forenames', 'partyDetails.surname', 'workspace_id']
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
  })

  it('is told in one sentence where there is no readable body', async () => {
    const path = `${WORKSPACES}/${UNKNOWN_ID}/title-reconciliation`
    const headers = { 'content-type': 'application/json' }
    for (const body of ['', '{', 'null', '[]', '"UPDATE_PARTY_NAME"']) {
      const answer = await service.call('PATCH', path, { ...FIRM, headers, body })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['']], body)
    }
  })
})
