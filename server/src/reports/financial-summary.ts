import { type Cells, day, moment, pounds, type Report, SUBSCRIBER_REFERENCE, words, yesNo } from './cells.ts'
import { CASE_FEE } from './fee.ts'

// The money of each workspace.

const cells: Cells = {
  report_date: day('report_day.date'),
  workspace_id: 'w.workspace_id',
  workspace_reference: 'w.workspace_reference_id',
  subscriber_reference: words(SUBSCRIBER_REFERENCE),
  transaction_type: `'REMORTGAGE'`,
  workspace_status: 'w.status',
  law_firm_name: words('firm.name'),
  lender_name: words('lender.name'),
  property_postcode: words('w.postcode'),
  title_number: words('w.title_number'),
  completion_date: day('w.completion_date'),
  currency: `'GBP'`,
  mortgage_advance: pounds('lines.advance'),
  redemption_total: pounds('lines.redemption'),
  conveyancing_fees_total: pounds('lines.fees'),
  surplus_total: pounds('lines.surplus'),
  onward_funds_total: pounds('lines.onward'),
  total_sources: pounds('lines.sources'),
  total_destinations: pounds('lines.destinations'),
  difference: pounds('(lines.sources - lines.destinations)'),
  funds_authorised: yesNo('s.authorised_at is not null'),
  funds_authorised_at: moment('s.authorised_at'),
  funds_authorised_by: words('s.authorised_by'),
  settlement_status: 's.status',
  settled_at: moment('settled.settled_at'),
  hmlr_fee: pounds('fee.pence'),
  last_updated_at: moment('w.last_modified_at'),
}

const sumOf = (condition: string) => `coalesce(sum(amount_pence) filter (where ${condition}), 0)`

const rows = (isOwn: string): string => `
  from report_day, workspaces w
  join subscribers lender on lender.subscriber_id = w.lender_id
  join subscribers firm on firm.subscriber_id = w.law_firm_id
  join settlement_schedules s on s.workspace_id = w.workspace_id
  join lodgement_cases c on c.workspace_id = w.workspace_id
  left join settlements settled on settled.schedule_id = s.schedule_id and settled.status = 'SETTLED'
  cross join lateral (
    select ${sumOf(`category = 'Mortgage Advance'`)} as advance, ${sumOf(`category = 'Redemption'`)} as redemption,
           ${sumOf(`category = 'Conveyancing Fees'`)} as fees, ${sumOf(`category = 'Surplus'`)} as surplus,
           ${sumOf(`category = 'Onward Funds'`)} as onward, ${sumOf(`type = 'SOURCE'`)} as sources,
           ${sumOf(`type = 'DESTINATION'`)} as destinations
      from line_items l where l.schedule_id = s.schedule_id) lines
  cross join lateral (${CASE_FEE}) fee
 where ${isOwn} and w.created_at < report_day.until
 order by w.seq`

export const financialSummary: Report = { cells, rows }
