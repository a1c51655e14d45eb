-- compatible: yes
-- How long a workspace has waited for whom, in seconds, before its present turn. Written with each change of the turn.
alter table workspaces add column turn_waited jsonb not null default '{}';

-- What is counted each night. The owner is a subscriber, or all zeros for all of them together.
create table figures (
  owner_id uuid primary key,
  computed_at timestamptz not null,
  document jsonb not null
);
create table figure_days (
  owner_id uuid not null,
  day date not null,
  statuses jsonb not null default '{}',
  deliveries jsonb,
  primary key (owner_id, day)
);
create index figure_days_by_day on figure_days (day);
