import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { FINANCIAL, HISTORY, reportOf, SUMMARY } from '../../test/fixtures/reports.ts'
import { addLine, readSchedule, scheduleIdOf, settlementsOf } from '../../test/fixtures/schedules.ts'
import { readCase } from '../../test/fixtures/workspaces.ts'
import { endToday, LINES, type Reported, reportedMatters, rowOf, storedOf } from './reported-matters.fixture.ts'

let at: Reported
before(async () => {
  at = await reportedMatters()
})

describe('report-financialsummary-todate', () => {
  it('adds up the money of a workspace, to the penny', async () => {
    const [settlement] = await settlementsOf(at.service, at.paid)
    const { authorisedAt, reference } = await storedOf(at.service, at.paid)
    assert.deepEqual(rowOf(at.financial, at.paid), {
      report_date: at.date,
      workspace_id: at.paid,
      workspace_reference: reference,
      subscriber_reference: 'REM-1',
      transaction_type: 'REMORTGAGE',
      workspace_status: 'FUNDS_EXCHANGED',
      law_firm_name: 'Harbour Conveyancing LLP',
      lender_name: 'Northgate Building Society',
      property_postcode: 'TA1 9QH',
      title_number: 'ST500678',
      completion_date: at.date,
      currency: 'GBP',
      mortgage_advance: '206000.00',
      redemption_total: '150000.10',
      conveyancing_fees_total: '1234.05',
      surplus_total: '55766.15',
      onward_funds_total: '0.00',
      total_sources: '207000.30',
      total_destinations: '207000.30',
      difference: '0.00',
      funds_authorised: 'Y',
      funds_authorised_at: authorisedAt.toISOString(),
      funds_authorised_by: at.authorisedBy,
      settlement_status: 'SETTLED',
      settled_at: settlement?.settledAt?.toISOString(),
      hmlr_fee: await feesShown(at.paid),
      last_updated_at: at.lastModifiedAt,
    })
  })

  it('has a row for each workspace, the oldest first, and zeros where there is no money', () => {
    assert.deepEqual(
      at.financial.map((row) => row['workspace_id']),
      [at.paid, at.cancelled, at.untouched],
    )
    assert.partialDeepStrictEqual(rowOf(at.financial, at.untouched), {
      workspace_status: 'CREATED',
      title_number: '',
      completion_date: '',
      mortgage_advance: '0.00',
      difference: '0.00',
      funds_authorised: 'N',
      funds_authorised_at: '',
      funds_authorised_by: '',
      settlement_status: 'DRAFT',
      settled_at: '',
      hmlr_fee: '',
    })
  })

  it('keeps the sign of a negative amount: it is not a formula', async () => {
    const scheduleId = await scheduleIdOf(at.service, at.untouched)
    assert.equal((await addLine(at.service, scheduleId, { ...LINES[1], amount: 0.07 })).status, 201)
    const rows = await reportOf(at.service, FINANCIAL, await endToday(at.service))
    assert.partialDeepStrictEqual(rowOf(rows, at.untouched), { total_destinations: '0.07', difference: '-0.07' })
  })
})

/** The sum of the fees of a case that the interface shows. */
async function feesShown(workspaceId: string): Promise<string> {
  const { applications } = (await readCase(at.service, workspaceId)) as unknown as {
    applications: { attributes: { landRegistryFee?: number } }[]
  }
  const fee = applications.reduce((sum, { attributes }) => sum + (attributes.landRegistryFee ?? 0), 0)
  assert.ok(fee > 0)
  return fee.toFixed(2)
}

describe('report-settlementhistory-daily', () => {
  it('has a row for each line that was paid on the day, in their order', async () => {
    const [settlement] = await settlementsOf(at.service, at.paid)
    const { lineItems } = await readSchedule(at.service, at.paid)
    const { reference } = await storedOf(at.service, at.paid)
    const common = {
      settlement_date: at.date,
      settlement_id: settlement?.settlementId,
      workspace_id: at.paid,
      workspace_reference: reference,
      subscriber_reference: 'REM-1',
      currency: 'GBP',
      payment_scheme: settlement?.scheme,
      settlement_status: 'SETTLED',
      initiated_at: settlement?.initiatedAt.toISOString(),
      settled_at: settlement?.settledAt?.toISOString(),
      failure_reason: '',
    }
    assert.deepEqual(
      at.history,
      MOVEMENTS.map((movement, index) => ({ ...common, line_item_id: lineItems[index]?.lineItemId, ...movement })),
    )
  })

  it('is the same for both sides of the payment, and empty for all others', async () => {
    assert.deepEqual(await reportOf(at.service, HISTORY, at.date, 'sandbox-law-firm'), at.history)
    for (const other of ['sandbox-other-lender', 'sandbox-other-firm']) {
      for (const name of [FINANCIAL, HISTORY, SUMMARY] as const) {
        assert.deepEqual(await reportOf(at.service, name, at.date, other), [])
      }
    }
  })

  it('never shows a whole account number or sort code', () => {
    assert.doesNotMatch(JSON.stringify(at.history), /12345678|00010002|87654321|204060|20-40-60/)
  })
})

const source = { direction: 'SOURCE', payer_name: 'Northgate Building Society' }
const destination = { direction: 'DESTINATION', payer_name: 'Harbour Conveyancing LLP' }
const MOVEMENTS = [
  {
    ...source,
    category: 'Mortgage Advance',
    amount: '206000.00',
    payee_name: 'Harbour Conveyancing LLP',
    payee_sort_code_masked: '',
    payee_account_last4: '',
    payment_reference: 'REM-2026-0042',
  },
  {
    ...destination,
    category: 'Redemption',
    amount: '150000.10',
    payee_name: 'Westbury Building Society',
    payee_sort_code_masked: '**-**-60',
    payee_account_last4: '5678',
    payment_reference: 'ACC 55/118',
  },
  {
    ...destination,
    category: 'Conveyancing Fees',
    amount: '1234.05',
    payee_name: `'=Harbour "Client" A/C`,
    payee_sort_code_masked: '**-**-60',
    payee_account_last4: '0002',
    payment_reference: `'-FEES, "net"`,
  },
  {
    ...destination,
    category: 'Surplus',
    amount: '55766.15',
    payee_name: 'W & T Prynne',
    payee_sort_code_masked: '**-**-60',
    payee_account_last4: '4321',
    payment_reference: `'=SUM(1, 2)`,
  },
  {
    ...source,
    category: 'Borrower Contribution',
    amount: '1000.30',
    payer_name: 'Borrower',
    payee_name: 'Harbour Conveyancing LLP',
    payee_sort_code_masked: '',
    payee_account_last4: '',
    payment_reference: 'SHORTFALL',
  },
]
