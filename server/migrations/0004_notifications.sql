-- Who is told: the feed that partners pull, and the webhooks that are pushed to them.

-- Events that have no place in the feed yet. Written with the event; emptied, one at a time, by whoever reads the feed.
create table event_outbox (seq bigint primary key);
insert into event_outbox select seq from events;

-- The feed of each subscriber. A position is given to an event after its commit, so that none ever appears behind one.
create table event_feed (
  position bigint generated always as identity,
  subscriber_id uuid not null,
  event_seq bigint not null references events,
  primary key (subscriber_id, position)
);

-- Shared secrets are kept encrypted. The one before the last still signs until its time is over.
create table notification_registrations (
  registration_id uuid primary key,
  seq bigint generated always as identity,
  subscriber_id uuid not null references subscribers,
  webhook_uri text not null,
  event_types text[] not null,
  secret bytea not null,
  secret_expires_at timestamptz not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null
);
create index notification_registrations_of_subscriber on notification_registrations (subscriber_id, seq desc);

-- One event on its way to one registration. Deliveries of a lane follow each other: it is the workspace of the event,
-- or for an event without one the delivery's own. `next_attempt_at` is empty while it waits for the one before it.
create table notifications (
  notification_id uuid primary key,
  seq bigint generated always as identity,
  registration_id uuid not null references notification_registrations on delete cascade,
  subscriber_id uuid not null,
  event_id uuid not null,
  lane uuid not null,
  type text not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'DEAD')),
  /* since it was last begun */
  tries integer not null default 0,
  next_attempt_at timestamptz,
  /* on real time: who sends it has it until then */
  leased_until timestamptz,
  attempts jsonb not null default '[]',
  created_at timestamptz not null
);
create index notifications_of_subscriber on notifications (subscriber_id, seq desc);
create index notifications_in_lane on notifications (registration_id, lane, seq) where status = 'PENDING';
create index notifications_ready on notifications (registration_id, next_attempt_at, seq) where status = 'PENDING';
create index notifications_ended on notifications (created_at) where status <> 'PENDING';
