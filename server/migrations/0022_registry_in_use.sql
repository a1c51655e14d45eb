-- compatible: yes
-- The registry that the nodes of this installation use, because readiness depends on what it takes.
alter table service_state add column registry text;
