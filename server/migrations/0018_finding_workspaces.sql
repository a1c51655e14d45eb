-- compatible: yes
-- What the list of workspaces is filtered and ordered by, for each side in the order of an index. The copies are kept by
-- triggers, so that they are right whichever version writes.

-- The status of the case beside that of its workspace.
alter table workspaces add column lodgement_case_status text not null default 'CREATED';
update workspaces w set lodgement_case_status = c.status
  from lodgement_cases c where c.workspace_id = w.workspace_id and c.status <> 'CREATED';

create function copy_case_status() returns trigger language plpgsql as $$
begin
  update workspaces set lodgement_case_status = new.status
   where workspace_id = new.workspace_id and lodgement_case_status <> new.status;
  return null;
end
$$;
create trigger copy_case_status after insert or update of status on lodgement_cases
  for each row execute function copy_case_status();

-- By `-seq`, so that the planner does not look for a rare status in the index of all workspaces of a subscriber, which has
-- the same order as `seq desc`.
create index workspaces_of_lender_by_case_status on workspaces (lender_id, status, lodgement_case_status, (-seq));
create index workspaces_of_law_firm_by_case_status on workspaces (law_firm_id, status, lodgement_case_status, (-seq));
drop index workspaces_of_lender_by_status, workspaces_of_law_firm_by_status;
create index workspaces_of_lender_by_status on workspaces (lender_id, status, (-seq));
create index workspaces_of_law_firm_by_status on workspaces (law_firm_id, status, (-seq));
create index workspaces_of_lender_by_completion on workspaces (lender_id, status, completion_date, workspace_id)
  where completion_date is not null;
create index workspaces_of_law_firm_by_completion on workspaces (law_firm_id, status, completion_date, workspace_id)
  where completion_date is not null;

-- References are compared in lower case, so nothing uses the index on the plain ones.
create index workspaces_of_lender_by_reference on workspaces (lender_id, lower(reference), (-seq));
create index workspaces_of_law_firm_by_reference on workspaces (law_firm_id, lower(reference), (-seq));
drop index workspaces_by_reference;

-- With which lenders a law firm shares a workspace.
create index workspaces_of_both on workspaces (law_firm_id, lender_id);

create index lodgement_cases_by_registry_reference on lodgement_cases (registry_reference)
  where registry_reference is not null;

-- When the newest event of a workspace happened. A table of its own, because it changes with every event, and a row of
-- `workspaces` has many indexes.
create table workspace_activity (
  workspace_id uuid primary key references workspaces,
  lender_id uuid not null,
  law_firm_id uuid not null,
  status text not null,
  last_event_at timestamptz not null
);
insert into workspace_activity
select w.workspace_id, lender_id, law_firm_id, status, coalesce(e.at, created_at)
  from workspaces w
  left join (select workspace_id, max(at) as at from events group by workspace_id) e using (workspace_id);
create index workspace_activity_of_lender on workspace_activity (lender_id, status, last_event_at, workspace_id);
create index workspace_activity_of_law_firm on workspace_activity (law_firm_id, status, last_event_at, workspace_id);

create function note_workspace() returns trigger language plpgsql as $$
begin
  insert into workspace_activity values (new.workspace_id, new.lender_id, new.law_firm_id, new.status, new.created_at)
    on conflict (workspace_id) do update set status = excluded.status;
  return null;
end
$$;
create trigger note_workspace after insert or update of status on workspaces
  for each row execute function note_workspace();

create function note_event() returns trigger language plpgsql as $$
begin
  update workspace_activity set last_event_at = new.at
   where workspace_id = new.workspace_id and last_event_at < new.at;
  return null;
end
$$;
create trigger note_event after insert on events
  for each row when (new.workspace_id is not null) execute function note_event();

-- What a borrower is found by. The service normalises names, so those that are there already follow after the upgrade
-- (`title-reconciliation.name-parties`), and so do those that a node of the version before adds.
alter table parties
  add column search_name text collate "C",
  add column lender_id uuid,
  add column law_firm_id uuid;
update parties p set lender_id = w.lender_id, law_firm_id = w.law_firm_id
  from workspaces w where w.workspace_id = p.workspace_id;
create index parties_of_lender_by_name on parties (lender_id, search_name, workspace_id)
  where role <> 'OUTGOING_PROPRIETOR';
create index parties_of_law_firm_by_name on parties (law_firm_id, search_name, workspace_id)
  where role <> 'OUTGOING_PROPRIETOR';
create index parties_unnamed on parties (party_id) where search_name is null;

create function give_party_sides() returns trigger language plpgsql as $$
begin
  select lender_id, law_firm_id into new.lender_id, new.law_firm_id from workspaces where workspace_id = new.workspace_id;
  return new;
end
$$;
create trigger give_party_sides before insert on parties for each row execute function give_party_sides();
