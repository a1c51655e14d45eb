// Long because all pages of matters share one start of the service.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ADVANCE, aPreparedMatter, authorise, linePath, scheduleIdOf } from '../../../server/test/fixtures/schedules.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  CREATE,
  drain,
  FIRM,
  HOME,
  LENDER,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../../server/test/fixtures/workspaces.ts'
import { fieldOf, type Name, type Shown, testConsole } from '../console.fixture.ts'

const console = await testConsole()
const { get, post, service, failing } = console

const CALLS_MAX = 7
const ids: Record<string, string> = {}
const matter = (name: string, rest = '') => `/console/matters/${ids[name] ?? name}${rest}`

/** Every page is whole, and made of few calls. */
function assertWhole({ text, words }: Shown): void {
  assert.equal(text.match(/<h1/g)?.length, 1)
  const calls = Number(/The (\d+) calls? behind this page/.exec(words)?.[1] ?? 0)
  assert.ok(calls <= CALLS_MAX, `${calls} calls`)
  const found = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(found).size, found.length, 'each id once')
}

describe('before there is any matter', () => {
  it('says so, and what to do', async () => {
    assert.match((await get('/console/')).words, /No matters need Harbour Conveyancing LLP .* Nothing waits for you/)
    assert.match((await get('/console/matters')).words, /There are no matters yet\. One appears here as soon as/)
    assert.match((await get('/console/matters', 'Pat')).words, /A preparer orders the first one/)
  })
})

describe('with matters', () => {
  before(async () => {
    ids['new'] = (await aWorkspace(service, { reference: 'NEW-1' })).workspaceId
    ids['names'] = (await aSearchedWorkspace(service, 'DN514817')).workspaceId
    ids['lost'] = (await aWorkspace(service, { reference: 'LOST-1', titleNumber: 'NF100001' })).workspaceId
    const prepared = await aPreparedMatter(service)
    ids['prepared'] = prepared.workspaceId
    const authorised = await aPreparedMatter(service)
    ids['authorised'] = authorised.workspaceId
    assert.equal((await authorise(service, authorised.workspaceId, authorised)).status, 200)
  })

  describe('the worklist', () => {
    it('shows what waits for the firm, and what is to be done', async () => {
      const shown = await get('/console/')
      assertWhole(shown)
      assert.match(shown.words, /3 matters need Harbour Conveyancing LLP/)
      assert.match(shown.words, /NEW-1 LW\d+ William Prynne, Tracey Prynne \S+ \S+ The title is missing/)
      assert.doesNotMatch(shown.text, new RegExp(ids['prepared'] ?? ''))
    })

    it('shows what waits for others, or one kind of task', async () => {
      const lenders = await get('/console/?turn=LENDER')
      assert.match(lenders.text, new RegExp(`id="matter-${ids['prepared']}"`))
      const names = await get('/console/?task=RECONCILE')
      assert.match(names.text, new RegExp(`id="matter-${ids['names']}"`))
      assert.doesNotMatch(names.text, new RegExp(`id="matter-${ids['new']}"`))
      assert.match((await get('/console/?turn=BANK')).words, /Nothing waits for the bank/)
      assert.equal((await get('/console/?turn=NOBODY&task=x')).status, 200)
    })

    it('shows the lender its own side', async () => {
      assert.match((await get('/console/', 'Pat')).words, /1 matter needs Northgate Building Society/)
    })
  })

  describe('the list of matters', () => {
    it('searches and filters, and its address is the view', async () => {
      const found = await get('/console/matters?q=new-1&status=CREATED')
      assertWhole(found)
      assert.match(found.text, new RegExp(`id="matter-${ids['new']}"`))
      assert.doesNotMatch(found.text, new RegExp(`id="matter-${ids['names']}"`))
      assert.match(found.text, /value="new-1"/)
      assert.match((await get('/console/matters?q=nobody')).words, /No matter fits/)
      const waiting = await get('/console/matters?turn=LENDER')
      assert.match(waiting.text, new RegExp(`id="matter-${ids['prepared']}"`))
    })

    it('says at its field what a filter must be', async () => {
      const { status, text, words } = await get('/console/matters?status=ASLEEP&completion_date_from=never')
      assert.equal(status, 400)
      assert.match(text, /<a href="#completion_date_from">/)
      assert.match(
        text,
        /id="completion_date_from" name="completion_date_from" aria-describedby="completion_date_from-error" aria-invalid="true" value="never"/,
      )
      assert.match(words, /status must be one of/)
    })
  })

  describe('a matter', () => {
    it('says whose turn it is, why, and leads to what fixes it', async () => {
      const shown = await get(matter('names'))
      assertWhole(shown)
      assert.match(shown.words, /Whose turn: your firm Names differ from the register: compare them\./)
      assert.match(
        shown.text,
        new RegExp(`<a class="button" href="${matter('names', '/names')}">Compare the names</a>`),
      )
      assert.match(shown.words, /Before it can be approved: \d+ of \d+/)
      assert.match(shown.words, /What happened .* A workspace was created/)
      assert.match((await get(matter('lost'))).words, /The registry does not know this title\. The title is missing/)
    })

    it('shows one who may not act who does, and the other side whom it waits for', async () => {
      assert.match((await get(matter('names'), 'Vic')).words, /A preparer of your firm does this/)
      assert.match((await get(matter('names'), 'Pat')).words, /Whose turn: the law firm/)
    })

    it('shows what is planned', async () => {
      const shown = await get(matter('authorised'))
      assertWhole(shown)
      assert.match(shown.words, /Locked: since the funds were authorised, .* Whose turn: the clock/)
      assert.match(shown.words, /What will happen The money moves\. [^·]+, 09:00 · planned/)
    })

    it('gives its files', async () => {
      const { text } = await get(matter('prepared'))
      const [, path = ''] = /href="([^"]+\/files\/[^"]+)" download/.exec(text) ?? []
      const found = await get(path)
      assert.deepEqual([found.status, found.text.slice(0, 5)], [200, '%PDF-'])
      assert.match(found.headers.get('content-disposition') ?? '', /^attachment/)
      assert.equal((await get(path, 'Kit')).status, 404)
    })

    it('gives the evidence of everything as one file', async () => {
      const { text } = await get(matter('prepared'))
      const [, path = ''] = /href="([^"]+\/evidence)" download/.exec(text) ?? []
      const found = await get(path, 'Vic')
      assert.deepEqual([found.status, found.text.slice(0, 2)], [200, 'PK'])
      assert.match(found.headers.get('content-disposition') ?? '', /^attachment; filename="LW\d+_evidence\.zip"/)
      assert.equal((await get(path, 'Kit')).status, 404)
    })

    it('shows only problems where asked', async () => {
      assert.match((await get(matter('lost', '?problems'))).words, /The title search failed/)
      assert.match((await get(matter('new', '?problems'))).words, /There were no problems/)
    })

    it('stays when one of its parts cannot be read', async () => {
      failing(/timeline/, 500)
      const { status, words } = await get(matter('new'))
      failing(/timeline/, 0)
      assert.equal(status, 200)
      assert.match(words, /What happened could not be read\. Try again/)
      assert.match(words, /Before it can be approved/)
    })

    it('is not there for another firm, on any of its pages', async () => {
      for (const rest of ['', '/approve', '/cancel', '/confirm?rule=a&field=b', '/unapprove']) {
        const [elses, unknown] = [await get(matter('new', rest), 'Kit'), await get(matter(UNKNOWN_ID, rest), 'Kit')]
        assert.deepEqual([elses.status, elses.text], [404, unknown.text], rest)
      }
    })
  })

  describe('taking back an approval', () => {
    it('is for approvers, and is done once', async () => {
      assert.equal((await get(matter('prepared', '/unapprove'))).status, 403)
      assert.match(
        (await get(matter('prepared'), 'Jo')).words,
        /Locked: it is approved\. .* Take back the approval of the case/,
      )
      const shown = await get(matter('prepared', '/unapprove?what=money'), 'Jo')
      const key = fieldOf(shown, 'key')
      for (let time = 0; time < 2; time += 1) {
        const { status, headers } = await post(matter('prepared', '/unapprove?what=money'), { key }, 'Jo')
        assert.deepEqual([status, headers.get('location')], [303, matter('prepared')])
      }
      const again = await post(matter('prepared', '/unapprove?what=money'), { key: crypto.randomUUID() }, 'Jo')
      assert.equal(again.status, 409)
      assert.match(again.words, /Nothing was changed/)
    })
  })

  describe('confirming what is unusual', () => {
    it('is for approvers, needs a reason, and can be taken back', async () => {
      await service.deps.db.query(
        'update workspaces set security_address = security_address || \'{"postcode":"EX1 1AA"}\' where workspace_id = $1',
        [ids['names']],
      )
      const address = matter('names', '/confirm?rule=security-address-matches-register&field=securityAddress')
      assert.equal((await get(address)).status, 403)
      assert.match((await get(matter('names'), 'Jo')).words, /Unusual/)
      const key = fieldOf(await get(address, 'Jo'), 'key')
      const refused = await post(address, { key, reason: '' }, 'Jo')
      assert.equal(refused.status, 400)
      assert.match(refused.text, /<a href="#reason">/)
      failing(/confirmations/, 403, 'Sign in again to do this.')
      const old = await post(address, { key, reason: 'A reason.' }, 'Jo')
      failing(/confirmations/, 0)
      const [, back = ''] = /href="\/console\/step-up\?returnTo=([^"]+)"/.exec(old.text) ?? []
      assert.match((await get(decodeURIComponent(back), 'Jo')).text, />A reason\.<\/textarea>/)
      assert.equal((await post(address, { key, reason: 'It is the new postcode.' }, 'Jo')).status, 303)
      assert.match(
        (await get(matter('names'), 'Jo')).words,
        /Confirmed by jo@harbour\.example: It is the new postcode\./,
      )
      assert.equal((await post(address, {}, 'Jo')).status, 303)
      assert.doesNotMatch((await get(matter('names'), 'Jo')).words, /It is the new postcode/)
      assert.equal((await get(matter('names', '/confirm?rule=x&field=y'), 'Jo')).status, 404)
    })
  })

  describe('cancelling', () => {
    it('needs a reason, keeps what was typed, and ends the matter', async () => {
      assert.equal((await get(matter('new', '/cancel'), 'Vic')).status, 403)
      assert.match((await post(matter('new', '/cancel'), {})).words, /Choose a reason/)
      const refused = await post(matter('new', '/cancel'), { cancellationReason: 'OTHER' })
      assert.equal(refused.status, 400)
      assert.match(refused.text, /<option value="OTHER" selected>/)
      const form = { cancellationReason: 'OTHER', cancellationNotesForOther: 'The house was sold.' }
      assert.equal((await post(matter('new', '/cancel'), form)).status, 303)
      assert.equal((await readWorkspace(service, ids['new'] ?? '')).status, 'CANCELLED')
      assert.match(
        (await get(matter('new'))).words,
        /Cancelled: nothing is left to do Another reason: The house was sold\./,
      )
      assert.match((await get(matter('new', '/cancel'))).words, /It can no longer be cancelled/)
    })
  })
})

describe('markup in the texts of a matter', () => {
  /** Ends an attribute, then would run. Each field has a number. */
  const mark = (field: number) => `"><img onload=e${field}>`
  const call = async (method: string, path: string, json: unknown, as = FIRM) => {
    const answer = await service.call<Record<string, string>>(method, path, { ...as, json })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }

  it('is shown as text on every page, and runs nowhere', async () => {
    const address = { ...HOME, flat: mark(1), name: mark(2), street: mark(3), locality: mark(4), town: mark(5) }
    const order = {
      reference: mark(6),
      property: { securityAddress: address, titleNumber: 'ST500678' },
      parties: [aBorrower(mark(7), mark(8)), aBorrower('Tracey', mark(9))],
    }
    const { workspaceId = '' } = await call('POST', CREATE, order, LENDER)
    await drain(service)
    const path = `${WORKSPACES}/${workspaceId}`
    await call('PATCH', path, { ownReference: mark(10) })
    const [party] = (await readWorkspace(service, workspaceId)).parties
    const firm = { name: mark(11), address: { street: mark(12), town: mark(13), postcode: 'TA1 4AS' } }
    const represented = { representedBy: 'EXTERNAL_LAW_FIRM', externalLawFirm: firm, referenceNumber: 'A1' }
    await call('POST', `${path}/representation`, { partyId: party?.partyId, ...represented })
    const scheduleId = await scheduleIdOf(service, workspaceId)
    await call('POST', linePath(scheduleId), { ...ADVANCE, reference: mark(14) })
    const rule = { ruleId: 'security-address-matches-register', field: 'securityAddress' }
    await call('POST', `${path}/confirmations`, { ...rule, reason: mark(15), confirmedBy: 'jo@harbour.example' })
    await drain(service)
    const start = ['/console/', `/console/matters?q=${encodeURIComponent(mark(6))}`, `/console/matters/${workspaceId}`]
    const pages = [...(await walk(start, 'Alex', workspaceId)), ...(await walk(start, 'Pat', workspaceId))]
    const notes = { cancellationReason: 'OTHER', cancellationNotesForOther: mark(16) }
    assert.equal((await post(`/console/matters/${workspaceId}/cancel`, notes, 'Alex')).status, 303)
    pages.push(await get(`/console/matters/${workspaceId}`))
    for (const { text } of pages) assert.doesNotMatch(text, /<img|&amp;lt;img/)
    const shown = new Set(
      pages.flatMap(({ text }) => [...text.matchAll(/img onload=e(\d+)/g)].map(([, n]) => Number(n))),
    )
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16].filter((field) => !shown.has(field)),
      [],
    )
  })

  /** Follows every link to a page of this matter, and to the lists. */
  async function walk(start: readonly string[], as: Name, workspaceId: string): Promise<Shown[]> {
    const found = new Map<string, Shown>()
    const left = [...start]
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (found.has(path)) continue
      const shown = await get(path, as)
      assert.ok(shown.status < 500, path)
      found.set(path, shown)
      const links = [...shown.text.matchAll(/href="([^"#]+)"(?! download)/g)].map(([, link = '']) =>
        link.replaceAll('&amp;', '&'),
      )
      left.push(...links.filter((link) => link.startsWith('/console/') && link.includes(workspaceId)))
    }
    assert.ok(found.size >= 6, `${found.size} pages`)
    return [...found.values()]
  }
})

describe('Reports', () => {
  it('are files of the last 14 nights; another day has none, and says so', async () => {
    const { text } = await get('/console/reports')
    const days = [...text.matchAll(/\/console\/reports\/report-workspacesummary-todate\?date=[\d-]+/g)].map(String)
    assert.equal(days.length, 14)
    const { status, headers, text: csv } = await get(days[0] ?? '')
    assert.equal(status, 200)
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="report-workspacesummary-todate_/)
    assert.match(csv, /^report_date,workspace_id,/)
    const none = await get('/console/reports/report-workspacesummary-todate?date=2020-01-01')
    assert.equal(none.status, 404)
    assert.match(none.words, /There is no such report/)
    assert.equal((await get('/console/reports', 'Dev')).status, 403)
  })
})
