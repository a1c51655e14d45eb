import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { childOf, type Element, readXml, textAt } from './business-gateway/xml.ts'
import { DAY_MS, START, theStandIn } from './business-gateway.fixture.ts'
import { envelope, extractOf, pollOf } from './business-gateway-messages.fixture.ts'

const EXTRACT = 'OfficialCopyWithSummaryV2_1WebService'
const POLL = 'OfficialCopyWithSummaryV2_1PollRequestWebService'

const { gateway, client, lodger, days, prynne } = await theStandIn()
let number = 0

describe('the stand-in gateway: register extracts', () => {
  const account = () => gateway.accounts[0] ?? { username: '', password: '' }
  const bodyOf = (text: string): Element | undefined => childOf(readXml(text), 'Body')?.children[0]
  const send = async (body: string, service = EXTRACT) => {
    const { status, text } = await client.soap(service, envelope(account(), body))
    assert.equal(status, 200, text)
    const response = childOf(childOf(bodyOf(text), 'return'), 'GatewayResponse')
    assert.ok(response)
    return { type: textAt(response, 'TypeCode'), response }
  }
  const messageId = () => `message-${++number}`
  const ask = (title: string, options: Parameters<typeof extractOf>[2] = {}) =>
    send(extractOf(messageId(), title, options))

  it('has the register as data and as a PDF', async () => {
    const { type, response } = await ask('LH100001')
    assert.equal(type, '30')
    const results = childOf(response, 'Results')
    assert.equal(textAt(results, 'ActualPrice', 'GrossPriceAmount'), '4.00')
    const file = childOf(childOf(results, 'Attachment'), 'EmbeddedFileBinaryObject')
    assert.equal(file?.attributes.get('format'), 'PDF')
    assert.match(Buffer.from(file?.text ?? '', 'base64').toString('latin1'), /^%PDF-1\.4/)
    const data = childOf(results, 'OCSummaryData')
    assert.equal(textAt(data, 'Title', 'ClassOfTitleCode'), '60')
    assert.match(textAt(data, 'PropertyAddress', 'PostcodeZone', 'Postcode'), /^BN2 /)
    const owner = childOf(childOf(data, 'Proprietorship'), 'RegisteredProprietorParty')
    assert.equal(textAt(owner, 'PrivateIndividual', 'Name', 'SurnameName'), 'Nair')
    assert.equal(textAt(data, 'Lease', 'LeaseEntry', 'LeaseDate'), '30 April 1998')
    assert.equal(textAt(data, 'Charge', 'ChargeEntry', 'ChargeID'), 'LH100001-1')
    assert.equal(childOf(data, 'RegisterEntryIndicators')?.children.length, 30)
    const printed = childOf(childOf(results, 'OCRegisterData'), 'ChargesRegister')
    assert.match(textAt(printed, 'RegisterEntry', 'EntryText'), /^REGISTERED CHARGE dated 25 October 2019/)
  })

  it('has register and plan in a ZIP: the published title', async () => {
    const { type, response } = await ask('GR506405', { plan: true })
    assert.equal(type, '30')
    const file = childOf(childOf(childOf(response, 'Results'), 'Attachment'), 'EmbeddedFileBinaryObject')
    assert.equal(file?.attributes.get('format'), 'ZIP')
    const zip = Buffer.from(file?.text ?? '', 'base64')
    assert.equal(zip.subarray(0, 4).toString('latin1'), 'PK\x03\x04')
    assert.equal(zip.readUInt16LE(zip.length - 12), 2, 'two files')
  })

  const rejections: [string, string, Parameters<typeof extractOf>[2], string][] = [
    ['a title that is unknown', 'NF100001', {}, 'bg.title.notFound'],
    ['a title that is closed', 'DT501578', {}, 'bg.title.notAvailable'],
    ['a title that is pending', 'GR514443', {}, 'bg.title.notAvailable'],
    ['the published title that is only on paper', 'GR506098', {}, 'bg.officialcopy.notElectronic'],
    ['a price that is too low', 'ST500678', { price: '3.99' }, 'bg.fee.feeMismatch'],
  ]
  for (const [what, title, options, code] of rejections) {
    it(`rejects ${what}`, async () => {
      const { type, response } = await ask(title, options)
      assert.equal(type, '20')
      assert.equal(textAt(response, 'Rejection', 'RejectionResponse', 'Code'), code)
      assert.equal(textAt(response, 'Rejection', 'ExternalReference', 'Reference'), 'LW-1')
    })
  }

  it('acknowledges what takes longer, and answers the poll when it is done', async () => {
    const first = await send(extractOf('slow-1', 'SL100001'))
    assert.equal(first.type, '10')
    const details = childOf(childOf(first.response, 'Acknowledgement'), 'AcknowledgementDetails')
    assert.equal(textAt(details, 'UniqueID'), 'slow-1')
    assert.equal(textAt(details, 'ExpectedResponseDateTime'), '2026-06-01T10:00:00')
    assert.equal((await send(pollOf('slow-1'), POLL)).type, '10')
    gateway.control.advance(3_600_000)
    assert.equal((await send(pollOf('slow-1'), POLL)).type, '30')
    assert.equal((await send(extractOf('slow-1', 'SL100001'))).type, '30', 'a repeat gets the same')
    assert.equal((await send(pollOf('never-asked'), POLL)).type, '20')
    assert.equal((await ask('GR506123')).type, '10', 'the published title')
  })

  it('continues with the next title number if it may', async () => {
    const request = extractOf(messageId(), 'CC100001')
    assert.equal((await send(request)).type, '20')
    const name = 'ContinueIfTitleIsClosedAndContinuedIndicator>'
    const { response } = await send(extractOf(messageId(), 'CC100001').replace(`${name}false`, `${name}true`))
    assert.equal(textAt(response, 'Results', 'OCSummaryData', 'Title', 'TitleNumber'), 'DN514817')
  })

  it('queues what comes out of hours', async () => {
    gateway.control.close(new Date(START.getTime() + DAY_MS))
    const { type } = await send(extractOf('night-1', 'ST500678'))
    assert.equal(type, '10')
    days(1)
    assert.equal((await send(pollOf('night-1'), POLL)).type, '30')
  })

  it('processes a message id once', async () => {
    const [first, second] = [await send(extractOf('once-1', 'ST500678')), await send(extractOf('once-1', 'ST500681'))]
    assert.deepEqual(first, second)
  })

  it('shows the register after registration, to the same reference only', async () => {
    const body = prynne('ST500679', 'LW-7')
    body.data.transactions.charge.details.date = '2026-05-29'
    await lodger.lodged(body)
    const lenders = async (reference: string) => {
      const { response } = await ask('ST500679', { reference })
      const charges = childOf(childOf(childOf(response, 'Results'), 'OCSummaryData'), 'Charge')?.children ?? []
      return charges.map((one) => textAt(one, 'ChargeProprietor', 'ChargeeParty', 'Organization', 'Name'))
    }
    assert.deepEqual(await lenders('LW-7'), ['Tamarbridge Building Society'])
    days(7)
    assert.deepEqual(await lenders('LW-7'), ['Tamarbridge Building Society', 'Northgate Building Society'], 'early')
    days(14)
    assert.deepEqual(await lenders('LW-7'), ['Northgate Building Society'])
    assert.deepEqual(await lenders('LW-8'), ['Tamarbridge Building Society'])
  })

  const good = () => envelope(account(), extractOf(messageId(), 'ST500678'))
  const faults: [string, (xml: string) => string, string][] = [
    ['a wrong password', (xml) => xml.replace(account().password, 'wrong'), 'wsse:FailedAuthentication'],
    ['no security', (xml) => xml.replaceAll(/<wsse:Security.*<\/wsse:Security>/g, ''), 'soapenv:Client'],
    ['a digest of a password', (xml) => xml.replace('#PasswordText', '#PasswordDigest'), 'wsse:InvalidSecurity'],
    ['no locale', (xml) => xml.replace('<i18n:locale>en</i18n:locale>', ''), 'soapenv:Client'],
    ['a document type', (xml) => xml.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>'), 'soapenv:Client'],
    ['what is not XML', () => '<a><b></a>', 'soapenv:Client'],
    [
      'an element out of order',
      (xml) => xml.replace(/(<q:ExternalReference>.*<\/q:ExternalReference>)\n(.*)/, '$2$1'),
      'soapenv:SchemaFault',
    ],
    ['a title number of a wrong form', (xml) => xml.replace('>ST500678<', '>st500678<'), 'soapenv:SchemaFault'],
    ['a short message id', (xml) => xml.replaceAll(/>message-\d+</g, '>m<'), 'soapenv:SchemaFault'],
    ['a long reference', (xml) => xml.replaceAll('>LW-1<', `>${'x'.repeat(26)}<`), 'soapenv:SchemaFault'],
    ['another namespace', (xml) => xml.replaceAll('RequestOCWithSummaryV2_0', 'Other'), 'soapenv:SchemaFault'],
    ['no wrapper', (xml) => xml.replaceAll(/<\/?arg0[^>]*>/g, ''), 'soapenv:Client'],
  ]
  for (const [what, change, code] of faults) {
    it(`answers ${what} with a fault`, async () => {
      const xml = change(good())
      const { status, text } = await client.soap(EXTRACT, xml)
      assert.equal(status, 500)
      assert.equal(textAt(bodyOf(text), 'faultcode'), code, text)
    })
  }
})
