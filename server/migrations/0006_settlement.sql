-- The money: what comes in, where it goes, who approved it, and what was settled. Whole pence.

create table settlement_schedules (
  schedule_id uuid primary key,
  workspace_id uuid not null unique references workspaces,
  status text not null check (status in ('DRAFT', 'PREPARED', 'AUTHORISED', 'SETTLED')),
  /* the person behind the last change to the schedule or its lines, where that change named one: four eyes */
  changed_by_user text,
  authorised_at timestamptz,
  authorised_by text,
  created_at timestamptz not null,
  created_by text not null,
  last_modified_at timestamptz not null,
  last_modified_by text not null
);
insert into settlement_schedules (schedule_id, workspace_id, status, created_at, created_by, last_modified_at, last_modified_by)
select gen_random_uuid(), workspace_id, 'DRAFT', created_at, created_by, created_at, created_by from workspaces;

create table line_items (
  line_item_id uuid primary key,
  seq bigint generated always as identity,
  schedule_id uuid not null references settlement_schedules,
  type text not null check (type in ('SOURCE', 'DESTINATION')),
  category text not null,
  amount_pence bigint not null check (amount_pence > 0),
  reference text not null,
  bank_account jsonb,
  check ((bank_account is not null) = (type = 'DESTINATION'))
);
create index line_items_of_schedule on line_items (schedule_id, seq);

-- Every financial approval and its taking back, as stated by the caller.
create table schedule_approvals (
  seq bigint generated always as identity primary key,
  schedule_id uuid not null references settlement_schedules,
  action text not null check (action in ('APPROVE', 'UNAPPROVE')),
  approved_by text not null,
  at timestamptz not null
);
create index schedule_approvals_of_schedule on schedule_approvals (schedule_id, seq);

-- One attempt to have a schedule paid. Its id is the message id, which makes a repeat harmless.
create table settlements (
  settlement_id uuid primary key,
  schedule_id uuid not null references settlement_schedules,
  workspace_id uuid not null references workspaces,
  status text not null check (status in ('INITIATED', 'SETTLED', 'REFUSED')),
  /* the lines as they were paid, which later reports show */
  lines jsonb not null,
  initiated_at timestamptz not null,
  settled_at timestamptz,
  /* how it was paid, and the bank's own name for it */
  scheme text,
  payment_reference text,
  failure_reason text,
  check ((settled_at is not null) = (status = 'SETTLED')),
  check ((failure_reason is not null) = (status = 'REFUSED'))
);
-- A schedule is never settled twice, nor while an attempt is under way, whatever the code may think.
create unique index settlements_alive on settlements (schedule_id) where status <> 'REFUSED';
create index settlements_settled on settlements (settled_at) where status = 'SETTLED';
create index settlements_of_workspace on settlements (workspace_id);

-- The memory of the sandbox's bank. No other part of the house looks into it.
create table simulated_payments (
  message_id text primary key,
  instruction jsonb not null,
  received_at timestamptz not null
);
