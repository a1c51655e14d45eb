import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  A_FIRM,
  accepted,
  add,
  aMatter,
  EXTERNAL,
  listed,
  OWN,
  pathOf,
  reusing,
  UNREPRESENTED,
} from '../../test/fixtures/representations.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  FIRM_ID,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  put,
  setStatus,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'

// Nobody works here: what was accepted stays queued.
let service: TestService
let workspaceId: string
let partyId: string
before(async () => {
  service = await sharedService('idle')
  const matter = await aMatter(service)
  workspaceId = matter.workspaceId
  partyId = matter.partyIds[0]
})

const post = (body: object) => add(service, workspaceId, { partyId, ...body })
const count = async () => (await listed(service, workspaceId)).length

describe('POST /workspaces/{workspace_id}/representation: 202', () => {
  it('answers for the own firm its subscriber, as the access token names it', async () => {
    const { status, body } = await post(OWN)
    assert.equal(status, 202)
    assert.deepEqual(body, { workspaceId, partyId, ...OWN, subscriberId: FIRM_ID })
  })

  it('answers for a new external firm its id and the firm, not the reference', async () => {
    const { status, body } = await post(put(EXTERNAL, 'externalLawFirm.address.postcode', ' ta14as'))
    const { representationId } = body
    assert.equal(status, 202)
    const representedBy = 'EXTERNAL_LAW_FIRM'
    assert.deepEqual(body, { workspaceId, partyId, representationId, representedBy, externalLawFirm: A_FIRM })
    assert.equal((await listed(service, workspaceId)).at(-1)?.representationId, representationId)
  })

  it('answers for a firm that is named again an id of its own, and no firm', async () => {
    const { body: first } = await post(EXTERNAL)
    const { status, body } = await post({ ...reusing(first.representationId), referenceNumber: 'OWN 1' })
    const { representationId } = body
    assert.equal(status, 202)
    assert.notEqual(representationId, first.representationId)
    assert.deepEqual(body, { workspaceId, partyId, representationId, representedBy: 'EXTERNAL_LAW_FIRM' })
    const shown = (await listed(service, workspaceId)).at(-1)
    assert.deepEqual([shown?.externalLawFirm, shown?.referenceNumber], [A_FIRM, 'OWN 1'])
  })

  it('answers for nobody how identity was verified', async () => {
    const { status, body } = await post(UNREPRESENTED)
    assert.deepEqual([status, body], [202, { workspaceId, partyId, ...UNREPRESENTED }])
  })

  it('keeps the own firm’s number and shows it on the representation and the party', async () => {
    const { status, body } = await post({ ...OWN, referenceNumber: 'HC 2026/7' })
    assert.deepEqual([status, 'referenceNumber' in body], [202, false])
    const shown = (await listed(service, workspaceId)).at(-1)
    assert.deepEqual([shown?.representedBy, shown?.referenceNumber], [OWN.representedBy, 'HC 2026/7'])
  })

  for (const referenceNumber of ['a', `/-\\?:().,'#=!"%&`, '*<>;@{+ \t', ' ', 'AZaz09'.repeat(3)]) {
    it(`takes ${JSON.stringify(referenceNumber)} as a reference, as it is`, async () => {
      assert.equal((await post({ ...EXTERNAL, referenceNumber })).status, 202)
      assert.equal((await listed(service, workspaceId)).at(-1)?.referenceNumber, referenceNumber)
    })
  }

  it('does it once for one idempotency key, and answers the same again', async () => {
    const before = await count()
    const headers = { 'idempotency-key': 'once' }
    const send = () => add(service, workspaceId, { partyId, ...EXTERNAL }, { headers })
    assert.equal((await send()).text, (await send()).text)
    assert.equal(await count(), before + 1)
  })

  it('is audited with who asked', async () => {
    const headers = { 'x-acting-user': 'ann@harbour.example', 'x-request-correlation-id': 'rep-1' }
    await add(service, workspaceId, { partyId, ...OWN }, { headers })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'representation queued',
      actingUser: 'ann@harbour.example',
      correlationId: 'rep-1',
      ids: { workspaceId, partyId },
      after: { status: 'QUEUED', ...OWN, subscriberId: FIRM_ID },
    })
    assert.equal((await listed(service, workspaceId)).at(-1)?.auditAttributes.createdBy, 'ann@harbour.example')
  })
})

describe('POST /workspaces/{workspace_id}/representation: refused', () => {
  const reuse = reusing(UNKNOWN_ID)
  for (const [what, body, ...fields] of [
    ['nothing', { partyId: undefined }, 'partyId', 'representedBy'],
    ['somebody unknown', { representedBy: 'A_FRIEND' }, 'representedBy'],
    ['a party that is no UUID', { ...OWN, partyId: 'x' }, 'partyId'],
    ['a subscriber in the body', { ...OWN, subscriberId: FIRM_ID }, 'subscriberId'],
    ['nobody with a reference', { ...UNREPRESENTED, referenceNumber: 'x' }, 'referenceNumber'],
    ['nobody without verification', { representedBy: 'NOT_REPRESENTED' }, 'verificationOfIdentity'],
    ['an unknown verification', { ...UNREPRESENTED, verificationOfIdentity: 'PASSPORT' }, 'verificationOfIdentity'],
    ['null as the verification', { ...UNREPRESENTED, verificationOfIdentity: null }, 'verificationOfIdentity'],
    ['nobody and a firm', { ...UNREPRESENTED, externalLawFirm: A_FIRM }, 'externalLawFirm'],
    ['an external firm alone', { representedBy: 'EXTERNAL_LAW_FIRM' }, 'externalLawFirm', 'referenceNumber'],
    ['a new firm without a reference', put(EXTERNAL, 'referenceNumber', undefined), 'referenceNumber'],
    ['a new firm beside one to reuse', { ...EXTERNAL, ...reuse }, 'externalLawFirm'],
    [
      'an external firm and verification',
      { ...EXTERNAL, ...UNREPRESENTED, ...reuse },
      'externalLawFirm',
      'verificationOfIdentity',
    ],
    ['an empty reference', { ...EXTERNAL, referenceNumber: '' }, 'referenceNumber'],
    ['a reference too long', { ...EXTERNAL, referenceNumber: 'x'.repeat(19) }, 'referenceNumber'],
    ['a closing brace', { ...EXTERNAL, referenceNumber: '{x}' }, 'referenceNumber'],
    ['a letter with an accent', { ...EXTERNAL, referenceNumber: 'é' }, 'referenceNumber'],
    ['a firm without a name', put(EXTERNAL, 'externalLawFirm.name', undefined), 'externalLawFirm.name'],
    ['a name without a letter', put(EXTERNAL, 'externalLawFirm.name', '118 118'), 'externalLawFirm.name'],
    ['an invisible character', put(EXTERNAL, 'externalLawFirm.name', 'Marsh\u200b'), 'externalLawFirm.name'],
    ['a blank name', put(EXTERNAL, 'externalLawFirm.name', ' '), 'externalLawFirm.name'],
    ['a name too long', put(EXTERNAL, 'externalLawFirm.name', 'x'.repeat(161)), 'externalLawFirm.name'],
    ['a firm without an address', put(EXTERNAL, 'externalLawFirm.address', undefined), 'externalLawFirm.address'],
    ['no street', put(EXTERNAL, 'externalLawFirm.address.street', undefined), 'externalLawFirm.address.street'],
    ['no town', put(EXTERNAL, 'externalLawFirm.address.town', undefined), 'externalLawFirm.address.town'],
    [
      'a wrong postcode',
      put(EXTERNAL, 'externalLawFirm.address.postcode', 'AA1 00Z'),
      'externalLawFirm.address.postcode',
    ],
    ['a strange part', put(EXTERNAL, 'externalLawFirm.dx', 'x'), 'externalLawFirm.dx'],
    [
      'several at once',
      { ...UNREPRESENTED, verificationOfIdentity: undefined, partyId: 'x', extra: 1, referenceNumber: '}' },
      'extra',
      'partyId',
      'referenceNumber',
      'verificationOfIdentity',
    ],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const before = await count()
      const answer = await post(body)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
      assert.equal(await count(), before)
    })
  }

  it('answers 400 to a workspace that is no UUID', async () => {
    const answer = await add(service, 'x', { partyId, ...OWN })
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['workspace_id']])
  })

  it('answers 401 without a token, 403 without the scope and to a lender, before it looks at the body', async () => {
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {} })).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:workspaces')
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {}, headers })).status, 403)
    assert.equal((await add(service, workspaceId, {}, LENDER)).status, 403)
  })

  it('answers 404 to a workspace that was never there, and to every other firm, with the same words', async () => {
    const [never, others] = [
      await add(service, UNKNOWN_ID, { partyId, ...OWN }),
      await add(service, workspaceId, { partyId, ...OWN }, OTHER_FIRM),
    ]
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['workspace_id']])
    assert.deepEqual([others.status, others.text], [404, never.text])
  })

  it('answers 404 at the field to a party of another workspace and a representation of another', async () => {
    const other = await aMatter(service)
    const representationId = await accepted(service, other.workspaceId, { partyId: other.partyIds[0], ...EXTERNAL })
    const answer = await add(service, workspaceId, { partyId: other.partyIds[0], ...reusing(representationId) })
    assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['partyId', 'representationId']])
  })

  it('answers 404 at representationId to one that is not external', async () => {
    const answer = await post(reusing(await accepted(service, workspaceId, { partyId, ...OWN })))
    assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['representationId']])
  })

  for (const status of WORKSPACE_STATUSES.slice(1)) {
    it(`answers 409 in a workspace that is ${status}, before 404 at a field of the body`, async () => {
      const matter = await aMatter(service)
      await setStatus(service, matter.workspaceId, status)
      const answer = await add(service, matter.workspaceId, { partyId: UNKNOWN_ID, ...OWN })
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
      assert.deepEqual(await listed(service, matter.workspaceId), [])
    })
  }
})
