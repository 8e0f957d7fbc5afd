--! Previous: sha1:8a6102d8cb5fddc2365dfedb197c7fa350acb028
--! Hash: sha1:d083734871b0cd9635eb6a2327645d50d4d6cbf5
--! Message: audit by staff

--! no-transaction
-- What staff search the audit log by: whose entries, and when. It serves dates alone, too, since names are few.
create index concurrently if not exists audit_log_staff_at_idx on hill.audit_log (staff_name, at);
