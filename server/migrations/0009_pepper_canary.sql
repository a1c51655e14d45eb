-- compatible: yes
-- A value sealed with the pepper that the database is used with: a node with another pepper can open neither it nor any
-- secret, and does not start. Null until a node of this version starts.
alter table service_state add column pepper_canary bytea;
