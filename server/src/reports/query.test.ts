import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { headerOf } from './query.ts'
import type { ReportName } from './rules.ts'

// Partners read columns by name and by position, so a change here is a change of the interface.
const HEADERS: Record<ReportName, string> = {
  'report-financialsummary-todate':
    'report_date,workspace_id,workspace_reference,subscriber_reference,transaction_type,workspace_status,law_firm_name,' +
    'lender_name,property_postcode,title_number,completion_date,currency,mortgage_advance,redemption_total,' +
    'conveyancing_fees_total,surplus_total,onward_funds_total,total_sources,total_destinations,difference,' +
    'funds_authorised,funds_authorised_at,funds_authorised_by,settlement_status,settled_at,hmlr_fee,last_updated_at',
  'report-settlementhistory-daily':
    'settlement_date,settlement_id,workspace_id,workspace_reference,subscriber_reference,line_item_id,direction,category,' +
    'amount,currency,payer_name,payee_name,payee_sort_code_masked,payee_account_last4,payment_reference,payment_scheme,' +
    'settlement_status,initiated_at,settled_at,failure_reason',
  'report-workspacesummary-todate':
    'report_date,workspace_id,workspace_reference,subscriber_reference,transaction_type,status,created_at,created_by,' +
    'lender_name,law_firm_name,borrower_count,borrower_type,property_address,postcode,title_number,tenure,' +
    'title_search_status,reconciliation_status,transfer_of_equity,lodgement_case_id,lodgement_case_status,' +
    'applications_total,applications_approved,completion_date,lodged_at,hmlr_reference,priority_at,requisition_open,' +
    'requisition_due_at,registered_at,early_completion,discharge_registered_at,closed_at,cancelled_at,' +
    'cancellation_reason,days_in_status,last_updated_at',
}

const DOCUMENT = readFileSync(new URL('../../../docs/report-columns.md', import.meta.url), 'utf8')

describe('headerOf', () => {
  for (const [name, header] of Object.entries(HEADERS) as [ReportName, string][]) {
    it(`names the columns of ${name} in their order, and so does docs/report-columns.md`, () => {
      assert.equal(headerOf(name), `${header}\r\n`)
      const [, section = ''] = DOCUMENT.split(`## ${name}\n`)
      const cells = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell)
      const documented = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, column]) => column))
      assert.deepEqual(documented, header.split(','))
    })
  }
})
