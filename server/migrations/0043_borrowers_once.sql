-- compatible: yes
-- A node of this version writes the names of the borrowers with the workspace; one of the version before does not.
create or replace function copy_borrowers() returns trigger language plpgsql as $$
declare
  changed uuid := coalesce(new.workspace_id, old.workspace_id);
  names jsonb := borrowers_of(changed);
begin
  update workspaces set borrowers = names where workspace_id = changed and borrowers is distinct from names;
  return null;
end
$$;
