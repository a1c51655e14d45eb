-- compatible: yes
-- Faults that the sandbox injects for a client, and how often each was. Empty outside the sandbox.
create table sandbox_faults (
  client_id text primary key,
  subscriber_id uuid not null,
  seed integer not null,
  faults jsonb not null,
  /* digests of the tokens that count as expired */
  tokens text[] not null default '{}',
  ends_at timestamptz not null
);

/* the fault that was injected into the request */
alter table requests add column fault text;
