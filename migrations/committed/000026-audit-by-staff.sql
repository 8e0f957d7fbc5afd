--! Previous: sha1:3c087af31a8585b61d6de9a98a55ef5413943961
--! Hash: sha1:8611fb31ca5a35362a67e0bdabb9ae0cf7ba4608
--! Message: audit by staff

--! no-transaction
-- What staff search the audit log by: whose entries, and when. It serves dates alone, too, since names are few.
create index concurrently if not exists audit_log_staff_at_idx on hill.audit_log (staff_name, at);
