-- compatible: yes
-- That what a readiness rule found is right as it is, said by a person. One that is taken back or lapses is deleted; the
-- audit keeps it.
create table confirmations (
  confirmation_id uuid primary key,
  seq bigint generated always as identity,
  workspace_id uuid not null references workspaces,
  rule_id text not null,
  field text not null,
  reason text not null,
  confirmed_by text not null,
  confirmed_at timestamptz not null,
  basis text not null
);
create index confirmations_of_workspace on confirmations (workspace_id, seq);
