#!/bin/sh
# The PostgreSQL image runs this once, on an empty volume. Creates the database, its owner, and the service's role.
set -eu

psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set owner_password="$OWNER_PASSWORD" --set service_password="$SERVICE_PASSWORD" <<'SQL'
create role lodgeway_owner login password :'owner_password';
create role lodgeway login password :'service_password';
create database lodgeway owner lodgeway_owner encoding 'UTF8' template template0;
revoke all on database lodgeway from public;
grant connect, temporary on database lodgeway to lodgeway;
SQL
