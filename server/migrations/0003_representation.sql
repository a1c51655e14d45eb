-- Who acts for a party: the caller's own firm, another law firm, or nobody.

-- A firm outside the platform, told once and shared by every representation that names it again.
create table external_law_firms (
  firm_id uuid primary key,
  workspace_id uuid not null references workspaces,
  name text not null,
  address jsonb not null
);

create table representations (
  representation_id uuid primary key,
  seq bigint generated always as identity,
  workspace_id uuid not null references workspaces,
  /* no reference: reconciliation may take a party away, and what was said of it stays */
  party_id uuid not null,
  represented_by text not null
    check (represented_by in ('PLATFORM_SUBSCRIBER_LAW_FIRM', 'EXTERNAL_LAW_FIRM', 'NOT_REPRESENTED')),
  subscriber_id uuid references subscribers,
  firm_id uuid references external_law_firms,
  reference_number text,
  verification_of_identity text,
  status text not null check (status in ('QUEUED', 'ACTIVE', 'FAILED', 'SUPERSEDED')),
  failure_reason text,
  /* of the request that asked for it: its outcome bears the same */
  correlation_id text not null,
  created_at timestamptz not null,
  created_by text not null,
  last_modified_at timestamptz not null,
  last_modified_by text not null,
  check ((subscriber_id is not null) = (represented_by = 'PLATFORM_SUBSCRIBER_LAW_FIRM')),
  check ((firm_id is not null) = (represented_by = 'EXTERNAL_LAW_FIRM')),
  check ((failure_reason is not null) = (status = 'FAILED'))
);
create index representations_of_workspace on representations (workspace_id, seq);
create index representations_queued on representations (workspace_id, seq) where status = 'QUEUED';
create index representations_of_firm on representations (firm_id) where firm_id is not null;
-- A party is represented once at a time, whatever the code may think.
create unique index representations_active on representations (party_id) where status = 'ACTIVE';
