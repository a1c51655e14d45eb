import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  A_FIRM,
  accepted,
  aMatter,
  EXTERNAL,
  OWN,
  pathOf,
  reusing,
  type ShownRepresentation,
  UNREPRESENTED,
} from '../../test/fixtures/representations.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  drain,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  OTHER_LENDER,
  readWorkspace,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let workspaceId: string
let ids: string[]
let parties: string[]
before(async () => {
  service = await sharedService('still')
  const matter = await aMatter(service)
  const [first, second] = matter.partyIds
  workspaceId = matter.workspaceId
  parties = matter.partyIds
  const own = await accepted(service, workspaceId, { partyId: first, ...OWN })
  const external = await accepted(service, workspaceId, { partyId: first, ...EXTERNAL })
  const reused = await accepted(service, workspaceId, { partyId: second, ...reusing(external) })
  const nobody = await accepted(service, workspaceId, { partyId: second, ...UNREPRESENTED })
  ids = [own, external, reused, nobody]
  await drain(service)
})

type Page = { records: ShownRepresentation[]; nextCursor?: string }
const read = (id: string, as = LENDER, headers = {}) =>
  service.call<ShownRepresentation>('GET', pathOf(workspaceId, id), { ...as, headers })

describe('GET /workspaces/{workspace_id}/representation', () => {
  it('shows every one, oldest first, in pages', async () => {
    const first = await service.call<Page>('GET', `${pathOf(workspaceId)}?limit=3`, LENDER)
    assert.equal(first.status, 200)
    const rest = await service.call<Page>('GET', `${pathOf(workspaceId)}?cursor=${first.body.nextCursor}`, LENDER)
    const records = [...first.body.records, ...rest.body.records]
    assert.deepEqual(
      records.map(({ representationId, status }) => [representationId, status]),
      [
        [ids[0], 'SUPERSEDED'],
        [ids[1], 'ACTIVE'],
        [ids[2], 'SUPERSEDED'],
        [ids[3], 'ACTIVE'],
      ],
    )
    assert.ok(!('nextCursor' in rest.body))
  })

  it('is an empty page where there is none', async () => {
    const matter = await aMatter(service)
    assert.deepEqual((await service.call('GET', pathOf(matter.workspaceId), FIRM)).body, { records: [] })
  })

  it('answers 400 to a wrong cursor and limit, 401, 403 and 404', async () => {
    const wrong = await service.call('GET', `${pathOf(workspaceId)}?limit=0`, FIRM)
    assert.deepEqual([wrong.status, fieldsOf(wrong)], [400, ['limit']])
    assert.equal((await service.call('GET', `${pathOf(workspaceId)}?cursor=x`, FIRM)).status, 400)
    assert.equal((await service.call('GET', pathOf(workspaceId))).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm')
    assert.equal((await service.call('GET', pathOf(workspaceId), { headers })).status, 403)
    for (const [id, as] of [
      [UNKNOWN_ID, FIRM],
      [workspaceId, OTHER_FIRM],
      [workspaceId, OTHER_LENDER],
    ] as const) {
      const answer = await service.call('GET', pathOf(id), as)
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    }
  })
})

describe('GET /workspaces/{workspace_id}/representation/{representation_id}', () => {
  for (const [index, what, facts] of [
    [0, 'the own firm', { ...OWN, subscriberId: FIRM_ID, status: 'SUPERSEDED' }],
    [1, 'an external firm', { ...EXTERNAL, status: 'ACTIVE' }],
    [2, 'a firm named again', { ...EXTERNAL, status: 'SUPERSEDED' }],
    [3, 'nobody', { ...UNREPRESENTED, status: 'ACTIVE' }],
  ] as const) {
    it(`shows ${what} with its own facts and no others`, async () => {
      const { status, body } = await read(ids[index] ?? '')
      const { auditAttributes, ...rest } = body
      const partyId = parties[index < 2 ? 0 : 1]
      assert.deepEqual([status, rest], [200, { workspaceId, representationId: ids[index], partyId, ...facts }])
      assert.deepEqual([auditAttributes.createdBy, auditAttributes.lastModifiedBy], ['sandbox-law-firm', 'system'])
    })
  }

  it('has an ETag, and answers 304 to a caller who has it already', async () => {
    const etag = (await read(ids[1] ?? '')).headers.get('etag') ?? ''
    assert.equal((await read(ids[1] ?? '', FIRM, { 'if-none-match': etag })).status, 304)
  })

  it('answers 400, 401, 403 and 404, which names the workspace before the representation', async () => {
    assert.deepEqual(fieldsOf(await service.call('GET', pathOf('x', 'y'), FIRM)), ['representation_id', 'workspace_id'])
    assert.equal((await service.call('GET', pathOf(workspaceId, ids[0]))).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm')
    assert.equal((await service.call('GET', pathOf(workspaceId, ids[0]), { headers })).status, 403)
    const never = await read(UNKNOWN_ID)
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['representation_id']])
    const others = await read(ids[0] ?? '', OTHER_FIRM)
    assert.deepEqual([others.status, fieldsOf(others)], [404, ['workspace_id']])
    const elsewhere = await service.call('GET', pathOf((await aMatter(service)).workspaceId, ids[0]), FIRM)
    assert.deepEqual([elsewhere.status, elsewhere.text], [404, never.text])
  })
})

describe('GET /workspaces/{workspace_id}', () => {
  it('shows whom each party has now, and leaves out what is not active yet', async () => {
    const shown = (await readWorkspace(service, workspaceId)).parties as { representation?: object }[]
    assert.deepEqual(
      shown.map(({ representation }) => representation),
      [
        { representationId: ids[1], ...EXTERNAL, externalLawFirm: A_FIRM, status: 'ACTIVE' },
        { representationId: ids[3], ...UNREPRESENTED, status: 'ACTIVE' },
      ],
    )
    const fresh = await readWorkspace(service, (await aMatter(service)).workspaceId)
    for (const party of fresh.parties) assert.ok(!('representation' in party))
  })
})
