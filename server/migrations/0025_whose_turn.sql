-- compatible: yes
-- Whose turn it is in a workspace. The service decides it and writes it with every change. Those that are there already,
-- and those that a node of the version before changes, are stale until a job has looked at them (`worklist.turns`).
alter table workspaces
  add column turn_who text,
  add column turn_task text,
  add column turn_since timestamptz,
  add column turn_due_at timestamptz,
  add column turn_also jsonb not null default '[]',
  add column turn_stale boolean not null default true,
  -- The entry of the audit that the turn was written with.
  add column turn_seq bigint not null default 0;

create function make_turn_stale() returns trigger language plpgsql as $$
begin
  new.turn_stale := true;
  return new;
end
$$;
create trigger make_turn_stale before update on workspaces for each row
  when (new.audit_seq <> old.audit_seq and new.turn_seq = old.turn_seq and not new.turn_stale)
  execute function make_turn_stale();

create index workspaces_with_stale_turn on workspaces (workspace_id)
  where turn_stale and (turn_who is not null or status not in ('CLOSED', 'CANCELLED'));
create index workspaces_of_lender_by_turn on workspaces
  (lender_id, turn_who, turn_task, coalesce(turn_due_at, 'infinity'), turn_since, workspace_id) where turn_who is not null;
create index workspaces_of_law_firm_by_turn on workspaces
  (law_firm_id, turn_who, turn_task, coalesce(turn_due_at, 'infinity'), turn_since, workspace_id) where turn_who is not null;
