--! Previous: sha1:a86a01dc68bc3aa7bd48d7118b3ce66de20b4e2e
--! Hash: sha1:eb3b90120f28d8d6ea90279a970f31a43e2a2d29
--! Message: audit by staff

--! no-transaction
-- What staff search the audit log by: whose entries, and when. It serves dates alone, too, since names are few.
create index concurrently if not exists audit_log_staff_at_idx on hill.audit_log (staff_name, at);
