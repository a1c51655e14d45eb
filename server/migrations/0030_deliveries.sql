-- compatible: yes
-- Finding deliveries, newest first: those that are not delivered, those of a registration, and those of a workspace, which is
-- their lane.
create index notifications_undelivered on notifications (subscriber_id, seq desc) where status <> 'DELIVERED';
create index notifications_of_workspace on notifications (subscriber_id, lane, seq desc);
create index notifications_of_registration_by_seq on notifications (registration_id, seq desc);
drop index notifications_of_registration;
