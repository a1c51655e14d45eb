-- compatible: yes
-- How much of its present minute each client has taken, over all nodes, in real time. Unlogged: it is written often, nobody
-- waits for it to reach a disk or a standby, and after a crash or a failover every client has a whole minute again.
create unlogged table rate_limits (
  client_id text primary key,
  ends_at timestamptz not null,
  taken integer not null
);

-- The trace that an event was recorded in, as in the header `traceparent`. Null where traces are off.
alter table events add column traceparent text;
