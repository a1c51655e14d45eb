import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registerExtract } from '../registry/register-extract.ts'
import { extractRequest, pollRequest, readExtract } from './extract.ts'
import { dayOf, titleCase } from './extract-register.ts'
import { titleFailure } from './search.ts'
import { child, parseXml, textOf } from './xml.ts'

// Everybody here is invented.

const answering = (content: string) =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><n:answer xmlns:n="urn:any">
   <return><r:GatewayResponse xmlns:r="urn:response">${content}</r:GatewayResponse></return></n:answer></s:Body></s:Envelope>`

const entry = (number: string, text: string, facts = '') =>
  `<r:EntryDetails><r:EntryNumber>${number}</r:EntryNumber><r:EntryText>${text}</r:EntryText>${facts}</r:EntryDetails>`

const person = (forenames: string, surname: string, more = '') =>
  `<r:PrivateIndividual><r:Name><r:ForenamesName>${forenames}</r:ForenamesName><r:SurnameName>${surname}</r:SurnameName>
   </r:Name>${more}</r:PrivateIndividual>`

const ADDRESS = `<r:Address><r:PostcodeZone><r:Postcode>CB7 9QZ</r:Postcode></r:PostcodeZone>
  <r:AddressLine><r:Line>1 High Street</r:Line><r:Line>Ely</r:Line></r:AddressLine></r:Address>`

const registerEntry = (number: string, type: string, text: string) =>
  `<r:RegisterEntry><r:EntryNumber>${number}</r:EntryNumber><r:EntryDate>1990-01-02</r:EntryDate>
   <r:EntryType>${type}</r:EntryType><r:EntryText>${text}</r:EntryText></r:RegisterEntry>`

const RESULT = ({ classCode = '10', more = '' } = {}) =>
  answering(`<r:TypeCode>30</r:TypeCode><r:Results><r:ExternalReference><r:Reference>LW1</r:Reference></r:ExternalReference>
  <r:ActualPrice><r:GrossPriceAmount>7.00</r:GrossPriceAmount></r:ActualPrice><r:OCSummaryData>
  <r:OfficialCopyDateTime>2026-05-01T10:04:09</r:OfficialCopyDateTime><r:EditionDate>2020-06-30</r:EditionDate>
  <r:PricePaidEntry>${entry('2', 'Price &#163;185,000.', '<r:Infills><r:Amount>£185,000</r:Amount><r:Date>2005-02-01</r:Date></r:Infills>')}</r:PricePaidEntry>
  ${ADDRESS.replaceAll('r:Address>', 'r:PropertyAddress>')}
  <r:Title><r:TitleNumber>CB100200</r:TitleNumber><r:ClassOfTitleCode>${classCode}</r:ClassOfTitleCode>
  <r:TitleRegistrationDetails><r:DistrictName>East Cambridgeshire</r:DistrictName>
  <r:AdministrativeArea>Cambridgeshire</r:AdministrativeArea><r:LandRegistryOfficeName>Peterborough Office</r:LandRegistryOfficeName>
  <r:LatestEditionDate>2020-06-30</r:LatestEditionDate><r:RegistrationDate>1990-01-02</r:RegistrationDate>
  </r:TitleRegistrationDetails></r:Title>
  <r:RegisterEntryIndicators><r:BankruptcyIndicator>true</r:BankruptcyIndicator><r:CCBIIndicator>false</r:CCBIIndicator>
  </r:RegisterEntryIndicators>
  <r:Proprietorship><r:CurrentProprietorshipDate>2005-03-04</r:CurrentProprietorshipDate>
  <r:RegisteredProprietorParty>${person('ANN MARIE', 'O’NEILL-MCKAY', '<r:Alias><r:SurnameName>Lee</r:SurnameName></r:Alias>')}${ADDRESS}</r:RegisteredProprietorParty>
  <r:RegisteredProprietorParty><r:Organization><r:Name>Lee &amp; Sons Ltd</r:Name>
  <r:CompanyRegistrationNumber>01234567</r:CompanyRegistrationNumber></r:Organization></r:RegisteredProprietorParty></r:Proprietorship>
  <r:RestrictionDetails><r:RestrictionEntry><r:NonChargeRestriction><r:RestrictionTypeCode>10</r:RestrictionTypeCode>
  ${entry('3', 'RESTRICTION: Nothing alone.', '<r:SubRegisterCode>B</r:SubRegisterCode>')}</r:NonChargeRestriction></r:RestrictionEntry></r:RestrictionDetails>
  <r:Charge><r:ChargeEntry><r:ChargeID>77</r:ChargeID><r:ChargeDate>2005-03-01</r:ChargeDate>
  <r:RegisteredCharge>${entry('2', 'The deed.', '<r:RegistrationDate>2005-03-04</r:RegistrationDate><r:SubRegisterCode>C</r:SubRegisterCode>')}</r:RegisteredCharge>
  <r:ChargeProprietor><r:ChargeeParty><r:Organization><r:Name>OLD BANK PLC</r:Name></r:Organization></r:ChargeeParty>
  ${entry('3', 'The lender.')}</r:ChargeProprietor></r:ChargeEntry></r:Charge>${more}</r:OCSummaryData>
  <r:OCRegisterData><r:PropertyRegister>${registerEntry('1', 'Property Description', 'The land.')}${registerEntry('2', 'Easement', 'A way.')}</r:PropertyRegister>
  <r:ProprietorshipRegister>${registerEntry('1', 'Proprietor', 'PROPRIETOR: ANN')}${registerEntry('2', 'Price Paid', 'Price.')}${registerEntry('3', 'Restriction', 'RESTRICTION: Nothing alone.')}</r:ProprietorshipRegister>
  <r:ChargesRegister>${registerEntry('1', 'Covenant', 'No pigs.')}${registerEntry('2', 'Charge', 'The deed.')}${registerEntry('3', 'Chargee', 'The lender.')}</r:ChargesRegister>
  </r:OCRegisterData></r:Results>`)

const copyIn = (text: string) => {
  const answer = readExtract(text)
  return answer.kind === 'result' ? answer.copy : assert.fail(answer.kind)
}

describe('a register extract', () => {
  it('becomes our register data', () => {
    const { register, officialCopyAt } = copyIn(RESULT())
    assert.deepEqual(officialCopyAt, new Date('2026-05-01T10:04:09Z'))
    const { entries: _, indicators, ...data } = register
    const home = { lines: ['1 High Street', 'Ely'], postcode: 'CB7 9QZ' }
    assert.deepEqual(data, {
      titleNumber: 'CB100200',
      tenure: 'FREEHOLD',
      classOfTitleCode: '10',
      district: 'East Cambridgeshire',
      administrativeArea: 'Cambridgeshire',
      office: 'Peterborough Office',
      registeredOn: '1990-01-02',
      editionDate: '2020-06-30',
      property: { address: home, description: 'The land.' },
      rights: [{ enteredOn: '1990-01-02', text: 'A way.' }],
      proprietorsSince: '2005-03-04',
      proprietors: [
        {
          type: 'INDIVIDUAL',
          forenames: 'Ann Marie',
          surname: 'O’Neill-McKay',
          aliases: [{ forenames: '', surname: 'Lee' }],
          addresses: [home],
        },
        { type: 'ORGANISATION', organisationName: 'Lee & Sons Ltd', registrationNumber: '01234567', addresses: [] },
      ],
      pricePaid: { pence: 185_000_00, paidOn: '2005-02-01' },
      restrictions: [{ type: 'JOINT_PROPRIETOR', enteredOn: '1990-01-02', text: 'Nothing alone.' }],
      burdens: [{ enteredOn: '1990-01-02', text: 'No pigs.' }],
      charges: [
        {
          chargeId: '77',
          dated: '2005-03-01',
          enteredOn: '2005-03-04',
          chargees: [{ type: 'ORGANISATION', organisationName: 'OLD BANK PLC', addresses: [] }],
        },
      ],
    })
    assert.deepEqual(indicators, { bankruptcyIndicator: true, ccbiIndicator: false })
  })

  it('keeps the entries word for word, and the title document shows them', () => {
    const { ocRegisterData, ocSummaryData } = registerExtract(copyIn(RESULT()))
    assert.deepEqual(
      ocRegisterData.chargesRegister?.registerEntry.map((one) => [one.entryNumber, one.entryType, one.entryText]),
      [
        ['1', 'Covenant', ['No pigs.']],
        ['2', 'Charge', ['The deed.']],
        ['3', 'Chargee', ['The lender.']],
      ],
    )
    assert.equal(ocSummaryData.charge?.chargeEntry[0]?.registeredCharge.entryDetails.entryNumber, '2')
    assert.equal(ocSummaryData.registerEntryIndicators.bankruptcyIndicator, true)
  })

  for (const [classCode, tenure] of [
    ['20', 'FREEHOLD'],
    ['60', 'LEASEHOLD'],
    ['90', 'LEASEHOLD'],
  ]) {
    it(`of class ${classCode} is ${tenure}`, () => {
      assert.equal(copyIn(RESULT({ classCode })).register.tenure, tenure)
    })
  }

  for (const classCode of ['40', '50', '100', '110', '120', '130']) {
    it(`of class ${classCode} is not supported`, () => {
      assert.deepEqual(readExtract(RESULT({ classCode })), { kind: 'not supported', pricePence: 700 })
    })
  }
})

describe('other answers of the register extract service', () => {
  const acknowledged = (at: string) =>
    answering(`<r:TypeCode>10</r:TypeCode><r:Acknowledgement><r:AcknowledgementDetails><r:UniqueID>m</r:UniqueID>
      <r:ExpectedResponseDateTime>${at}</r:ExpectedResponseDateTime></r:AcknowledgementDetails></r:Acknowledgement>`)
  const fault = (code: string) =>
    `<s:Envelope xmlns:s="urn:s"><s:Body><s:Fault><faultcode>${code}</faultcode><faultstring>Wrong.</faultstring>
     <detail><x:SchemaException xmlns:x="urn:x">No number.</x:SchemaException></detail></s:Fault></s:Body></s:Envelope>`

  for (const [what, text, answer] of [
    [
      'an acknowledgement',
      acknowledged('2026-05-02T06:30:00'),
      { kind: 'acknowledged', expectedAt: new Date('2026-05-02T06:30:00Z') },
    ],
    ['one without a time', acknowledged(''), { kind: 'acknowledged', expectedAt: undefined }],
    [
      'a rejection',
      answering(`<r:TypeCode>20</r:TypeCode><r:Rejection><r:RejectionResponse><r:Reason>No.</r:Reason><r:Code>x</r:Code>
        <r:ValidationErrors><r:Code>y</r:Code><r:Description>It costs more.</r:Description></r:ValidationErrors>
        </r:RejectionResponse></r:Rejection>`),
      { kind: 'rejected', reason: 'No. It costs more.' },
    ],
    [
      'a fault of the message',
      fault('s:SchemaFault'),
      { kind: 'fault', reason: 'Wrong. No number.', because: 'message' },
    ],
    [
      'of the account',
      fault('wsse:FailedAuthentication'),
      { kind: 'fault', reason: 'Wrong. No number.', because: 'account' },
    ],
    ['of the service', fault('s:Server'), { kind: 'fault', reason: 'Wrong. No number.', because: 'service' }],
  ] as const) {
    it(`include ${what}`, () => assert.deepEqual(readExtract(text), answer))
  }

  it('that cannot be understood are errors', () => {
    assert.throws(() => readExtract('<html>Not found</html>'), /no response of it/)
    assert.throws(() => readExtract('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'), /declares a document type/)
  })
})

describe('titleFailure', () => {
  for (const [http, status, reason, failure] of [
    [404, undefined, 'No.', 'NOT_FOUND'],
    [200, 'CLOSED_OR_CANCELLED', 'No.', 'CLOSED'],
    [200, 'CLOSED_AND_CONTINUED', 'No.', 'CLOSED'],
    [200, 'PENDING_NEW_TITLE', 'No.', 'PENDING_NEW_TITLE'],
    [200, 'VALID', 'It cannot be delivered electronically.', 'NOT_SUPPORTED'],
  ] as const) {
    it(`is ${failure} for ${http} ${status ?? ''}`, () => assert.equal(titleFailure(http, status, reason), failure))
  }

  it('reports any other rejection as it is', () => {
    assert.throws(() => titleFailure(200, 'VALID', 'The fee is wrong.'), /The fee is wrong\./)
  })
})

describe('what is sent to the register extract service', () => {
  const wrapper = { soapNamespace: 'urn:ws', soapOperation: 'ask', soapPollOperation: 'poll' }
  const by = { username: 'me', password: 'a<b&c' }

  it('names the title, the price and our reference, and escapes what it holds', () => {
    const request = { messageId: 'message-1', titleNumber: 'CB100200', reference: 'LW260000001', pricePence: 700 }
    const text = extractRequest(wrapper, by, request)
    const sent = child(parseXml(text), 'Envelope')
    assert.equal(textOf(child(sent, 'Header', 'Security', 'UsernameToken', 'Password')), by.password)
    const product = child(sent, 'Body', 'ask', 'arg0', 'Product')
    assert.deepEqual(
      [
        textOf(product, 'SubjectProperty', 'TitleNumber'),
        textOf(product, 'ExpectedPrice', 'GrossPriceAmount'),
        textOf(product, 'ExternalReference', 'Reference'),
        textOf(product, 'TitleKnownOfficialCopy', 'ContinueIfActualFeeExceedsExpectedFeeIndicator'),
      ],
      ['CB100200', '7.00', 'LW260000001', 'false'],
    )
  })

  it('asks for a result by the message id', () => {
    const sent = parseXml(pollRequest(wrapper, by, 'message-1'))
    assert.equal(textOf(sent, 'Envelope', 'Body', 'poll', 'arg0', 'ID', 'MessageID'), 'message-1')
  })
})

describe('words of the register', () => {
  it('are in title case where they were all in capitals', () => {
    const names = ['MCDONALD', 'd’Arcy', "O'BRIEN", 'ÉLODIE-ANNE', 'van der Berg', '']
    assert.deepEqual(names.map(titleCase), ['McDonald', 'd’Arcy', "O'Brien", 'Élodie-Anne', 'van der Berg', ''])
  })

  it('are days, in either way of writing them', () => {
    assert.deepEqual(['2005-03-04', '2005-03-04T00:00:00', '04.03.2005', 'March'].map(dayOf), [
      '2005-03-04',
      '2005-03-04',
      '2005-03-04',
      undefined,
    ])
  })
})
