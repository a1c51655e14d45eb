-- compatible: yes
-- Programs that read the feed under a name, and events that are repeated for one of them. A worker moves these into the feed.
create table feed_listeners (
  subscriber_id uuid not null,
  name text not null,
  last_seen_at timestamptz not null default now(),
  primary key (subscriber_id, name)
);
create table event_repeats (
  repeat_id bigint generated always as identity primary key,
  subscriber_id uuid not null,
  event_seq bigint not null references events,
  listener text not null
);
-- Null: for every reader.
alter table event_feed add column listener text;
