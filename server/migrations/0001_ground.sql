-- The ground floor: who may call, what was done, who is told, and what waits for its time.

-- One row that every node reads each second: maintenance, and how far the sandbox's clock was moved. `seeded` tells
-- that the sandbox's world is whole; one that was interrupted is begun again.
create table service_state (
  only_row boolean primary key default true check (only_row),
  maintenance boolean not null default false,
  clock_offset_ms bigint not null default 0,
  seeded boolean not null default false
);
insert into service_state default values;

create table subscribers (
  subscriber_id uuid primary key,
  name text not null,
  kind text not null check (kind in ('LENDER', 'LAW_FIRM')),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  four_eyes boolean not null default true,
  reports boolean not null default true,
  audit_seq bigint not null default 0,
  audit_hash bytea not null default '',
  created_at timestamptz not null
);

create table clients (
  client_id text primary key,
  subscriber_id uuid not null references subscribers,
  scopes text[] not null,
  enabled boolean not null default true,
  created_at timestamptz not null
);
create index clients_subscriber on clients (subscriber_id);

-- Only a keyed hash of each secret. Two may be live at once, so that one can be rotated without downtime.
create table client_secrets (
  secret_id bigint generated always as identity primary key,
  client_id text not null references clients on delete cascade,
  hash bytea not null,
  created_at timestamptz not null
);
create index client_secrets_client on client_secrets (client_id);

-- The answer of a request that bore an Idempotency-Key, written in the transaction of its effect. Sealed, as an answer
-- may show a secret that stands in it and never again.
create table idempotency_keys (
  client_id text not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  headers jsonb not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (client_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- Work that waits for a time on the business clock. Taken when due and handed to the job queue.
create table due (
  due_id bigint generated always as identity primary key,
  due_at timestamptz not null,
  job text not null,
  payload jsonb not null,
  key text unique
);
create index due_order on due (due_at, due_id);

-- Bytes kept by their hash. The row is touched before the bytes are written, so a sweep never takes what is arriving.
create table blobs (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null,
  touched_at timestamptz not null default now()
);
create index blobs_touched on blobs (touched_at);

-- What happened, written with the change. `told` are the subscribers who hear of it.
create table events (
  seq bigint generated always as identity primary key,
  event_id uuid not null unique,
  type text not null,
  workspace_id uuid,
  told uuid[] not null,
  data jsonb not null,
  message text,
  actor text not null,
  correlation_id text not null,
  at timestamptz not null
);
create index events_workspace on events (workspace_id, seq) where workspace_id is not null;

-- Append-only: the role of the service may add entries and never change them.
create table audit_entries (
  entry_id bigint generated always as identity primary key,
  chain uuid not null,
  seq bigint not null,
  entry jsonb not null,
  hash bytea not null,
  unique (chain, seq)
);

create table audit_anchors (
  anchor_id bigint generated always as identity primary key,
  sealed_at timestamptz not null,
  upto bigint not null,
  chains bigint not null,
  hash bytea not null
);

-- The highest entry below which none can still arrive: waits for writers under way, and holds new ones for that moment.
create function audit_frontier() returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table audit_entries in share mode;
  return coalesce((select max(entry_id) from audit_entries), 0);
end
$$;

create table reports (
  subscriber_id uuid not null references subscribers,
  report_name text not null,
  report_date date not null,
  sha256 text not null references blobs,
  size bigint not null,
  row_count bigint not null,
  generated_at timestamptz not null,
  primary key (subscriber_id, report_name, report_date)
);
create index reports_blob on reports (sha256);
