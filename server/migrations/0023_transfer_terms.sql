-- compatible: yes
-- What HM Land Registry wants to know of a transfer: where it writes to the new proprietors, and the terms of the deed.
alter table parties add column address_for_service jsonb;

alter table lodgement_applications
  add column title_guarantee text,
  add column consideration_type text,
  add column consideration_description text,
  add column trust_declaration text,
  add column trust_details text,
  add column transaction_value_band text,
  add column outstanding_charge_pence bigint;
