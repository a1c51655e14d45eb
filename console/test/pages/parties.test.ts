// Long because it walks every state of three pages against one service.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reconcile } from '../../../server/test/fixtures/reconciliation.ts'
import {
  aBorrower,
  aCompany,
  aSearchedWorkspace,
  aWorkspace,
  drain,
  FIRM,
  readCase,
  readWorkspace,
  setStatus,
  UNKNOWN_ID,
} from '../../../server/test/fixtures/workspaces.ts'
import { testConsole } from '../console.fixture.ts'

// Title, names and representation: what each page shows in each state, and what its forms do.

const console = await testConsole()
const { get, post, service } = console

const pageOf = (workspaceId: string, name: string) => `/console/matters/${workspaceId}/${name}`

/** William and Tracey Prynne's title, and an order in which Tracey is misspelt. */
const aMisspelling = () =>
  aSearchedWorkspace(service, 'ST500678', [aBorrower('William'), aBorrower('Tracey', 'Prinne')])

const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const hiddenIn = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

/** The answer whose value begins so, and the form that its preview sends. */
async function previewOf(workspaceId: string, kind: string) {
  const page = pageOf(workspaceId, 'names')
  const { text } = await get(page)
  const [, value = assert.fail(`no answer ${kind}`)] = new RegExp(`value="(${kind}\\.[^"]*)"`).exec(text) ?? []
  const preview = await get(`${page}?answer=${value}`)
  assert.equal(preview.status, 200)
  const fields = ['answer', 'etag', 'order', 'register'].map((name) => [name, unescaped(hiddenIn(preview.text, name))])
  return { page, preview, form: Object.fromEntries(fields) as Record<string, string> }
}

describe('the names', () => {
  it('are compared letter by letter, with the reason, the question and what each answer leads to', async () => {
    const { workspaceId } = await aMisspelling()
    const { words, text } = await get(pageOf(workspaceId, 'names'))
    assert.match(text, /Tracey Pr<mark>i<\/mark>nne/)
    assert.match(text, /Tracey Pr<mark>y<\/mark>nne/)
    assert.match(words, /one letter differs, sounds alike/)
    assert.match(words, /One name does not agree\./)
    assert.match(words, /What is true of Tracey Prinne and Tracey Prynne\?/)
    assert.match(words, /The name changed: Tracey Prynne is now called Tracey Prinne Adds a change of name/)
    assert.match(words, /William Prynne the same On the register: William Prynne/)
  })

  it('are changed after a preview, with the version that was shown', async () => {
    const { workspaceId } = await aMisspelling()
    const { page, preview, form } = await previewOf(workspaceId, 'order-wrong')
    assert.match(preview.words, /What changes Tracey Prinne is called Tracey Prynne in this matter\. Nothing is added/)
    const sent = await post(page, form)
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${page}?done=order-wrong`])
    const { words } = await get(`${page}?done=order-wrong`)
    assert.match(words, /The borrower was renamed\. Every name agrees\. Next: say who represents each party/)
  })

  it('bring the applications that the preview announced, and can be undone', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500681', [
      aBorrower('William'),
      aBorrower('Oliver', 'Hart'),
    ])
    const { page, preview, form } = await previewOf(workspaceId, 'two-people')
    assert.match(preview.words, /transfer of the whole property.*cancel the restriction/)
    assert.equal((await post(page, form)).status, 303)
    const live = async () =>
      (await readCase(service, workspaceId)).applications
        .filter(({ status }) => status !== 'WITHDRAWN')
        .map(({ applicationType }) => applicationType)
        .sort()
    assert.deepEqual(await live(), ['CANCEL_A_RESTRICTION', 'DISCHARGE', 'MORTGAGE_DEED', 'TRANSFER_OF_WHOLE'])
    const undo = await previewOf(workspaceId, 'undo')
    assert.equal((await post(page, undo.form)).status, 303)
    const more = await previewOf(workspaceId, 'undo')
    assert.equal((await post(page, more.form)).status, 303)
    assert.deepEqual(await live(), ['DISCHARGE', 'MORTGAGE_DEED'])
  })

  it('are not sent when somebody else changed them: both versions are shown', async () => {
    const { workspaceId } = await aMisspelling()
    const { page, form } = await previewOf(workspaceId, 'name-changed')
    const { parties } = await readWorkspace(service, workspaceId, FIRM)
    const partyDetails = { forenames: 'Tracy', surname: 'Prynne' }
    const rename = { action: 'UPDATE_PARTY_NAME', partyId: parties[1]?.partyId, type: 'INDIVIDUAL', partyDetails }
    assert.equal((await reconcile(service, workspaceId, rename)).status, 200)
    const { status, words } = await post(page, form)
    assert.equal(status, 412)
    assert.match(
      words,
      /Nothing was sent\. You decided about Tracey Prinne in the order and Tracey Prynne on the register/,
    )
    assert.match(words, /What is true of Tracy Prynne and Tracey Prynne\?/)
    assert.match((await get(`${page}?answer=${form['answer']}`)).words, /Check what this changes/)
    assert.match((await get(`${page}?answer=comes.${UNKNOWN_ID}`)).words, /That answer does not fit any more/)
  })

  it('show why an answer was refused', async () => {
    const { workspaceId } = await aMisspelling()
    const { page, form } = await previewOf(workspaceId, 'order-wrong')
    await setStatus(service, workspaceId, 'PREPARED', 'PREPARED')
    const { status, words } = await post(page, form)
    assert.equal(status, 409)
    assert.match(words, /Nothing was changed/)
  })

  for (const [what, titleNumber, parties, expected] of [
    [
      'more people than the register has',
      'ST500678',
      [aBorrower('William'), aBorrower('Tracey'), aBorrower('Rose')],
      /The numbers differ\. Left over are 1 in the order and 0 on the register/,
    ],
    [
      'a person where the register has a company',
      'CO100001',
      [aBorrower('Alan', 'Turner')],
      /A person is not a company/,
    ],
    ['everybody', 'ST500678', [aBorrower('William'), aBorrower('Tracey')], /Every name agrees\./],
    ['a company by its number', 'RC100001', [aCompany('Saltmarsh Homes Limited', '06417238')], /the name changed/],
  ] as const) {
    it(`say that the order has ${what}`, async () => {
      const { workspaceId } = await aSearchedWorkspace(service, titleNumber, [...parties])
      assert.match((await get(pageOf(workspaceId, 'names'))).words, expected)
    })
  }

  it('wait for the title and for the registry, and say what to do', async () => {
    const none = await aWorkspace(service)
    assert.match((await get(pageOf(none.workspaceId, 'names'))).words, /Give the title number first/)
    const slow = await aSearchedWorkspace(service, 'SL100001')
    assert.match((await get(pageOf(slow.workspaceId, 'names'))).words, /has not answered yet/)
    const unknown = await aSearchedWorkspace(service, 'NF100001')
    assert.match(
      (await get(pageOf(unknown.workspaceId, 'names'))).words,
      /does not know this title\. Give another title number/,
    )
  })
})

describe('the title', () => {
  it('is given, searched, shown with its register, and replaced after a question', async () => {
    const { workspaceId } = await aWorkspace(service)
    const page = pageOf(workspaceId, 'title')
    const empty = await get(page)
    assert.match(empty.words, /No title yet/)
    const wrong = await post(page, { titleNumber: 'nonsense!', key: 'k' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /<a href="#titleNumber">/)
    assert.match(wrong.text, /value="nonsense!"/)
    const form = { titleNumber: 'st 500678', key: hiddenIn(empty.text, 'key') }
    assert.equal((await post(page, form)).headers.get('location'), page)
    assert.equal((await post(page, form)).status, 303, 'sent twice, done once')
    await drain(service)
    const { words } = await get(page)
    assert.match(words, /Title ST500678 .* Owners William Prynne Tracey Prynne Charges Eastmoor Bank plc/)
    const question = await get(`${page}?remove=yes`)
    assert.match(question.words, /Remove the title ST500678\? Everything that came from it is undone/)
    assert.equal((await post(page, { remove: hiddenIn(question.text, 'remove') })).status, 303)
    assert.match((await get(page)).words, /No title yet/)
  })

  it('says why a search failed, and takes another number', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'DT501578')
    const { words, text } = await get(pageOf(workspaceId, 'title'))
    assert.match(words, /The search failed\. This title is closed\./)
    assert.match(text, /name="titleNumber"/)
  })

  it('says why the registry cannot be asked, on each page that waits for it', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'SL100001')
    await service.deps.db.query(
      `update lodgement_cases set registry_wait = jsonb_build_object('reason', 'REGISTRY_CLOSED', 'since', now())
        where workspace_id = $1`,
      [workspaceId],
    )
    for (const page of ['', '/title', '/names']) {
      const { words } = await get(`/console/matters/${workspaceId}${page}`)
      assert.match(words, /The registry is closed at this hour\..* Since /, page)
    }
  })

  it('is shown without the register, where that cannot be read', async () => {
    const { workspaceId } = await aMisspelling()
    console.failing(/title-documents/, 500)
    assert.match((await get(pageOf(workspaceId, 'title'))).words, /The register could not be read\. Try again/)
    assert.match((await get(pageOf(workspaceId, 'names'))).words, /one letter differs/)
    console.failing(/title-documents/, 0)
  })
})

describe('representation', () => {
  it('is given to all at once, and shown as it becomes active', async () => {
    const { workspaceId } = await aMisspelling()
    const page = pageOf(workspaceId, 'representation')
    const before = await get(page)
    assert.match(before.words, /Harbour Conveyancing LLP represents both/)
    assert.match(before.words, /Nobody yet/)
    const form = { all: 'yes', key: hiddenIn(before.text, 'key') }
    assert.equal((await post(page, form)).status, 303)
    await drain(service)
    const { words } = await get(page)
    assert.match(words, /Every party is provided for\./)
    assert.match(words, /William Prynne Borrower Harbour Conveyancing LLP/)
  })

  it('is given to another firm, which can be named again and corrected', async () => {
    const { workspaceId } = await aMisspelling()
    const page = pageOf(workspaceId, 'representation')
    const [first = assert.fail(), second = assert.fail()] = (await readWorkspace(service, workspaceId, FIRM)).parties
    const form = {
      party: first.partyId,
      key: 'one',
      representedBy: 'EXTERNAL_LAW_FIRM',
      referenceNumber: 'MH/1',
      'externalLawFirm.name': 'Marsh & Hill',
      'externalLawFirm.address.street': 'Castle Street',
      'externalLawFirm.address.postcode': 'TA1 4AS',
    }
    const refused = await post(page, form)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /<a href="#externalLawFirm.address.town">/)
    assert.match(refused.text, /value="Marsh &amp; Hill"/)
    assert.equal((await post(page, { ...form, 'externalLawFirm.address.town': 'Taunton' })).status, 303)
    await drain(service)
    const again = await get(`${page}?party=${second.partyId}`)
    assert.match(again.words, /Marsh &amp; Hill Already in this matter, under MH\/1/)
    const [, reuse = ''] = /value="(reuse\.[^"]+)"/.exec(again.text) ?? []
    assert.equal((await post(page, { party: second.partyId, key: 'two', representedBy: reuse })).status, 303)
    await drain(service)
    const [, id = ''] = /\?firm=([^"]+)"/.exec((await get(page)).text) ?? []
    const correction = await get(`${page}?firm=${id}`)
    assert.match(correction.text, /value="Castle Street"/)
    const etag = unescaped(hiddenIn(correction.text, 'etag'))
    const change = {
      firm: id,
      etag,
      name: 'Marsh & Hill LLP',
      'address.street': 'Castle Street',
      'address.town': 'Taunton',
      'address.postcode': 'TA1 4AS',
    }
    assert.equal((await post(page, change)).status, 303)
    const stale = await post(page, { ...change, name: 'Hill' })
    assert.equal(stale.status, 412)
    assert.match(stale.words, /It is now Marsh &amp; Hill LLP, /)
    assert.match(stale.text, /value="Hill"/)
  })

  it('asks how the identity of a party without a lawyer is verified', async () => {
    const { workspaceId } = await aMisspelling()
    const page = pageOf(workspaceId, 'representation')
    const [{ partyId } = assert.fail()] = (await readWorkspace(service, workspaceId, FIRM)).parties
    const form = { party: partyId, key: 'three', representedBy: 'NOT_REPRESENTED' }
    const refused = await post(page, form)
    assert.deepEqual([refused.status, /class="wrong"><legend>How is the identity/.test(refused.text)], [400, true])
    assert.equal((await post(page, { ...form, verificationOfIdentity: 'LAW_FIRM_CERTIFIED' })).status, 303)
    await drain(service)
    assert.match((await get(page)).words, /Nobody\. The law firm certifies the identity/)
  })
})

describe('each of the pages', () => {
  for (const name of ['title', 'names', 'representation', 'case', 'money']) {
    it(`${name}: has no form for the lender, a viewer, or a matter that is locked, and does not exist for others`, async () => {
      const { workspaceId } = await aMisspelling()
      const page = pageOf(workspaceId, name)
      const forms = (text: string) =>
        /<main.*<\/main>/s.exec(text)?.[0].match(/<form|\?remove|\?party|\?application/g)?.length ?? 0
      const open = await get(page)
      assert.ok(forms(open.text) > 0)
      assert.match(open.text, new RegExp(`data-live="[^"]*${workspaceId}"`))
      for (const [as, expected] of [
        ['Pat', /Only Harbour Conveyancing LLP can change this/],
        ['Vic', /with the role preparer can change it/],
      ] as const) {
        const read = await get(page, as)
        assert.match(read.words, expected)
        assert.equal(forms(read.text), 0)
      }
      assert.equal((await post(page, {}, 'Vic')).status, 403)
      for (const [status, expected] of [
        ['PREPARED', /Approved\. To change this, take back an approval first/],
        ['LODGED', /Locked\. The case is at the registry/],
        ['CANCELLED', /Locked\. The matter was cancelled/],
      ] as const) {
        await setStatus(service, workspaceId, status)
        const read = await get(`${page}?party=x&answer=y&remove=z`)
        assert.match(read.words, expected)
        assert.equal(forms(read.text), 0)
      }
      const elses = await get(page, 'Kit')
      assert.deepEqual([elses.status, elses.text], [404, (await get(pageOf(UNKNOWN_ID, name), 'Kit')).text])
      console.failing(/workspaces/, 500)
      assert.equal((await get(page)).status, 500)
      console.failing(/workspaces/, 0)
    })
  }

  it('calls the interface at most seven times', async () => {
    const { workspaceId } = await aMisspelling()
    for (const name of ['title', 'names', 'representation', 'case', 'money']) {
      const { words } = await get(pageOf(workspaceId, name))
      assert.ok(Number(/The (\d+) calls? behind/.exec(words)?.[1]) <= 7)
    }
  })
})
