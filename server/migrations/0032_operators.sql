-- compatible: yes
-- What operators see in the console.

-- The processes that run, and what each said of itself last. Times are real time, of the database. One that stops removes
-- its row; the row of one that was killed is removed after a day.
create table nodes (
  node_id uuid primary key,
  name text not null,
  version text not null,
  roles text[] not null,
  ready boolean not null,
  checks jsonb not null,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);

-- Who switched maintenance on, and when in real time.
alter table service_state add column maintenance_by text;
alter table service_state add column maintenance_since timestamptz;

-- When a client last called, to the minute. Apart from `clients`, which only operators may write.
create table client_uses (
  client_id text primary key references clients,
  used_at timestamptz not null
);

-- Verifications of the audit that operators asked for, and their outcome. Times are those of the business clock.
create table audit_checks (
  check_id uuid primary key,
  asked_by text not null,
  asked_at timestamptz not null,
  ended_at timestamptz,
  report jsonb
);
create index audit_checks_newest on audit_checks (asked_at desc);

-- Entries are nearly in the order of their times, so that this finds a day and costs a write nothing.
create index audit_entries_at on audit_entries using brin ((entry ->> 'at')) with (autosummarize = on);
