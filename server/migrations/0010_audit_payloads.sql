-- compatible: yes
-- Format 2 of the audit. What a change looked like before and after is a payload of its own, and the chain covers only its
-- hash: a payload can be erased, or left out of what is handed on, and the chain still verifies. Entries without a
-- payload_hash are of format 1, whose whole text is hashed.
alter table audit_entries add column payload jsonb, add column payload_hash bytea;
