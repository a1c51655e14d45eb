-- compatible: yes
-- Why the registry cannot be asked about a case at the moment: {reason, since}.
alter table lodgement_cases add column registry_wait jsonb;
create index lodgement_cases_waiting on lodgement_cases ((registry_wait ->> 'reason')) where registry_wait is not null;
