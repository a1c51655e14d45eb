-- compatible: yes
-- Why a payment was refused, until funds are authorised again: {at, lineItemId, reason}.
alter table settlement_schedules add column failure jsonb;

-- A deed that was attached before it became digital must be uploaded again.
alter table files add column precedes_digital boolean not null default false;

-- An APPLICATION_DOCUMENT need not be a main document, so an application may have several.
drop index files_main;
