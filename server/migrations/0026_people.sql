-- compatible: yes
-- People who sign in to the console. An operator belongs to no subscriber. Issuer and subject are bound once, by an
-- invitation; nobody is ever recognised by the e-mail address, which is in lower case. Each person has an audit chain.
create table people (
  person_id uuid primary key,
  subscriber_id uuid references subscribers,
  name text not null,
  email text not null,
  roles text[] not null check (cardinality(roles) > 0),
  enabled boolean not null default true,
  issuer text,
  subject text,
  audit_seq bigint not null default 0,
  audit_hash bytea not null default '',
  created_at timestamptz not null,
  check ((subscriber_id is null) = ('operator' = any (roles)) and (issuer is null) = (subject is null))
);
create unique index people_email on people (email) where enabled;
create unique index people_subject on people (issuer, subject) where enabled;
create index people_subscriber on people (subscriber_id);

-- Named by the SHA-256 of 256 random bits, which only the browser has. Times are real time, of the database.
create table sessions (
  token_hash bytea primary key,
  session_id uuid not null unique,
  person_id uuid not null references people,
  way text not null check (way in ('PROVIDER', 'LINK', 'SANDBOX')),
  authenticated_at timestamptz,
  browser text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ends_at timestamptz not null
);
create index sessions_person on sessions (person_id);

-- Links that work once: an invitation, or a way in. Named like sessions.
create table person_links (
  token_hash bytea primary key,
  person_id uuid not null references people,
  kind text not null check (kind in ('INVITATION', 'LINK')),
  ends_at timestamptz not null
);
create index person_links_person on person_links (person_id);

-- Whether clients may approve, authorise and confirm with a token, or only people who signed in.
alter table subscribers add column decisions text not null default 'any' check (decisions in ('any', 'people'));
