#!/bin/sh
# Patroni runs this once, on the first primary: database, roles, and where the backups go.
set -eu

sh postgres-init.sh
pgbackrest --stanza=lodgeway stanza-create
