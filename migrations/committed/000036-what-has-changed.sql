--! Previous: sha1:e2b2be56a429f9f0fd4495f20e5d837efcb1144a
--! Hash: sha1:5d1baf32ce48e4afdb136b115b7e0124b80420af
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
