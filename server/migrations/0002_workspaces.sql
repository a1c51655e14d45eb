-- The matter: a workspace with its parties, its title as the registry answered, and the lodgement case.

create table workspaces (
  workspace_id uuid primary key,
  seq bigint generated always as identity unique,
  workspace_reference_id text not null unique,
  reference text not null,
  status text not null,
  security_address jsonb not null,
  postcode text not null,
  lender_id uuid not null references subscribers,
  law_firm_id uuid not null references subscribers,
  title_number text,
  borrowers_validation_status text not null,
  transfer_of_equity boolean not null default false,
  completion_date date,
  cancellation_reason text,
  cancellation_notes text,
  audit_seq bigint not null default 0,
  audit_hash bytea not null default '',
  created_at timestamptz not null,
  created_by text not null,
  last_modified_at timestamptz not null,
  last_modified_by text not null
);
create sequence workspace_reference_numbers owned by workspaces.workspace_reference_id;
-- A page of the list is read from one of these, newest first, however many workspaces there are.
create index workspaces_of_lender on workspaces (lender_id, seq desc);
create index workspaces_of_law_firm on workspaces (law_firm_id, seq desc);
create index workspaces_of_lender_by_status on workspaces (lender_id, status, seq desc);
create index workspaces_of_law_firm_by_status on workspaces (law_firm_id, status, seq desc);
create index workspaces_by_reference on workspaces (reference, seq desc);
create index workspaces_by_title_number on workspaces (title_number, seq desc);
create index workspaces_by_postcode on workspaces (postcode, seq desc);

-- Borrowers as the lender named them, and the outgoing proprietors whom reconciliation adds.
create table parties (
  party_id uuid primary key,
  workspace_id uuid not null references workspaces,
  position integer not null,
  role text not null check (role in ('BORROWER', 'INCOMING_PROPRIETOR', 'OUTGOING_PROPRIETOR')),
  name jsonb not null,
  proprietor_id uuid,
  unique (workspace_id, position)
);

create table titles (
  title_id uuid primary key,
  workspace_id uuid not null unique references workspaces,
  title_number text not null,
  search_status text not null check (search_status in ('INITIATED', 'PENDING', 'SUCCESS', 'FAILED')),
  search_failure text,
  first_asked_at timestamptz,
  tenure text,
  register jsonb
);

-- The registered proprietors of the title. `name` is the present one, `registered_name` what the register says.
create table proprietors (
  proprietor_id uuid primary key,
  workspace_id uuid not null references workspaces,
  position integer not null,
  name jsonb not null,
  registered_name jsonb not null,
  aliases jsonb not null,
  outgoing boolean not null default false,
  unique (workspace_id, position)
);

create table lodgement_cases (
  lodgement_case_id uuid primary key,
  workspace_id uuid not null unique references workspaces,
  status text not null,
  registry_reference text,
  priority_at timestamptz,
  early_completion boolean not null default false,
  created_at timestamptz not null,
  created_by text not null,
  last_modified_at timestamptz not null,
  last_modified_by text not null
);

create table lodgement_applications (
  application_id uuid primary key,
  lodgement_case_id uuid not null references lodgement_cases,
  seq bigint generated always as identity,
  application_type text not null,
  status text not null,
  /* the proprietor whose change of name it registers */
  proprietor_id uuid,
  transaction_value_pence bigint,
  mortgage_deed_reference text,
  mortgage_deed_reference_type text,
  is_effective boolean,
  submitted_at timestamptz,
  submitted_by text,
  created_at timestamptz not null,
  created_by text not null,
  last_modified_at timestamptz not null,
  last_modified_by text not null
);
create index lodgement_applications_of_case on lodgement_applications (lodgement_case_id, seq);

-- What the registry issued: the register as it then was, and where it is a completion document, its PDF.
create table title_documents (
  title_document_id uuid primary key,
  seq bigint generated always as identity,
  lodgement_case_id uuid not null references lodgement_cases,
  title_id uuid not null references titles,
  document_type text not null,
  register jsonb not null,
  official_copy_at timestamptz not null,
  sha256 text references blobs,
  size bigint,
  created_at timestamptz not null
);
create index title_documents_of_case on title_documents (lodgement_case_id, seq desc);
create index title_documents_blob on title_documents (sha256);
