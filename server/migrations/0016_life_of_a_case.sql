-- compatible: yes
-- What can be read of the life of a case: its approvals, why it was rejected, what happened to each requisition, and who
-- cancelled the workspace. After an early completion a discharge can be sent on its own.

-- Every approval of a case and every withdrawal of one by hand, as the caller stated it.
create table lodgement_approvals (
  seq bigint generated always as identity primary key,
  lodgement_case_id uuid not null,
  action text not null check (action in ('APPROVE', 'UNAPPROVE')),
  approved_by text not null,
  at timestamptz not null
);
-- Earlier ones are in the audit. This reads all of it, so it comes before any lock.
insert into lodgement_approvals (lodgement_case_id, action, approved_by, at)
select c.lodgement_case_id, case e.entry ->> 'action' when 'lodgement case approved' then 'APPROVE' else 'UNAPPROVE' end,
       stated.by, (e.entry ->> 'at')::timestamptz
  from audit_entries e
  join lodgement_cases c on c.workspace_id = e.chain
  cross join lateral (
    select coalesce(after ->> 'approvedBy', after ->> 'unapprovedBy') as by
      from (select coalesce(e.payload, e.entry) -> 'after' as after) one) stated
 where e.entry ->> 'action' in ('lodgement case approved', 'lodgement case unapproved') and stated.by is not null
 order by e.chain, e.seq;
create index lodgement_approvals_of_case on lodgement_approvals (lodgement_case_id, seq);
alter table lodgement_approvals add foreign key (lodgement_case_id) references lodgement_cases;

/* the last rejection, until the case is sent again: at, reason, field, message */
alter table lodgement_cases add column rejection jsonb;
update lodgement_cases c set rejection = jsonb_strip_nulls(jsonb_build_object(
    'at', e.at, 'message', e.message, 'field', substring(e.message from 'validation failed at ([^ :]+): '),
    'reason', case when e.message like 'The registry''s validation failed at %' then 'VALIDATION_FAILED'
                   when e.message like 'The registry cancelled the case: %' then 'CANCELLED_BY_REGISTRY'
                   else 'REQUISITION_LAPSED' end))
  from events e
 where c.status in ('REGISTRATION_REJECTED', 'RESUBMISSION_PREPARED') and e.seq = (
   select max(seq) from events where workspace_id = c.workspace_id and type = 'LODGEMENT_REJECTED');

alter table workspaces add column cancelled_by text;
update workspaces w set cancelled_by = e.actor
  from events e where w.status = 'CANCELLED' and e.workspace_id = w.workspace_id and e.type = 'WORKSPACE_CANCELLED';

-- An answer that the registry accepted.
alter table requisitions drop constraint requisitions_status_check,
  add constraint requisitions_status_check check (status in ('OPEN', 'ANSWERED', 'ACCEPTED', 'LAPSED')),
  drop constraint requisitions_check,
  add constraint requisitions_check check ((answered_at is not null) = (status in ('ANSWERED', 'ACCEPTED')));
update requisitions r set status = 'ACCEPTED'
 where status = 'ANSWERED' and exists (
   select from registry_notices n
    where n.submission_id = r.submission_id and n.kind = 'answer accepted' and n.at >= r.answered_at and not exists (
      select from requisitions later
       where later.submission_id = r.submission_id and later.seq > r.seq and later.received_at <= n.at));

/* DISCHARGE: only the discharge, after an early completion */
alter table submissions add column kind text not null default 'CASE' check (kind in ('CASE', 'DISCHARGE'));
update lodgement_applications a set status = 'REJECTED'
  from lodgement_cases c
 where c.lodgement_case_id = a.lodgement_case_id and c.status = 'PARTIALLY_REGISTERED'
   and a.application_type = 'DISCHARGE' and a.status = 'LODGED';
