import { type Cells, day, moment, pounds, type Report, SUBSCRIBER_REFERENCE, words } from './cells.ts'

// Every movement of money that settled on the day, one row for each line as it was paid.

const account = (part: string) => `line.item -> 'bankAccount' ->> '${part}'`

const cells: Cells = {
  settlement_date: day('report_day.date'),
  settlement_id: 's.settlement_id',
  workspace_id: 'w.workspace_id',
  workspace_reference: 'w.workspace_reference_id',
  subscriber_reference: words(SUBSCRIBER_REFERENCE),
  line_item_id: `line.item ->> 'lineItemId'`,
  direction: `line.item ->> 'type'`,
  category: `line.item ->> 'category'`,
  amount: pounds(`(line.item ->> 'amountPence')::bigint`),
  currency: `'GBP'`,
  // The lender and the borrower pay the acting firm, and the firm pays the account in the line.
  payer_name: words(`case when line.item ->> 'category' = 'Borrower Contribution' then 'Borrower'
    when line.item ->> 'type' = 'SOURCE' then lender.name else firm.name end`),
  payee_name: words(`case line.item ->> 'type' when 'SOURCE' then firm.name else ${account('accountName')} end`),
  payee_sort_code_masked: `'**-**-' || right(${account('sortCode')}, 2)`,
  payee_account_last4: `right(${account('accountNumber')}, 4)`,
  payment_reference: words(`line.item ->> 'reference'`),
  payment_scheme: 's.scheme',
  settlement_status: 's.status',
  initiated_at: moment('s.initiated_at'),
  settled_at: moment('s.settled_at'),
  failure_reason: words('s.failure_reason'),
}

const rows = (isOwn: string): string => `
  from report_day, settlements s
  join workspaces w on w.workspace_id = s.workspace_id
  join subscribers lender on lender.subscriber_id = w.lender_id
  join subscribers firm on firm.subscriber_id = w.law_firm_id
  cross join lateral jsonb_array_elements(s.lines) with ordinality as line(item, position)
 where ${isOwn} and s.status = 'SETTLED' and s.settled_at >= report_day.since and s.settled_at < report_day.until
 order by s.settled_at, s.settlement_id, line.position`

export const settlementHistory: Report = { cells, rows }
