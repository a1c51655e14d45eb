-- compatible: yes
-- The names of the borrowers beside their workspace, so that a page of the list does not look them up for each. The service
-- gives them with a new workspace, and a trigger keeps them right after that, whichever version writes. Null for those that
-- were there before and those that a node of the version before adds, until a job has named them
-- (`title-reconciliation.name-parties`).
alter table workspaces add column borrowers jsonb;
create index workspaces_without_borrowers on workspaces (workspace_id) where borrowers is null;

create function borrowers_of(uuid) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(name order by position), '[]') from parties
   where workspace_id = $1 and role <> 'OUTGOING_PROPRIETOR'
$$;

create function copy_borrowers() returns trigger language plpgsql as $$
declare
  changed uuid := coalesce(new.workspace_id, old.workspace_id);
begin
  update workspaces set borrowers = borrowers_of(changed) where workspace_id = changed;
  return null;
end
$$;
create trigger copy_borrowers after update of name, role or delete on parties
  for each row execute function copy_borrowers();
create trigger copy_borrowers_added after insert on parties
  for each row when (new.role <> 'BORROWER') execute function copy_borrowers();

-- A new workspace has the status and the time that these triggers would give it.
drop trigger copy_case_status on lodgement_cases;
create trigger copy_case_status after update of status on lodgement_cases
  for each row execute function copy_case_status();
create trigger copy_first_case_status after insert on lodgement_cases
  for each row when (new.status <> 'CREATED') execute function copy_case_status();
drop trigger note_event on events;
create trigger note_event after insert on events
  for each row when (new.workspace_id is not null and new.type not in ('WORKSPACE_CREATED', 'WORKSPACE_PARTICIPANT_ADDED'))
  execute function note_event();

-- The service gives the sides of a party itself; a node of the version before does not.
drop trigger give_party_sides on parties;
create trigger give_party_sides before insert on parties
  for each row when (new.lender_id is null) execute function give_party_sides();
