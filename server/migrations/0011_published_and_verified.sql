-- compatible: yes
-- The worker publishes events, and webhook addresses are proven.

-- True from the commit of an event until the publisher gave it to the feeds and to the webhooks that want it. Events of
-- version 1.0.0 brought their deliveries with them and have a row in event_outbox instead, which goes with the next release.
alter table events add column unpublished boolean not null default false;
create index events_unpublished on events (seq) where unpublished;

alter table notification_registrations
  /* registrations that exist already were made without a challenge */
  add column status text not null default 'VERIFIED' check (status in ('UNVERIFIED', 'VERIFIED')),
  /* the newest event when it was made: it gets those after it */
  add column events_after bigint not null default 0;

-- The content of a delivery that has no event: a test or a challenge.
alter table notifications add column data jsonb;
