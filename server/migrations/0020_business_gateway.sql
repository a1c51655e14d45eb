-- compatible: yes
-- What the adapter to HM Land Registry's Business Gateway keeps between calls. No other part of the service reads it.

-- The account of a law firm at the gateway.
create table hmlr_accounts (
  subscriber_id uuid primary key references subscribers,
  username text not null,
  secrets bytea not null, /* password, certificate and key, encrypted and bound to the subscriber */
  certificate_ends_at timestamptz not null,
  telephone text not null,
  warning_understood_by text not null, /* who at the firm has read the registry's warning about false statements */
  warning_understood_at timestamptz not null,
  changed_at timestamptz not null
);

-- How a lender is named to the registry.
create table hmlr_lenders (
  subscriber_id uuid primary key references subscribers,
  kind text not null check (kind in ('UK_COMPANY', 'OTHER_ORGANISATION')),
  company_number text
);

-- Register extracts. Each that was delivered was paid for, so a repeat gets the answer that is kept here.
create table hmlr_extracts (
  message_id text primary key,
  subscriber_id uuid not null,
  title_number text not null,
  asked_at timestamptz not null,
  answer text, /* null while it is queued at the gateway */
  price_pence bigint
);

-- Documents at the gateway, which deletes them after 180 days.
create table hmlr_uploads (
  subscriber_id uuid not null,
  sha256 text not null,
  document_type text not null,
  document_id text not null,
  uploaded_at timestamptz not null,
  primary key (subscriber_id, sha256, document_type)
);

-- Each lodgement by its message id. A submission that failed at the registry is sent again with the next attempt.
create table hmlr_submissions (
  message_id text primary key,
  subscriber_id uuid not null,
  title_number text not null,
  customer_reference text not null,
  completed_on date not null,
  body jsonb not null,
  attempt integer not null default 1,
  application_request_id text,
  refused jsonb, /* the errors of a submission that the gateway did not take */
  refused_at timestamptz
);

-- Notifications are kept here before they are acknowledged: the gateway forgets them then.
create table hmlr_notifications (
  application_request_id text not null,
  notification_type text not null,
  event_at timestamptz not null,
  notification_id text not null,
  payload jsonb not null,
  received_at timestamptz not null,
  primary key (application_request_id, notification_type, event_at)
);

-- The parts of an answer to a requisition. Attaching has no key: a part whose outcome is unknown is not sent again.
create table hmlr_replies (
  message_id text not null,
  registry_id text not null,
  part text not null, /* the file id of a document, or message */
  begun_at timestamptz, /* null where it was certainly not taken */
  ended_at timestamptz,
  primary key (message_id, registry_id, part)
);

-- Whether there are interests that the register does not show but must be disclosed, as the approval stated it.
alter table lodgement_cases add column disclosable_overriding_interests boolean;
