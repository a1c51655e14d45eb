-- compatible: yes
-- A document that the registry sent: its id there, its kind, the search or submission that it came with, and the registry's
-- name of the requisition, if it came with one. Null for what was uploaded.
alter table files add column registry_document_id text, add column registry_document jsonb;
create unique index files_of_registry on files (workspace_id, registry_document_id)
  where registry_document_id is not null;

-- A letter of the registry that needs no answer. Without a person, the registry itself went on without one.
alter table requisitions drop constraint requisitions_status_check,
  add constraint requisitions_status_check
    check (status in ('OPEN', 'ANSWERED', 'ACCEPTED', 'LAPSED', 'NO_ANSWER_NEEDED')),
  add column closed_at timestamptz,
  add column closed_by text,
  add column closed_reason text;
