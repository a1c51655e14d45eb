import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDestination } from '../../test/fixtures/line-items.ts'
import type { PaymentFile } from './rules-file.ts'
import { writeFile } from './write-file.ts'

const AT = new Date('2026-06-01T08:00:00Z')
const LINE_ID = 'c2d29867-3d0b-4497-9191-18a9d8ee7830'
const debtor = { accountName: 'Harbour Conveyancing LLP Client', accountNumber: '31926819', sortCode: '110001' }

const payment = (amountPence: number, accountName: string, reference = 'REM-1'): PaymentFile['payments'][number] => ({
  ...aDestination(amountPence),
  lineItemId: LINE_ID,
  reference,
  bankAccount: { accountName, accountNumber: '00345678', sortCode: '204060' },
})

const fileOf = (...payments: PaymentFile['payments'][number][]): PaymentFile => ({
  authorisation: 'schedule 2026-05-28T11:00:00.000Z',
  executionDate: '2026-06-01',
  debtor,
  payments,
})

describe('the ISO 20022 message', () => {
  it('is one block of credit transfers in sterling, by sort code and account number', () => {
    const text = writeFile.PAIN_001(fileOf(payment(205_150_07, 'Moorland & Vale', `<"'>`), payment(5, 'B')), AT)
    const lines = text.split('\n').map((line) => line.trim())
    const id = /<MsgId>([0-9a-f]{32})<\/MsgId>/.exec(text)?.[1]
    assert.deepEqual(lines.slice(0, 30), [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">',
      '<CstmrCdtTrfInitn>',
      '<GrpHdr>',
      `<MsgId>${id}</MsgId>`,
      '<CreDtTm>2026-06-01T08:00:00.000Z</CreDtTm>',
      '<NbOfTxs>2</NbOfTxs>',
      '<CtrlSum>205150.12</CtrlSum>',
      '<InitgPty><Nm>Harbour Conveyancing LLP Client</Nm></InitgPty>',
      '</GrpHdr>',
      '<PmtInf>',
      `<PmtInfId>${id}</PmtInfId>`,
      '<PmtMtd>TRF</PmtMtd>',
      '<NbOfTxs>2</NbOfTxs>',
      '<CtrlSum>205150.12</CtrlSum>',
      '<ReqdExctnDt><Dt>2026-06-01</Dt></ReqdExctnDt>',
      '<Dbtr><Nm>Harbour Conveyancing LLP Client</Nm></Dbtr>',
      '<DbtrAcct><Id><Othr><Id>31926819</Id></Othr></Id><Ccy>GBP</Ccy></DbtrAcct>',
      `<DbtrAgt>${BANK('110001')}</DbtrAgt>`,
      '<CdtTrfTxInf>',
      '<PmtId><EndToEndId>c2d298673d0b4497919118a9d8ee7830</EndToEndId></PmtId>',
      '<Amt><InstdAmt Ccy="GBP">205150.07</InstdAmt></Amt>',
      `<CdtrAgt>${BANK('204060')}</CdtrAgt>`,
      '<Cdtr><Nm>Moorland &amp; Vale</Nm></Cdtr>',
      '<CdtrAcct><Id><Othr><Id>00345678</Id></Othr></Id></CdtrAcct>',
      '<RmtInf><Ustrd>&lt;&quot;&apos;&gt;</Ustrd></RmtInf>',
      '</CdtTrfTxInf>',
      '<CdtTrfTxInf>',
      '<PmtId><EndToEndId>c2d298673d0b4497919118a9d8ee7830</EndToEndId></PmtId>',
      '<Amt><InstdAmt Ccy="GBP">0.05</InstdAmt></Amt>',
    ])
  })

  it('adds up the largest amounts to the penny', () => {
    const most = payment(99_999_999_999_999, 'A')
    const text = writeFile.PAIN_001(fileOf(...Array.from({ length: 49 }, () => most)), AT)
    assert.match(text, /<CtrlSum>48999999999999\.51<\/CtrlSum>/)
  })
})

const BANK = (sortCode: string) =>
  `<FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>${sortCode}</MmbId></ClrSysMmbId></FinInstnId>`

describe('the CSV file', () => {
  it('has a row for each destination, and quotes what needs it', () => {
    const text = writeFile.CSV(fileOf(payment(205_150_07, 'Moorland, "Vale"'), payment(5, 'B & C')), AT)
    const own = '2026-06-01,Harbour Conveyancing LLP Client,110001,31926819'
    assert.equal(
      text,
      'execution_date,debtor_name,debtor_sort_code,debtor_account_number,payee_name,payee_sort_code,' +
        'payee_account_number,amount,currency,reference,end_to_end_id\r\n' +
        `${own},"Moorland, ""Vale""",204060,00345678,205150.07,GBP,REM-1,c2d298673d0b4497919118a9d8ee7830\r\n` +
        `${own},B & C,204060,00345678,0.05,GBP,REM-1,c2d298673d0b4497919118a9d8ee7830\r\n`,
    )
  })
})
