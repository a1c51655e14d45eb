-- compatible: yes
-- Matters are erased when their time is over.

/* what is left of an erased matter: that it was, which rule erased it, and the end of its audit chain */
create table erased_matters (
  workspace_id uuid primary key,
  lender_id uuid not null,
  law_firm_id uuid not null,
  status text not null,
  ended_at timestamptz not null,
  erased_at timestamptz not null,
  rule text not null,
  audit_seq bigint not null,
  audit_hash bytea not null
);

/* matters that are not erased until the hold is released */
create table erasure_holds (
  workspace_id uuid primary key references workspaces,
  reason text not null,
  held_by text not null,
  held_at timestamptz not null
);

/* erasing stops after its present batch */
alter table service_state add column erasing_paused boolean not null default false;

/* identity documents of matters that ended before it are erased */
alter table service_state add column identity_erased_upto timestamptz not null default '-infinity';

/* the matters that have ended, the longest ago first */
create index workspaces_ended on workspaces (status, status_since, workspace_id) where status in ('CLOSED', 'CANCELLED');

/* for deleting what others refer to: each is looked up by these columns */
create index event_feed_of_event on event_feed (event_seq);
create index external_law_firms_of_workspace on external_law_firms (workspace_id);
create index requisitions_of_submission on requisitions (submission_id);
create index settlements_of_schedule on settlements (schedule_id);

/*
 * The only way in which the service's role changes the audit: it erases what matters that are gone, and accounts long ago,
 * looked like before and after. Who did what and when stays, and so do the hashes. A role that may not erase matters gets 0.
 */
create function erase_audit_payloads(chains uuid[], older_than timestamptz) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
  with erased as (
    update audit_entries set payload = null
     where chain = any (chains) and payload is not null and has_table_privilege(session_user, 'erased_matters', 'insert')
       and not exists (select from workspaces where workspace_id = chain) and entry ->> 'action' <> 'matter erased'
       and (exists (select from erased_matters where workspace_id = chain)
            or exists (select from people where person_id = chain and not enabled and email = 'erased')
            or (entry ->> 'at')::timestamptz < least(older_than, now() - interval '1 year'))
    returning 1)
  select count(*) from erased
$$;
