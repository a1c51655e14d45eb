-- Deleting a registration deletes its deliveries, ended ones too: without this each of them would be looked for.
create index notifications_of_registration on notifications (registration_id);
