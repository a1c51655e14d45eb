#!/bin/sh
# Creates the bucket, and a user for the service. May be run any number of times.
set -eu

mc alias set --quiet store http://store:9000 "$STORE_ROOT_USER" "$STORE_ROOT_PASSWORD"
mc mb --quiet --ignore-existing store/lodgeway
mc admin policy create store lodgeway /deploy/store-policy.json
mc admin user add store "$STORE_ACCESS_KEY_ID" "$STORE_SECRET_ACCESS_KEY"
mc admin policy attach store lodgeway --user "$STORE_ACCESS_KEY_ID" || true # it fails if the policy is already attached
