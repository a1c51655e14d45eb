-- compatible: yes
-- Searching by how a reference, a title number or a postcode begins. The order of characters (text_pattern_ops) serves
-- that in every collation, and equality as well, so these take the place of the indexes for equality alone.
create index workspaces_of_lender_by_reference_prefix on workspaces
  (lender_id, lower(reference) text_pattern_ops, (-seq));
create index workspaces_of_law_firm_by_reference_prefix on workspaces
  (law_firm_id, lower(reference) text_pattern_ops, (-seq));
drop index workspaces_of_lender_by_reference, workspaces_of_law_firm_by_reference;

create index workspaces_of_lender_by_own_reference on workspaces
  (lender_id, lower(lender_own_reference) text_pattern_ops, (-seq)) where lender_own_reference is not null;
create index workspaces_of_law_firm_by_own_reference on workspaces
  (law_firm_id, lower(law_firm_own_reference) text_pattern_ops, (-seq)) where law_firm_own_reference is not null;
drop index workspaces_by_lender_own_reference, workspaces_by_law_firm_own_reference;

-- By subscriber, because many have titles and postcodes that begin alike.
create index workspaces_of_lender_by_title on workspaces (lender_id, title_number text_pattern_ops, (-seq))
  where title_number is not null;
create index workspaces_of_law_firm_by_title on workspaces (law_firm_id, title_number text_pattern_ops, (-seq))
  where title_number is not null;
create index workspaces_of_lender_by_postcode on workspaces (lender_id, postcode text_pattern_ops, (-seq));
create index workspaces_of_law_firm_by_postcode on workspaces (law_firm_id, postcode text_pattern_ops, (-seq));
drop index workspaces_by_title_number, workspaces_by_postcode;

-- What is planned for a workspace.
create index due_of_workspace on due ((payload -> 'payload' ->> 'workspaceId'), due_at)
  where payload -> 'payload' ->> 'workspaceId' is not null;
