--! Previous: sha1:3eeafc76e37839f52feaa0e5642b1935614236b1
--! Hash: sha1:c3cc56d58506d66ae5630b1ea0958e685929373f
--! Message: audit by staff

--! no-transaction
-- What staff search the audit log by: whose entries, and when. It serves dates alone, too, since names are few.
create index concurrently if not exists audit_log_staff_at_idx on hill.audit_log (staff_name, at);
