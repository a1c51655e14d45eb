import { type Cells, day, moment, type Report, SUBSCRIBER_REFERENCE, words, yesNo } from './cells.ts'

// The progress of each workspace.

const address = (part: string) => `w.security_address ->> '${part}'`
const ADDRESS = `concat_ws(', ', ${address('flat')}, ${address('name')},
  concat_ws(' ', ${address('number')}, ${address('street')}), ${address('locality')}, ${address('town')},
  ${address('county')})`

const sinceIf = (status: string) => moment(`case w.status when '${status}' then w.status_since end`)

const cells: Cells = {
  report_date: day('report_day.date'),
  workspace_id: 'w.workspace_id',
  workspace_reference: 'w.workspace_reference_id',
  subscriber_reference: words(SUBSCRIBER_REFERENCE),
  transaction_type: `'REMORTGAGE'`,
  status: 'w.status',
  created_at: moment('w.created_at'),
  created_by: words('w.created_by'),
  lender_name: words('lender.name'),
  law_firm_name: words('firm.name'),
  borrower_count: 'borrowers.total',
  borrower_type: 'borrowers.type',
  property_address: words(ADDRESS),
  postcode: words('w.postcode'),
  title_number: words('w.title_number'),
  tenure: 't.tenure',
  title_search_status: 't.search_status',
  reconciliation_status: 'w.borrowers_validation_status',
  transfer_of_equity: yesNo('w.transfer_of_equity'),
  lodgement_case_id: 'c.lodgement_case_id',
  lodgement_case_status: 'c.status',
  applications_total: 'applications.total',
  applications_approved: 'applications.approved',
  completion_date: day('w.completion_date'),
  lodged_at: moment('c.lodged_at'),
  hmlr_reference: words('c.registry_reference'),
  priority_at: moment('c.priority_at'),
  requisition_open: yesNo('r.requisition_id is not null'),
  requisition_due_at: moment('r.due_at'),
  registered_at: moment('c.registered_at'),
  early_completion: yesNo('c.early_completion'),
  discharge_registered_at: moment('c.discharge_registered_at'),
  closed_at: sinceIf('CLOSED'),
  cancelled_at: sinceIf('CANCELLED'),
  cancellation_reason: 'w.cancellation_reason',
  // A report that is made late may find a status that began after its day.
  days_in_status: `greatest(0, report_day.date - (w.status_since at time zone 'Europe/London')::date)`,
  last_updated_at: moment('w.last_modified_at'),
}

// Withdrawn ones do not count. An approved one stays approved whatever happens later, unless it is rejected.
const APPLICATIONS = `
  select count(*) as total, count(*) filter (where a.status not in ('DRAFT', 'READY', 'REJECTED')) as approved
    from lodgement_applications a where a.lodgement_case_id = c.lodgement_case_id and a.status <> 'WITHDRAWN'`

const rows = (isOwn: string): string => `
  from report_day, workspaces w
  join subscribers lender on lender.subscriber_id = w.lender_id
  join subscribers firm on firm.subscriber_id = w.law_firm_id
  join lodgement_cases c on c.workspace_id = w.workspace_id
  left join titles t on t.workspace_id = w.workspace_id
  left join requisitions r on r.lodgement_case_id = c.lodgement_case_id and r.status = 'OPEN'
  cross join lateral (
    select count(*) as total, min(p.name ->> 'type') as type
      from parties p where p.workspace_id = w.workspace_id and p.role <> 'OUTGOING_PROPRIETOR') borrowers
  cross join lateral (${APPLICATIONS}) applications
 where ${isOwn} and w.created_at < report_day.until
 order by w.seq`

export const workspaceSummary: Report = { cells, rows }
