-- From the first document to the registered title: files, approvals, submissions, and what the registry says of them.

alter table workspaces add column status_since timestamptz;
update workspaces set status_since = last_modified_at;
alter table workspaces alter column status_since set not null;

alter table lodgement_cases
  /* whether every rule of readiness passes; judged anew with each change */
  add column ready boolean not null default false,
  /* the person behind the last change to an application or its documents, where that change named one: four eyes */
  add column changed_by_user text,
  add column approved_by text,
  add column approved_at timestamptz,
  add column lodged_at timestamptz,
  add column registered_at timestamptz,
  add column discharge_registered_at timestamptz;

-- Uploaded documents. Their bytes are kept by hash; a row is written only after them.
create table files (
  file_id uuid primary key,
  seq bigint generated always as identity,
  workspace_id uuid not null references workspaces,
  /* what it is attached to; none for a document of the workspace */
  application_id uuid references lodgement_applications,
  /* who uploaded it, and may withdraw it */
  subscriber_id uuid not null references subscribers,
  file_name text not null,
  document_type text not null,
  document_category text not null
    check (document_category in ('APPLICATION_DOCUMENT', 'SUPPORTING_DOCUMENT', 'WORKSPACE_SUPPORTING_DOCUMENT')),
  certification_type text not null check (certification_type in ('CERTIFIED', 'ORIGINAL', 'SCANNED')),
  sha256 text not null references blobs,
  size bigint not null,
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED', 'WITHDRAWN')),
  failure_reason text,
  superseded_by uuid references files,
  /* of the request that brought it: its outcome bears the same */
  correlation_id text not null,
  created_at timestamptz not null,
  created_by text not null,
  last_modified_at timestamptz not null,
  last_modified_by text not null,
  check ((failure_reason is not null) = (status = 'FAILED'))
);
create index files_of_workspace on files (workspace_id, seq);
create index files_of_application on files (application_id, seq) where application_id is not null;
create index files_blob on files (sha256);
/* an application has one main document that counts */
create unique index files_main on files (application_id)
  where document_category = 'APPLICATION_DOCUMENT' and status = 'SUCCESS' and superseded_by is null;
create index files_superseding on files (superseded_by) where superseded_by is not null;

-- One sending of a case to the registry. Its id is the message id, which makes a repeat harmless.
create table submissions (
  submission_id uuid primary key,
  lodgement_case_id uuid not null references lodgement_cases,
  /* 1 for the first of a case */
  number integer not null,
  approved_by text not null,
  correlation_id text not null,
  created_at timestamptz not null,
  /* what was sent, as it was then; set when it is sent for the first time */
  content jsonb,
  sent_at timestamptz,
  unique (lodgement_case_id, number)
);

-- What the registry said of a submission. One that comes again is found here and changes nothing.
create table registry_notices (
  submission_id uuid not null references submissions,
  notice_id text not null,
  seq bigint generated always as identity,
  kind text not null,
  at timestamptz not null,
  primary key (submission_id, notice_id)
);

create table requisitions (
  requisition_id uuid primary key,
  seq bigint generated always as identity,
  lodgement_case_id uuid not null references lodgement_cases,
  submission_id uuid not null references submissions,
  /* the registry's own name for it, which an answer bears */
  registry_id text not null,
  points jsonb not null,
  received_at timestamptz not null,
  due_at timestamptz not null,
  status text not null check (status in ('OPEN', 'ANSWERED', 'LAPSED')),
  answer text,
  answer_file_ids uuid[],
  answered_at timestamptz,
  answered_by text,
  check ((answered_at is not null) = (status = 'ANSWERED'))
);
create index requisitions_of_case on requisitions (lodgement_case_id, seq);
create unique index requisitions_open on requisitions (lodgement_case_id) where status = 'OPEN';

-- The memory of the sandbox's registry. No other part of the house looks into it.
create table simulated_lodgements (
  message_id text primary key,
  seq bigint generated always as identity,
  customer_reference text not null,
  lodgement jsonb not null,
  received_at timestamptz not null,
  /* answers to its requisitions: when each was given, by the registry's name for the requisition */
  replies jsonb not null default '{}'
);
create index simulated_lodgements_of_customer on simulated_lodgements (customer_reference, seq);
