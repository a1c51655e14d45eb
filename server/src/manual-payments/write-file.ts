import { createHash } from 'node:crypto'
import type { BankAccount } from '../settlement/rules.ts'
import type { FileFormat, PaymentFile } from './rules-file.ts'

// The two formats of a payment file. All of its texts are ASCII: rules-file.ts has seen to that.

export const writeFile: Record<FileFormat, (file: PaymentFile, at: Date) => string> = { PAIN_001: pain001, CSV: csv }

export const FILE_ENDINGS: Record<FileFormat, string> = { PAIN_001: 'xml', CSV: 'csv' }

/** ISO 20022, pain.001.001.09: one block of credit transfers. */
function pain001({ authorisation, executionDate, debtor, payments }: PaymentFile, at: Date): string {
  const id = createHash('sha256').update(authorisation).digest('hex').slice(0, 32) // 35 characters are allowed
  const sums = `<NbOfTxs>${payments.length}</NbOfTxs>
      <CtrlSum>${pounds(payments.reduce((sum, { amountPence }) => sum + amountPence, 0))}</CtrlSum>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>${id}</MsgId>
      <CreDtTm>${at.toISOString()}</CreDtTm>
      ${sums}
      <InitgPty><Nm>${xml(debtor.accountName)}</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>${id}</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      ${sums}
      <ReqdExctnDt><Dt>${executionDate}</Dt></ReqdExctnDt>
      <Dbtr><Nm>${xml(debtor.accountName)}</Nm></Dbtr>
      <DbtrAcct>${account(debtor)}<Ccy>GBP</Ccy></DbtrAcct>
      <DbtrAgt>${bank(debtor)}</DbtrAgt>
${payments.map(transfer).join('\n')}
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`
}

const transfer = ({ lineItemId, amountPence, reference, bankAccount }: PaymentFile['payments'][number]) => `\
      <CdtTrfTxInf>
        <PmtId><EndToEndId>${endToEndId(lineItemId)}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="GBP">${pounds(amountPence)}</InstdAmt></Amt>
        <CdtrAgt>${bank(bankAccount)}</CdtrAgt>
        <Cdtr><Nm>${xml(bankAccount.accountName)}</Nm></Cdtr>
        <CdtrAcct>${account(bankAccount)}</CdtrAcct>
        <RmtInf><Ustrd>${xml(reference)}</Ustrd></RmtInf>
      </CdtTrfTxInf>`

const account = ({ accountNumber }: BankAccount) => `<Id><Othr><Id>${accountNumber}</Id></Othr></Id>`

/** By its sort code: a member of the UK's domestic clearing. */
const bank = ({ sortCode }: BankAccount) =>
  `<FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>${sortCode}</MmbId></ClrSysMmbId></FinInstnId>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const xml = (text: string) => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one)

const COLUMNS =
  'execution_date,debtor_name,debtor_sort_code,debtor_account_number,payee_name,payee_sort_code,payee_account_number,' +
  'amount,currency,reference,end_to_end_id'

/** RFC 4180. */
function csv({ executionDate, debtor, payments }: PaymentFile): string {
  const rows = payments.map(({ lineItemId, amountPence, reference, bankAccount }) => [
    executionDate,
    ...accountCells(debtor),
    ...accountCells(bankAccount),
    pounds(amountPence),
    'GBP',
    reference,
    endToEndId(lineItemId),
  ])
  return [COLUMNS, ...rows.map((cells) => cells.map(cell).join(','))].map((line) => `${line}\r\n`).join('')
}

const accountCells = ({ accountName, sortCode, accountNumber }: BankAccount) => [accountName, sortCode, accountNumber]

const cell = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const endToEndId = (lineItemId: string) => lineItemId.replaceAll('-', '')

/** From the digits: dividing would round a large sum to another penny. */
const pounds = (pence: number) => String(pence).padStart(3, '0').replace(/(..)$/, '.$1')
