-- compatible: yes
-- A law firm may pay a schedule itself and confirm each line: PAYING, between AUTHORISED and SETTLED.
alter table settlement_schedules drop constraint settlement_schedules_status_check,
  add constraint settlement_schedules_status_check
    check (status in ('DRAFT', 'PREPARED', 'AUTHORISED', 'PAYING', 'SETTLED', 'CANCELLED'));

-- That it was paid or received: {paidOn, bankReference, confirmedBy, confirmedAt}. Who changed the line may not confirm
-- it; addresses in lower case. Null is not known: everybody who changed the schedule then.
alter table line_items add column payment jsonb, add column changed_by_users text[];

-- From which a law firm pays: {accountName, accountNumber, sortCode}.
alter table subscribers add column client_account jsonb;
