-- compatible: yes
-- A schedule ends with its workspace: CANCELLED, from every status but SETTLED. Those of workspaces that were cancelled
-- before follow, of which some stayed authorised.
alter table settlement_schedules drop constraint settlement_schedules_status_check,
  add constraint settlement_schedules_status_check
    check (status in ('DRAFT', 'PREPARED', 'AUTHORISED', 'SETTLED', 'CANCELLED'));

update settlement_schedules s set status = 'CANCELLED', authorised_at = null, authorised_by = null
  from workspaces w where w.workspace_id = s.workspace_id and w.status = 'CANCELLED' and s.status <> 'SETTLED';
