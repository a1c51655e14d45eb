-- compatible: yes
-- The log of a subscriber's own calls. Outside the sandbox it is off until an operator switches it on for a client, and has
-- neither bodies nor personal data. Rows are written in batches and erased within a day (in the sandbox a week), so they have no
-- foreign keys: these would lock the rows that they name, once for each request.
create table requests (
  subscriber_id uuid not null,
  request_id uuid not null, -- begins with the time, so it is the order of the list
  at timestamptz not null,
  expires_at timestamptz not null,
  method text not null,
  route text not null,
  operation text not null,
  status smallint not null,
  duration_ms integer not null,
  client_id text not null,
  person text,
  correlation_id text,
  workspace_id uuid,
  errors jsonb not null default '[]',
  detail jsonb,
  primary key (subscriber_id, request_id)
);
create index requests_refused on requests (subscriber_id, request_id) where status >= 400;
create index requests_by_correlation_id on requests (subscriber_id, correlation_id) where correlation_id is not null;
create index requests_by_expiry on requests (expires_at);

alter table clients add column log_until timestamptz;
