-- compatible: yes
-- Everybody who changed the applications of a case or their documents since it was last sent, and everybody who ever
-- changed a schedule or its lines: none of them may approve it. Addresses in lower case.
alter table lodgement_cases add column changed_by_users text[] not null default '{}';
alter table settlement_schedules add column changed_by_users text[] not null default '{}';

-- Until now only the last of them was kept; the audit names the others. A reconciliation may have changed the
-- applications or not, which its entry does not say, so it counts.
update lodgement_cases c set changed_by_users = array(
  select distinct lower(entry ->> 'actingUser') from audit_entries
   where chain = c.workspace_id and entry ->> 'actingUser' is not null
     and (entry ->> 'action' = any ('{application updated,file uploaded,file withdrawn}') and entry -> 'ids' ? 'applicationId'
       or entry ->> 'action' ~ '^(UPDATE|SET)_')
     and seq > coalesce((select max(seq) from audit_entries
                          where chain = c.workspace_id and entry ->> 'action' = 'case sent to the registry'), 0))
 where status in ('CREATED', 'PREPARED', 'REGISTRATION_REJECTED', 'RESUBMISSION_PREPARED');

update settlement_schedules s set changed_by_users = array(
  select distinct lower(entry ->> 'actingUser') from audit_entries
   where chain = s.workspace_id and entry ->> 'actingUser' is not null
     and entry ->> 'action' = any ('{completion date set,line item added,line item changed,line item deleted}'))
 where status in ('DRAFT', 'PREPARED');
