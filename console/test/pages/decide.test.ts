// Long because every decision is tested against one service.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { londonMoment } from '../../../server/src/jurisdiction/london.ts'
import { REFUSED_ACCOUNT } from '../../../server/src/settlement/simulator.ts'
import { makeReady, patchDeed, unapprove } from '../../../server/test/fixtures/approvals.ts'
import {
  aBalancedSchedule,
  anAuthorisedMatter,
  aPreparedMatter,
  businessDay,
  readSchedule,
  setClock,
} from '../../../server/test/fixtures/schedules.ts'
import { aSearchedWorkspace, aWorkspace, move, readWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import { fieldOf, type Name, type Shown, testConsole } from '../console.fixture.ts'

const { get, post, service, failing } = await testConsole()

const CALLS_MAX = 7

function assertWhole({ text, words }: Shown): void {
  assert.equal(text.match(/<h1/g)?.length, 1)
  const calls = Number(/The (\d+) calls? behind this page/.exec(words)?.[1] ?? 0)
  assert.ok(calls <= CALLS_MAX, `${calls} calls`)
}

/** A case that is ready and a schedule that balances, both changed by Sam Reid. */
async function aReadyMatter(): Promise<string> {
  const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
  await makeReady(service, workspaceId)
  await aBalancedSchedule(service, workspaceId)
  return workspaceId
}

describe('approving', () => {
  let id = ''
  const page = (rest = '') => `/console/matters/${id}/approve${rest}`
  const send = async (what: string, as: Name = 'Jo', more: Record<string, string> = {}) => {
    const shown = await get(page(), as)
    return post(page(), { what, key: crypto.randomUUID(), seen: fieldOf(shown, 'seen'), ...more }, as)
  }
  before(async () => {
    id = await aReadyMatter()
  })

  it('shows everything that is decided about, and who changed it last', async () => {
    const shown = await get(page(), 'Jo')
    assertWhole(shown)
    for (const expected of [
      /William Prynne Borrower · represented by: The law firm of this matter/,
      /Charge to the new lender .*MD431C · £206,000\.00 · fee £\d+\.\d\d mortgage deed: \S+\.pdf \(new tab\)/,
      /Sam Reid changed the documents on [^.]+\. You are Jo: you may approve\./,
      /Sam Reid changed the completion day on [^.]+\. You are Jo: you may approve\./,
      /Mortgage Advance .* Total £206,000\.00 £206,000\.00/,
    ]) {
      assert.match(shown.words, expected)
    }
    const [, document = ''] = /href="([^"]+\?view)" target="_blank"/.exec(shown.text) ?? []
    const opened = await get(document, 'Jo')
    assert.deepEqual([opened.headers.get('content-type'), opened.text.slice(0, 5)], ['application/pdf', '%PDF-'])
    assert.match(opened.headers.get('content-disposition') ?? '', /^inline/)
    assert.match((await get(`/console/matters/${id}`, 'Jo')).text, /class="button" href="[^"]+\/approve#case"/)
  })

  it('says who can to somebody who cannot, and refuses the others', async () => {
    assert.match((await get(page())).words, /You are Sam, and not an approver\. Ask Alex Moss or Jo Marsh\./)
    assert.equal((await post(page(), { what: 'case' })).status, 403)
    assert.match(
      (await get(`/console/matters/${id}`)).words,
      /An approver of your organisation does this\. See who can/,
    )
    const lender = await get(page(), 'Kim')
    assert.deepEqual([lender.status, /approvers of the law firm/.test(lender.words)], [403, true])
  })

  it('is refused to who changed it, before the button', async () => {
    await patchDeed(service, id, { transactionValue: 206_000 }, 'jo@harbour.example') // the same again: no change
    await patchDeed(service, id, { mortgageDeedReference: 'MD432C' }, 'jo@harbour.example')
    const { words, text } = await get(page(), 'Jo')
    assert.match(words, /You changed this yourself , so somebody else must approve it\. Ask Alex Moss or Jo Marsh\./)
    assert.doesNotMatch(text, /Approve the case of/)
    assert.match(text, /Approve the money of/)
  })

  it('asks what the registry asks, before anything is sent', async () => {
    const first = id
    id = await aReadyMatter()
    assert.doesNotMatch((await get(page(), 'Jo')).words, /overriding interests/)
    const sql = (text: string) => service.deps.db.query(text)
    await sql(
      `insert into hmlr_lenders select subscriber_id, 'OTHER_ORGANISATION' from subscribers where kind = 'LENDER'`,
    )
    await sql(`update service_state set registry = 'hmlr'`)
    assert.match((await get(page(), 'Jo')).words, /Are there disclosable overriding interests\?/)
    const refused = await send('case')
    assert.match(refused.words, /Nothing was approved .*must be stated/)
    assert.equal(refused.status, 409)
    const sent = await send('case', 'Jo', { disclosableOverridingInterests: 'false' })
    assert.equal(sent.headers.get('location'), page('?done=case'))
    await sql(`update service_state set registry = 'simulator'`)
    id = first
  })

  it('needs a recent sign-in, and leads there and back', async () => {
    for (const [decides, expected] of [
      ['again', /To decide, sign in again/],
      ['never', /You came in by a link/],
    ] as const) {
      const old = await get(page(), 'Alex', { cookie: `person=Alex; decides=${decides}` })
      assert.match(old.words, expected)
      assert.doesNotMatch(old.text, /Approve the case of/)
      if (decides === 'again') assert.ok(old.text.includes(`step-up?returnTo=${encodeURIComponent(page())}`))
    }
  })

  it('decides about what was seen, and not about what was changed since', async () => {
    const seen = fieldOf(await get(page(), 'Alex'), 'seen')
    await patchDeed(service, id, { mortgageDeedReference: 'MD433C' })
    const stale = await post(page(), { what: 'case', key: crypto.randomUUID(), seen }, 'Alex')
    assert.equal(stale.status, 412)
    assert.match(stale.words, /Nothing was approved Somebody changed this matter after you opened the page/)
    assert.equal((await readWorkspace(service, id)).turn?.task, 'APPROVE_CASE')
  })

  it('is done for case and money, each on its own, and says what happens next', async () => {
    const form = { what: 'case', key: crypto.randomUUID(), seen: fieldOf(await get(page(), 'Alex'), 'seen') }
    for (const _ of ['once', 'by a second click']) {
      const sent = await post(page(), form, 'Alex')
      assert.deepEqual([sent.status, sent.headers.get('location')], [303, page('?done=case')])
    }
    const done = await get(page('?done=case'), 'Alex')
    assert.match(done.words, /The case is approved\. Next, the money needs an approval of its own/)
    assert.match(done.words, /Approved by alex@harbour\.example, .* Take it back/)
    assert.equal((await send('money')).headers.get('location'), page('?done=money'))
    const both = await get(page('?done=money'), 'Jo')
    assert.match(
      both.words,
      /The money is approved\. Next, Northgate Building Society authorises the funds, by \S+ .* The money moves on .* at 09:00\./,
    )
  })

  it('marks what was changed since the last approval, with both values, by whom', async () => {
    await move(service, 'PT1S')
    await unapprove(service, id)
    await patchDeed(service, id, { transactionValue: 205_000 })
    const { words } = await get(page(), 'Alex')
    assert.match(
      words,
      /Changed since the last approval, [^:]+:\d\d the deed or its value value: £206,000\.00 → £205,000\.00 [^·]+ · Sam Reid Changed/,
    )
    assert.match(words, /Nothing was changed since the last approval/) // of the money
  })

  it('shows what is missing as tasks with links, and no button', async () => {
    id = (await aWorkspace(service)).workspaceId
    const { words, text } = await get(page(), 'Jo')
    assert.match(words, /Before the case can be approved .* Go there .* Before the money can be approved/)
    assert.doesNotMatch(text, /<button>Approve/)
    const { status, words: refused } = await post(page(), { what: 'case', seen: await markOf() }, 'Jo')
    assert.deepEqual([status, /Nothing was approved .* Before the case/.test(refused)], [409, true])
    failing(/approvers/, 500)
    assert.equal((await get(page(), 'Jo')).status, 500)
    failing(/approvers/, 0)
  })

  /** Nothing was changed since it was made, so that the only entry is its creation. */
  const markOf = async () => `1 ${(await readWorkspace(service, id)).auditAttributes.createdAt}`
})

describe('authorising funds', () => {
  let id = ''
  let day = ''
  const page = (rest = '') => `/console/matters/${id}/authorise${rest}`
  const send = (form: Record<string, string>, as: Name = 'Kim') =>
    post(page(), { key: crypto.randomUUID(), ...form }, as)
  before(async () => {
    const prepared = await aPreparedMatter(service)
    id = prepared.workspaceId
    day = prepared.completionDate
  })

  it('asks for date and amount, and shows neither', async () => {
    const shown = await get(page(), 'Kim')
    assertWhole(shown)
    assert.doesNotMatch(shown.text, /206,000\.00<|value="206|value="20\d\d-/)
    assert.match(shown.words, /Authorise the funds of \S+ .*Completion day .*Advance in pounds/)
    assert.match((await get(page(), 'Pat')).words, /You are Pat, and not an approver\. Ask Kim Adair\./)
    assert.equal((await send({}, 'Pat')).status, 403)
    assert.match((await get(page(), 'Jo')).words, /It is for approvers of the lender/)
    assert.match((await get(`/console/matters/${id}`, 'Kim')).text, /class="button" href="[^"]+\/authorise"/)
  })

  it('shows both sides where they differ, and sends nothing', async () => {
    for (const [form, words] of [
      [{ completionDate: day, 'lineItem.amount': '£260,000.00' }, /Advance £260,000\.00 £206,000\.00 differs/],
      [
        { completionDate: '2031-01-02', 'lineItem.amount': '206000' },
        /Completion day Thu, 2 Jan 2031 .* differs Advance/,
      ],
    ] as const) {
      const shown = await send(form)
      assert.equal(shown.status, 409)
      assert.match(shown.words, /They differ: nothing was authorised You typed|nothing was authorised/)
      assert.match(shown.words, words)
      assert.doesNotMatch(shown.text, /POST [^<]*funds-authorisation/)
    }
    const wrong = await send({ completionDate: '', 'lineItem.amount': 'all of it' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /<a href="#completionDate">.*<a href="#lineItem\.amount">/s)
    assert.match(wrong.text, /value="all of it"/)
    assert.equal((await readWorkspace(service, id)).status, 'PREPARED')
  })

  it('authorises what matches, says what happens next, and can be taken back', async () => {
    const { status, headers } = await send({ completionDate: day, 'lineItem.amount': '206,000' })
    assert.deepEqual([status, headers.get('location')], [303, page('?done=yes')])
    const shown = await get(page('?done=yes'), 'Kim')
    assert.match(shown.words, /The funds are authorised\. Next, £206,000\.00 moves on .* at 09:00\./)
    assert.equal((await send({ what: 'take back' })).headers.get('location'), page('?done=back'))
    assert.match((await get(page('?done=back'), 'Kim')).words, /The authorisation was taken back/)
    assert.equal((await readSchedule(service, id)).status, 'PREPARED')
  })

  it('is not possible before the law firm has approved', async () => {
    id = (await aWorkspace(service)).workspaceId
    assert.match((await get(page(), 'Kim')).words, /The law firm has not approved the matter yet/)
    assert.equal((await send({ completionDate: day, 'lineItem.amount': '1' })).status, 409)
  })
})

describe('completions', () => {
  it('says what there is on an empty day, a weekend and a bank holiday', async () => {
    const shown = await get('/console/completions?day=2031-03-04')
    assertWhole(shown)
    assert.match(shown.words, /No completions on Tue, 4 Mar 2031 \. None of these days has any\./)
    assert.match((await get('/console/completions?day=2026-12-05')).words, /It is a Saturday: no money moves/)
    assert.match((await get('/console/completions?day=2026-12-25')).words, /It is a bank holiday: no money moves/)
    assert.equal((await get('/console/completions?day=never', 'Kim')).status, 200)
    assert.equal((await get('/console/completions', 'Dev')).status, 403)
  })

  it('shows a day in columns, counts down to nine, and then has what the bank refused on top', async () => {
    await service.deps.db.query('update subscribers set reports = false') // days pass here
    const completionDate = businessDay(service, 3)
    const waiting = await aPreparedMatter(service, { completionDate })
    const paid = await anAuthorisedMatter(service, { completionDate })
    const refused = await anAuthorisedMatter(service, { completionDate, accountNumber: REFUSED_ACCOUNT })
    const page = `/console/completions?day=${completionDate}`
    const before = await get(page, 'Kim')
    assertWhole(before)
    assert.match(before.words, /3 · £618,000\.00 1 not ready/)
    assert.match(
      before.words,
      /Not approved 0 Waiting for the lender 1 \S+ LW\d+ £206,000\.00 Your turn: authorise Authorised 2 /,
    )
    await setClock(service, londonMoment(completionDate, '07:55:00'))
    assert.match((await get(page)).words, /The money moves at 09:00, in 1 h 5 min\./)
    await setClock(service, londonMoment(completionDate, '09:05:00'))
    const after = await get(page)
    assert.match(after.words, /1 payment refused \S+ : .*account.* It is after 09:00/)
    assert.match(after.words, /Paid 1 \S+ LW\d+ £206,000\.00 .*Refused 1 /)
    for (const { workspaceId } of [waiting, paid, refused])
      assert.match(after.text, new RegExp(`id="matter-${workspaceId}"`))
  })
})
