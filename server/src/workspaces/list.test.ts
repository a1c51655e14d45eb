import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aWorkspace,
  type Created,
  drain,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  OTHER_FIRM_ID,
  OTHER_LENDER,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

type Summary = Record<
  | 'workspaceId'
  | 'reference'
  | 'status'
  | 'postcode'
  | 'titleNumber'
  | 'borrowersValidationStatus'
  | 'createdAt'
  | 'lastModifiedAt',
  string
>
type Listed = { records: Summary[]; nextCursor?: string }

let service: TestService
before(async () => {
  service = await testService()
})

const list = (query = '', as = LENDER) => service.call<Listed>('GET', `${WORKSPACES}${query}`, as)
const referencesOf = ({ body }: { body: Listed }) => body.records.map(({ reference }) => reference)

/** A lender of a test's own, whose list holds nothing but what the test creates. */
async function aLender(): Promise<{ as: string }> {
  const json = { kind: 'LENDER', name: 'A lender of its own' }
  const { body } = await service.call('POST', '/sandbox/v1/subscribers', { json })
  const { clientId, clientSecret } = body as Record<string, string>
  await service.tokenOf(String(clientId), String(clientSecret))
  return { as: String(clientId) }
}

async function created(as: { as: string }, count: number, from = 1): Promise<Created[]> {
  const made: Created[] = []
  for (let n = from; n < from + count; n++) made.push(await aWorkspace(service, { reference: `N-${n}` }, as))
  return made
}

describe('GET /workspaces', () => {
  it('answers an empty page to who has none', async () => {
    assert.deepEqual((await list('', await aLender())).body, { records: [] })
  })

  it('shows each as its summary, newest first', async () => {
    const lender = await aLender()
    await aWorkspace(service, { reference: 'OLD' }, lender)
    const facts = { reference: 'NEW', titleNumber: 'ST500678', postcode: 'w1a0ax' }
    const { workspaceId, workspaceReferenceId } = await aWorkspace(service, facts, lender)
    await drain(service)
    const { body, text } = await list('', lender)
    const [first, second] = body.records
    assert.deepEqual(first, {
      workspaceId,
      workspaceReferenceId,
      reference: 'NEW',
      status: 'CREATED',
      lodgementCaseStatus: 'CREATED',
      transactionType: 'REMORTGAGE',
      postcode: 'W1A 0AX',
      titleNumber: 'ST500678',
      borrowers: ['William Prynne', 'Tracey Prynne'],
      borrowersValidationStatus: 'VALID',
      ...(first && 'turn' in first && { turn: first.turn }),
      createdAt: first?.createdAt,
      lastModifiedAt: first?.lastModifiedAt,
      lastModifiedBy: 'system',
    })
    assert.deepEqual([second?.reference, second?.borrowersValidationStatus], ['OLD', 'PENDING'])
    assert.ok(second && !('titleNumber' in second) && !text.includes('null'))
  })

  it('holds 50 to a page where no limit is given, and 100 at most', async () => {
    const lender = await aLender()
    await created(lender, 51)
    const { body } = await list('', lender)
    assert.equal(body.records.length, 50)
    const rest = await list(`?cursor=${body.nextCursor}`, lender)
    assert.deepEqual([referencesOf(rest), rest.body.nextCursor], [['N-1'], undefined])
    assert.equal((await list('?limit=100', lender)).body.records.length, 51)
  })

  it('leaves out nextCursor on the last page, a full one too', async () => {
    const lender = await aLender()
    await created(lender, 4)
    const page = await list('?limit=2', lender)
    const last = await list(`?limit=2&cursor=${page.body.nextCursor}`, lender)
    assert.deepEqual(
      [referencesOf(page), referencesOf(last)],
      [
        ['N-4', 'N-3'],
        ['N-2', 'N-1'],
      ],
    )
    assert.ok(page.body.nextCursor && !('nextCursor' in last.body))
  })

  it('pages through what was there without gap or repeat, while new ones are created', async () => {
    const lender = await aLender()
    await created(lender, 7)
    const seen: string[] = []
    let cursor: string | undefined
    let n = 8
    do {
      const page = await list(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`, lender)
      seen.push(...referencesOf(page))
      await created(lender, 3, n)
      n += 3
      cursor = page.body.nextCursor
    } while (cursor)
    assert.deepEqual(seen, ['N-7', 'N-6', 'N-5', 'N-4', 'N-3', 'N-2', 'N-1'])
  })

  it('shows lender and law firm what is theirs, and nobody else', async () => {
    const mine = await aWorkspace(service, { reference: 'MINE' })
    const parties = [aBorrower('Ann', 'Lee', OTHER_FIRM_ID)]
    const theirs = await aWorkspace(service, { reference: 'THEIRS', parties }, OTHER_LENDER)
    for (const [as, own, foreign] of [
      [LENDER, mine, theirs],
      [FIRM, mine, theirs],
      [OTHER_LENDER, theirs, mine],
      [OTHER_FIRM, theirs, mine],
    ] as const) {
      const ids = (await list('?limit=100', as)).body.records.map(({ workspaceId }) => workspaceId)
      assert.ok(ids.includes(own.workspaceId) && !ids.includes(foreign.workspaceId), as.as)
    }
  })
})

describe('the filters of GET /workspaces', () => {
  let lender: { as: string }
  before(async () => {
    lender = await aLender()
    await aWorkspace(service, { reference: 'A', titleNumber: 'ST500678', postcode: 'EX4 3AN' }, lender)
    await aWorkspace(service, { reference: 'B', titleNumber: 'NF100001', postcode: 'EX4 3AN' }, lender)
    const { workspaceId } = await aWorkspace(service, { reference: 'A', postcode: 'W1A 0AX' }, lender)
    await aWorkspace(service, { reference: 'a', titleNumber: 'ST500678', postcode: 'M16 0RA' }, lender)
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    await service.call('DELETE', `${PARTNER}/workspaces/${workspaceId}/cancel-workspace`, { ...lender, json })
    await drain(service)
  })

  for (const [query, found] of [
    ['status=CREATED', ['a', 'B', 'A']],
    ['status=CANCELLED', ['A']],
    ['status=CLOSED', []],
    ['reference=A', ['a', 'A', 'A']],
    ['reference=%20a%20', ['a', 'A', 'A']],
    ['reference=C', []],
    ['title_number=ST500678', ['a', 'A']],
    ['title_number=st%20500%20678', ['a', 'A']],
    ['postcode=EX4%203AN', ['B', 'A']],
    ['postcode=ex43an', ['B', 'A']],
    ['reference=A&title_number=ST500678', ['a', 'A']],
    ['reference=A&status=CREATED&postcode=EX43AN&title_number=ST500678', ['A']],
    ['reference=B&status=CANCELLED', []],
  ] as const) {
    it(`finds ${JSON.stringify(found)} by ${query}`, async () => {
      assert.deepEqual(referencesOf(await list(`?${query}`, lender)), found)
    })
  }

  it('go with pages', async () => {
    const page = await list('?status=CREATED&limit=1', lender)
    const next = await list(`?status=CREATED&limit=2&cursor=${page.body.nextCursor}`, lender)
    assert.deepEqual([referencesOf(page), referencesOf(next)], [['a'], ['B', 'A']])
  })

  it('find nothing of anybody else’s', async () => {
    const stranger = await aLender()
    for (const query of ['reference=A', 'title_number=ST500678', 'postcode=EX43AN', 'status=CANCELLED']) {
      assert.deepEqual((await list(`?${query}`, stranger)).body, { records: [] })
    }
  })
})

describe('GET /workspaces: 400, 401 and 403', () => {
  for (const [query, ...fields] of [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=x', 'cursor'],
    ['cursor=LTE', 'cursor'],
    ['cursor=MTA0Mg==', 'cursor'],
    ['cursor=MTA0Mg&cursor=MTA0Mg', 'cursor'],
    [`cursor=${'A'.repeat(59)}`, 'cursor'],
    ['cursor=OTk5OTk5OTk5OTk5OTk5OTk5OTk5', 'cursor'],
    ['status=OPEN', 'status'],
    ['stauts=CREATED', 'stauts'],
    ['colour=red&limit=0&size=1', 'colour', 'limit', 'size'],
    ['status=created', 'status'],
    ['reference=', 'reference'],
    [`reference=${'x'.repeat(26)}`, 'reference'],
    ['reference=A%00', 'reference'],
    ['title_number=ABCD1', 'title_number'],
    ['postcode=90210', 'postcode'],
    ['limit=0&status=x&postcode=x&title_number=%3F', 'limit', 'postcode', 'status', 'title_number'],
  ] as const) {
    it(`answers 400 to ${query.slice(0, 60)}`, async () => {
      const answer = await list(`?${query}`)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('answers 401 without a token and 403 without the scope, before it looks at the query', async () => {
    assert.equal((await service.call('GET', `${WORKSPACES}?limit=0`)).status, 401)
    const headers = await narrowToken(service, 'sandbox-lender')
    assert.equal((await service.call('GET', `${WORKSPACES}?limit=0`, { headers })).status, 403)
  })
})
