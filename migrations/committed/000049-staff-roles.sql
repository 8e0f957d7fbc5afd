--! Previous: sha1:18b991fc507349126fee8492e822c1475dd343ba
--! Hash: sha1:db6ae9f7ed77b762bcb4ea1efe8457b2f50f34cd
--! Message: staff roles

-- Four roles of the staff instead of two. Rules 18.1.

set local role hill_owner;

alter table hill.staff_members no force row level security;
alter table hill.staff_members drop constraint staff_members_role_check;
-- whoever was no owner could do all but say who is staff
update hill.staff_members set role = 'manager' where role = 'staff';
-- Not valid, so that no row is looked at: each was written just now, or was an owner's.
alter table hill.staff_members
  add constraint staff_members_role_check check (role in ('viewer', 'support', 'manager', 'owner')) not valid;
alter table hill.staff_members force row level security;

reset role;
