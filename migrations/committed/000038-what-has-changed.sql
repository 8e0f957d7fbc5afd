--! Previous: sha1:7976bd1687f2260eed62ae3fe9e58721570f0e10
--! Hash: sha1:7ee0a0d8f096a79fedf55ec60d781a3f4d538771
--! Message: what has changed

-- What has changed, for the processes that keep or tell what is public: they look here, and no transaction that changes
-- something notifies. Rows are appended, so that no two changes wait for each other.

set local role hill_owner;

create table hill.changes (
  xid      xid8 not null,
  change   text not null,
  made_at  timestamptz not null,
  primary key (xid, change)
);

alter table hill.changes enable row level security, force row level security;

reset role;
