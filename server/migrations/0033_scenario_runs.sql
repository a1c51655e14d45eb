-- compatible: yes
-- Runs of the sandbox's scenarios: the steps, and how far each has come. Empty outside the sandbox.
create table scenario_runs (
  run_id uuid primary key,
  run jsonb not null
);
