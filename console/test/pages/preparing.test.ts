// Long because it walks every state of five pages against one service.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { manualPayments } from '../../../server/src/manual-payments/manual.ts'
import { PEOPLE } from '../../../server/src/sandbox/accounts.ts'
import { attachChecked, makeRejected, patchDeed } from '../../../server/test/fixtures/approvals.ts'
import { aDeed, listFiles } from '../../../server/test/fixtures/documents.ts'
import { anApprovedCase, aReadyCase, aSentCase } from '../../../server/test/fixtures/lodging.ts'
import { aPdf } from '../../../server/test/fixtures/multipart.ts'
import { anAuthorised, pay } from '../../../server/test/fixtures/payments.ts'
import {
  aBalancedSchedule,
  addLine,
  anAuthorisedMatter,
  businessDay,
  readSchedule,
  setClock,
} from '../../../server/test/fixtures/schedules.ts'
import {
  aSearchedWorkspace,
  aWorkspace,
  drain,
  FIRM,
  FIRM_ID,
  LENDER,
  move,
  readCase,
  readWorkspace,
  setStatus,
  UNKNOWN_ID,
} from '../../../server/test/fixtures/workspaces.ts'
import { fieldOf, type Shown, testConsole } from '../console.fixture.ts'

// Money, case, files, requisition and order: what each page shows in each state, and what its forms do.

const console = await testConsole()
const { get, post, service } = console

const pageOf = (workspaceId: string, name: string) => `/console/matters/${workspaceId}/${name}`

/** What a browser sends back when nothing was typed. */
function fieldsOf({ text }: Shown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [, attributes = ''] of text.matchAll(/<input([^>]*)>/g)) {
    const [, name = ''] = / name="([^"]*)"/.exec(attributes) ?? []
    const isUnchecked = /type="(checkbox|radio)"/.test(attributes) && !/ checked/.test(attributes)
    if (name && !isUnchecked) fields[name] = / value="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&quot;', '"') ?? ''
  }
  for (const [, name = '', options = ''] of text.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const [, first = ''] = /value="([^"]*)"/.exec(options) ?? []
    fields[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? first
  }
  return fields
}

describe('the money', () => {
  const ADVANCE = { 'SOURCE.amount': '£206,000', 'SOURCE.reference': 'ADVANCE' }
  const REDEMPTION = {
    'DESTINATION.amount': '206000',
    'DESTINATION.reference': 'REDEMPTION 1',
    'DESTINATION.bankAccount.accountName': 'Eastmoor Bank plc',
    'DESTINATION.bankAccount.sortCode': '20-40-60',
    'DESTINATION.bankAccount.accountNumber': '40117788',
  }

  it('is drawn up in one form: day, sources and destinations; then it can be approved', async () => {
    const { workspaceId } = await aWorkspace(service)
    const page = pageOf(workspaceId, 'money')
    const empty = await get(page)
    const [day, weekend] = [businessDay(service, 3), '2027-02-06']
    assert.match(empty.text, new RegExp(`<option value="${day}">`))
    assert.doesNotMatch(empty.text, new RegExp(weekend))
    const form = { ...fieldsOf(empty), completionDate: day, ...ADVANCE, ...REDEMPTION }
    assert.equal((await post(page, form)).headers.get('location'), page)
    assert.equal((await post(page, form)).status, 303, 'sent twice, done once')
    const schedule = await readSchedule(service, workspaceId)
    assert.deepEqual(
      [schedule.completionDate, ...schedule.lineItems.map(({ category, amount }) => `${category} ${amount}`)],
      [day, 'Mortgage Advance 206000', 'Redemption 206000'],
    )
    const { text, words } = await get(page)
    assert.doesNotMatch(text, /40117788/)
    assert.match(words, /Eastmoor Bank plc, 20-40-60, account ••••7788/)
    assert.match(words, /Difference £0\.00/)
    assert.match(words, /An approver of your firm, who did not change it, approves it/)
    assert.match((await get(page, 'Alex')).text, /href="[^"]*\/approve">Approve the money/)
  })

  it('says what could not be saved, at its field, and saves the rest', async () => {
    const { workspaceId } = await aWorkspace(service)
    const page = pageOf(workspaceId, 'money')
    const form = {
      ...fieldsOf(await get(page)),
      completionDate: '2027-02-06',
      ...ADVANCE,
      ...REDEMPTION,
      'DESTINATION.amount': 'much',
    }
    const { status, text, words } = await post(page, form)
    assert.equal(status, 400)
    assert.match(words, /1 change saved, the rest was not completionDate must be a business day of England and Wales/)
    assert.match(text, /<a href="#DESTINATION\.amount">/)
    assert.match(text, /name="DESTINATION\.amount" aria-describedby="[^"]*" aria-invalid="true" value="much"/)
    assert.match(words, /Difference £206,000\.00 Both sides must agree/)
    assert.equal((await readSchedule(service, workspaceId)).lineItems.length, 1)
  })

  it('is changed and deleted line by line; what somebody else changed is shown first', async () => {
    const { workspaceId } = await aWorkspace(service)
    await aBalancedSchedule(service, workspaceId)
    const page = pageOf(workspaceId, 'money')
    const shown = fieldsOf(await get(page))
    const { financialSettlementScheduleId: id, lineItems } = await readSchedule(service, workspaceId)
    const [source, destination] = lineItems.map(({ lineItemId }) => lineItemId)
    await addLine(service, id, { type: 'SOURCE', category: 'Borrower Contribution', amount: 1, reference: 'X' })
    const stale = await post(page, { ...shown, [`${source}.amount`]: '5' })
    assert.equal(stale.status, 412)
    assert.match(stale.words, /Somebody else changed the money .* Now stored is: Mortgage Advance, £206,000\.00/)
    assert.match(stale.text, /value="5"/)
    const form = { ...fieldsOf(stale), [`${source}.amount`]: '5', [`${destination}.remove`]: 'yes' }
    assert.equal((await post(page, form)).status, 303)
    const after = await readSchedule(service, workspaceId)
    assert.deepEqual(
      after.lineItems.map(({ amount }) => amount),
      [5, 1],
    )
  })

  it('is refused while the matter is locked', async () => {
    const { workspaceId } = await aWorkspace(service)
    await setStatus(service, workspaceId, 'PREPARED', 'PREPARED')
    const form = { ...ADVANCE, 'SOURCE.category': 'Mortgage Advance', key: 'k' }
    assert.equal((await post(pageOf(workspaceId, 'money'), form)).status, 409)
  })

  it('is a receipt once it is paid, and says which account the bank refused', async () => {
    const paid = await anAuthorisedMatter(service)
    const refused = await anAuthorisedMatter(service, { accountNumber: '00000000' })
    await setClock(service, new Date(`${paid.completionDate}T12:00:00Z`))
    const { words } = await get(pageOf(paid.workspaceId, 'money'))
    assert.match(words, /Receipt .* Paid .*, by CHAPS Payment reference SIM-[0-9A-F]{12}/)
    const page = pageOf(refused.workspaceId, 'money')
    assert.match((await get(page)).words, /The payment was refused\. Redemption ACC 55\/118: The bank refused/)
    assert.match((await get(page, 'Jo')).text, /href="[^"]*\/unapprove\?what=money"/)
  })
})

describe('payments by the law firm itself', () => {
  it('are confirmed line by line by who did not draw them up, taken back, or given up with a reason', async () => {
    const matter = await anAuthorised(service)
    await pay(service, matter, manualPayments)
    const page = pageOf(matter.workspaceId, 'pay')
    assert.match((await get(pageOf(matter.workspaceId, 'money'), 'Jo')).words, /Make the payments/)
    const { lineItems } = await readSchedule(service, matter.workspaceId)
    const [source = '', destination = ''] = lineItems.map(({ lineItemId }) => lineItemId)
    assert.match((await get(`${page}?line=${source}`, 'Jo')).words, /Confirm that £206,000\.00 was received/)
    const body = { paidOn: '2026-01-05', bankReference: 'FPS 1' }
    const wrong = await post(page, { ...body, line: source, paidOn: '' }, 'Jo')
    assert.deepEqual([wrong.status, /<a href="#paidOn">/.test(wrong.text)], [400, true])
    assert.equal((await post(page, { ...body, line: source }, 'Jo')).status, 303)
    assert.match((await get(page, 'Jo')).words, /Received Mon, 5 Jan 2026 , FPS 1, confirmed by jo@harbour\.example/)
    assert.equal((await post(page, { line: source, undo: 'yes' }, 'Jo')).status, 303)
    assert.match((await get(page, 'Jo')).words, /It cannot be paid/)
    assert.match((await get(`${page}/CSV`, 'Jo')).text, /206000\.00/)
    assert.equal((await get(`${page}/XLS`, 'Jo')).status, 404)
    for (const line of [source, destination]) await post(page, { ...body, line }, 'Jo')
    assert.match((await get(page, 'Jo')).words, /There is nothing to pay here now/)
    const other = await anAuthorised(service)
    await pay(service, other, manualPayments)
    const given = { reason: 'The account is closed.', key: crypto.randomUUID() }
    assert.equal((await post(pageOf(other.workspaceId, 'pay'), given, 'Jo')).status, 303)
    assert.match(
      (await get(pageOf(other.workspaceId, 'money'))).words,
      /The payment was refused\. The account is closed/,
    )
    assert.equal((await get(page, 'Sam')).status, 403)
  })
})

const pdfForm = (fields: Record<string, string>, pdf: Uint8Array = aPdf(), name = 'deed.pdf') => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), name)
  return form
}

const DEED = { documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT', certificationType: 'CERTIFIED' }

const actionOf = ({ text }: Shown) =>
  /action="([^"]*)" enctype/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no form for a file')

describe('the case', () => {
  it('takes the deed’s particulars, then its document, and says what is left', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const page = pageOf(workspaceId, 'case')
    const before = await get(page)
    assert.match(before.words, /Discharge of the old charge .* Charge to the new lender Not ready/)
    assert.match(before.words, /The main document is missing.* First say whether the deed is digital/)
    const [, query = ''] = /href="[^"]*\/case(\?application=[^"]*)"/.exec(before.text) ?? []
    const form = fieldsOf(await get(page + query))
    const particulars = { transactionValue: '206,000', mortgageDeedReference: 'MD431C' }
    const wrong = await post(page, {
      ...form,
      ...particulars,
      mortgageDeedReferenceType: 'PAPER',
      transactionValue: '1,5',
    })
    assert.deepEqual([wrong.status, /<a href="#transactionValue">/.test(wrong.text)], [400, true])
    const sent = await post(page, { ...form, ...particulars, mortgageDeedReferenceType: 'PAPER' })
    assert.equal(sent.headers.get('location'), page)
    const stale = await post(page, { ...form, mortgageDeedReference: 'MD432C' })
    assert.deepEqual([stale.status, /Stored is now: PAPER, MD431C, 206000\.00/.test(stale.words)], [412, true])

    const upload = await get(pageOf(workspaceId, `files${query}`))
    assert.match(upload.text, /<script type="module" src="\/console\/a\/upload\./)
    const action = actionOf(upload)
    const unchosen = await post(action, pdfForm({ ...DEED, certificationType: '' }))
    assert.deepEqual([unchosen.status, /<a href="#certificationType">/.test(unchosen.text)], [400, true])
    const noPdf = await post(action, pdfForm(DEED, Buffer.from('no deed')))
    assert.equal(noPdf.status, 400)
    assert.match(noPdf.words, /Nothing was kept/)
    assert.match(noPdf.text, /<option value="CERTIFIED" selected>/, 'what was chosen is kept')
    assert.equal((await post(action, pdfForm(DEED))).headers.get('location'), page)
    assert.equal((await post(action, pdfForm(DEED))).status, 303, 'sent twice, done once')
    await drain(service)
    const after = await get(page)
    assert.match(
      after.words,
      /Charge to the new lender Ready .* Value £206,000\.00 .* deed\.pdf · checked · Withdraw deed\.pdf/,
    )
    assert.equal((await listFiles(service, workspaceId)).length, 1)
  })

  it('withdraws a document after a question, and folds what was replaced', async () => {
    const workspaceId = await aReadyCase(service)
    const page = pageOf(workspaceId, 'case')
    const { text } = await get(page)
    const [, query = ''] = /href="[^"]*\/files(\?withdraw=[^"]*)"/.exec(text) ?? []
    const question = await get(pageOf(workspaceId, `files${query}`))
    assert.match(question.words, /An approval of the case is taken back\. Withdraw \S+\.pdf Keep it/)
    const sent = await post(pageOf(workspaceId, 'files'), { withdraw: fieldOf(question, 'withdraw') })
    assert.equal(sent.headers.get('location'), page)
    assert.match((await get(page)).words, /1 file replaced or withdrawn/)
  })

  it('shows a document that is being checked, and why one was refused', async () => {
    const { workspaceId, applicationId } = await aDeed(service)
    const deed = { applicationId, documentType: 'MORTGAGE_DEED' }
    await attachChecked(service, workspaceId, { ...deed, status: 'PENDING', fileName: 'new.pdf' })
    await attachChecked(service, workspaceId, { ...deed, status: 'FAILED', fileName: 'bad.pdf' })
    const { words } = await get(pageOf(workspaceId, 'case'))
    assert.match(words, /new\.pdf · being checked · Withdraw new\.pdf .* bad\.pdf · refused: it contains a virus/)
  })

  it('makes a digital deed effective, which sends a case that waits for it', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await patchDeed(service, workspaceId, { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' })
    const page = pageOf(workspaceId, 'case')
    const { text, words } = await get(page)
    assert.match(words, /The digital deed is not effective yet\. Make it effective on completion day/)
    const [, application = ''] = /name="application" value="([^"]*)"/.exec(text) ?? []
    assert.equal((await post(page, { application, effective: 'yes' })).status, 303)
    assert.match((await get(page)).words, /Effective Yes/)
    assert.doesNotMatch((await get(page)).words, /is not effective yet/)
  })

  it('opens again when the registry rejected it, and for the late discharge alone after an early completion', async () => {
    const rejected = await aSearchedWorkspace(service, 'ST500678')
    await makeRejected(service, rejected.workspaceId)
    const { words } = await get(pageOf(rejected.workspaceId, 'case'))
    assert.match(words, /Rejected by the registry REGISTRATION_REJECTED/)
    assert.match(words, /Change the particulars/)
    const early = await anApprovedCase(service, 'ST500679')
    await setStatus(service, early, 'LODGED', 'PARTIALLY_REGISTERED')
    const shown = await get(pageOf(early, 'case'))
    assert.match(shown.words, /Upload a document : Discharge of the old charge/)
    assert.doesNotMatch(shown.words, /Upload a document : Charge to the new lender|Change the particulars/)
  })

  it('has no form for an application that there is not', async () => {
    const { workspaceId } = await aWorkspace(service)
    const page = pageOf(workspaceId, 'case')
    for (const address of [page, pageOf(workspaceId, 'files')]) {
      assert.equal((await get(`${address}?application=${UNKNOWN_ID}`)).status, 404)
    }
    assert.equal((await post(page, { application: UNKNOWN_ID })).status, 404)
  })
})

describe('the files of a matter', () => {
  const OFFER = { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' }

  it('are added by both sides, and withdrawn by who added them', async () => {
    const { workspaceId } = await aWorkspace(service)
    const page = pageOf(workspaceId, 'files')
    assert.match((await get(page)).words, /There are no files yet/)
    const action = actionOf(await get(page, 'Pat'))
    assert.equal((await post(action, pdfForm(OFFER, aPdf(), 'offer.pdf'), 'Pat')).headers.get('location'), page)
    await drain(service)
    assert.match((await get(page)).words, /mortgage offer offer\.pdf · checked/)
    const [file] = await listFiles(service, workspaceId)
    const refused = await post(page, { withdraw: file?.fileId ?? '' })
    assert.equal(refused.status, 409)
    assert.match(refused.words, /Only the subscriber that uploaded the file may withdraw it/)
    assert.equal((await post(page, { withdraw: file?.fileId ?? '' }, 'Pat')).status, 303)
    assert.equal((await post(action, pdfForm(OFFER), 'Vic')).status, 403)
    await setStatus(service, workspaceId, 'CANCELLED', 'CANCELLED')
    assert.match((await get(page)).words, /Locked\. The matter was cancelled/)
  })

  it('pass through the console while they arrive', async () => {
    const { workspaceId } = await aWorkspace(service)
    const action = actionOf(await get(pageOf(workspaceId, 'files'), 'Sam'))
    const encoded = new Response(pdfForm(OFFER, Buffer.concat([aPdf()])))
    const bytes = new Uint8Array(await encoded.arrayBuffer())
    const half = Math.floor(bytes.length / 2)
    const begun = console.nextCall(/files/)
    async function* arriving() {
      yield bytes.subarray(0, half)
      // The rest comes only when the interface has been called with the first half.
      await begun
      yield bytes.subarray(half)
    }
    const response = await console.answer(
      new Request(service.url + action, {
        method: 'POST',
        headers: {
          cookie: 'person=Sam',
          'sec-fetch-site': 'same-origin',
          'content-type': encoded.headers.get('content-type') ?? '',
        },
        body: ReadableStream.from(arriving()),
        duplex: 'half',
      }),
    )
    assert.equal(response.status, 303)
  })

  it('that are too large are refused in words, by the service itself, over a connection that stays', async () => {
    const { workspaceId } = await aWorkspace(service)
    const person = PEOPLE.find(({ name }) => name === 'Sam Reid')?.id ?? ''
    const headers = { 'sec-fetch-site': 'same-origin' }
    const signedIn = await fetch(`${service.url}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ person }),
      headers,
      redirect: 'manual',
    })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const page = `${service.url}${pageOf(workspaceId, 'files')}`
    const send = (pdf: Uint8Array) =>
      fetch(`${page}?key=${crypto.randomUUID()}`, {
        method: 'POST',
        body: pdfForm(OFFER, pdf),
        headers: { ...headers, cookie },
        redirect: 'manual',
      })
    // A busy service refuses before it reads anything.
    const patiently = async (pdf: Uint8Array): Promise<Response> => {
      const answer = await send(pdf)
      return answer.status === 503 ? delay(500).then(() => patiently(pdf)) : answer
    }
    const large = await patiently(Buffer.concat([aPdf(), Buffer.alloc(service.deps.uploadBytesMax)]))
    assert.equal(large.status, 413)
    assert.match(await large.text(), /Nothing was kept/)
    assert.equal((await patiently(aPdf())).status, 303)
    const strangers = await fetch(page, { method: 'POST', body: pdfForm(OFFER), headers, redirect: 'manual' })
    assert.match(strangers.headers.get('location') ?? '', /sign-in/)
  })
})

describe('a requisition', () => {
  it('shows its points and the days left, and is answered with files of the matter', async () => {
    const workspaceId = await aSentCase(service, 'RQ100001')
    const page = pageOf(workspaceId, 'requisition')
    assert.match((await get(page)).words, /The registry waits for no answer/)
    await move(service, 'P4D')
    const { words, text } = await get(page)
    assert.match(words, /Answer by .* : \d+ days left . After that the case is rejected/)
    assert.match(text, /<ol><li>/)
    assert.match((await get(page, 'Pat')).words, /Only Harbour Conveyancing LLP can change this/)
    const [, fileId = assert.fail('no file to choose')] = /name="fileIds" value="([^"]*)"/.exec(text) ?? []
    const key = /name="key" value="([^"]*)"/.exec(text)?.[1] ?? ''
    const empty = await post(page, [
      ['key', key],
      ['message', ''],
      ['fileIds', fileId],
    ])
    assert.equal(empty.status, 400)
    assert.match(empty.text, new RegExp(`value="${fileId}" checked`))
    const sent = await post(page, [
      ['key', key],
      ['message', 'The deed is attached.'],
      ['fileIds', fileId],
    ])
    assert.equal(sent.headers.get('location'), page)
    assert.match((await get(page)).words, /Earlier .* Answered .* Answer The deed is attached\. sam@harbour\.example/)
  })

  it('that came as a letter may need no answer', async () => {
    const workspaceId = await aSentCase(service, 'LT100001')
    await move(service, 'P5D')
    const page = pageOf(workspaceId, 'requisition')
    const shown = await get(page)
    assert.match(shown.words, /The registry sent a letter\..* It needs no answer/)
    assert.equal((await post(page, { reason: 'It confirms a date.', key: 'k' })).status, 303)
    assert.match((await get(page)).words, /Needed no answer .* It confirms a date\. sam@harbour\.example/)
  })
})

describe('an order', () => {
  const ADDRESS = {
    'property.securityAddress.number': '12',
    'property.securityAddress.street': 'Cothelstone Close',
    'property.securityAddress.town': 'Taunton',
    'property.securityAddress.postcode': 'TA1 9QH',
  }
  const FIRM_FIELD = 'parties[0].participants[0].id'

  it('is placed by a lender: borrowers are added and removed without a script', async () => {
    const page = '/console/matters/new'
    const empty = await get(page, 'Pat')
    assert.match(empty.words, /Borrower 2/)
    assert.match(empty.words, /Harbour Conveyancing LLP/)
    const typed = {
      ...fieldsOf(empty),
      ...ADDRESS,
      reference: 'NBS-NEW',
      ownReference: 'OWN-1',
      'parties[0].partyDetails.forenames': 'William',
      'parties[0].partyDetails.surname': 'Prynne',
    }
    const three = await post(page, { ...typed, do: 'add' }, 'Pat')
    assert.match(three.words, /Borrower 3/)
    assert.match(three.text, /value="NBS-NEW"/)
    const again = { ...fieldsOf(three), do: 'remove.0' }
    assert.doesNotMatch((await post(page, again, 'Pat')).text, /value="William"/)
    const wrong = await post(page, { ...typed, do: 'order' }, 'Pat')
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /<a href="#parties\[0\]\.participants\[0\]\.id">/)
    assert.equal(
      wrong.text.match(/participants\[0\]\.id is required/g)?.length ?? 0,
      2,
      'in the summary and at the field',
    )
    const sent = await post(page, { ...typed, [FIRM_FIELD]: FIRM_ID, do: 'order' }, 'Pat')
    assert.equal(sent.status, 303, sent.words)
    const workspaceId = sent.headers.get('location')?.split('/').at(-1) ?? ''
    const { reference, ownReference, parties } = await readWorkspace(service, workspaceId, LENDER)
    assert.deepEqual([reference, ownReference, parties.length], ['NBS-NEW', 'OWN-1', 1])
    const company = { kind: 'ORGANISATION', 'parties[0].partyDetails.organisationName': 'Turner Holdings Limited' }
    const second = await post(page, { ...typed, ...company, [FIRM_FIELD]: FIRM_ID, key: 'other' }, 'Pat')
    assert.equal(second.status, 303, second.words)
    assert.match((await get('/console/matters', 'Pat')).words, /Order a remortgage/)
    assert.equal((await get(page, 'Sam')).status, 403)
    assert.equal((await get(page, 'Vic')).status, 403)
  })

  it('is corrected while it is prepared; each side has its own number', async () => {
    const { workspaceId } = await aWorkspace(service)
    const page = pageOf(workspaceId, 'order')
    const form = fieldsOf(await get(page, 'Pat'))
    const wrong = await post(page, { ...form, 'securityAddress.postcode': 'nowhere' }, 'Pat')
    assert.deepEqual([wrong.status, /<a href="#securityAddress\.postcode">/.test(wrong.text)], [400, true])
    assert.equal((await post(page, { ...form, reference: 'NBS-2', ownReference: 'MINE' }, 'Pat')).status, 303)
    const stale = await post(page, { ...form, reference: 'NBS-3' }, 'Pat')
    assert.deepEqual([stale.status, /It is now NBS-2, 12 Cothelstone Close/.test(stale.words)], [412, true])
    const firms = await get(page)
    assert.doesNotMatch(firms.text, /name="reference"/)
    assert.equal((await post(page, { ...fieldsOf(firms), ownReference: 'HC/1' })).status, 303)
    assert.deepEqual(
      [
        (await readWorkspace(service, workspaceId, FIRM)).ownReference,
        (await readCase(service, workspaceId)).workspaceId,
      ],
      ['HC/1', workspaceId],
    )
    await setStatus(service, workspaceId, 'PREPARED', 'PREPARED')
    assert.match((await get(page, 'Pat')).words, /can no longer be changed/)
  })
})

it('none of these pages exists for another law firm', async () => {
  const { workspaceId } = await aWorkspace(service)
  for (const name of ['files', 'requisition', 'order', 'pay', 'pay/CSV']) {
    const elses = await get(pageOf(workspaceId, name), 'Kit')
    assert.deepEqual([elses.status, elses.text], [404, (await get(pageOf(UNKNOWN_ID, name), 'Kit')).text], name)
  }
})
