-- compatible: yes
-- The number that the lender and the law firm each give a workspace in their own system. Each sees only its own.
alter table workspaces
  add column lender_own_reference text,
  add column law_firm_own_reference text;
create index workspaces_by_lender_own_reference on workspaces (lender_id, lower(lender_own_reference), seq desc)
  where lender_own_reference is not null;
create index workspaces_by_law_firm_own_reference on workspaces (law_firm_id, lower(law_firm_own_reference), seq desc)
  where law_firm_own_reference is not null;
