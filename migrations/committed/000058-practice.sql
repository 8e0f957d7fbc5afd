--! Previous: sha1:0cc0d0c99fb4068bf5990fac9cf242a2eec71a52
--! Hash: sha1:c45a951ffb0e6a5db01a1b4f5263166fda67e154
--! Message: practice

-- Practice hills, for good from their first start on, and how their humans come in. They are few and new: the checks
-- read one row, and what no sign-in is yet.

set local role hill_owner;

alter table hill.settings add column practice boolean not null default false;
alter table hill.settings add constraint settings_practice_check check (not practice or clock = 'simulated') not valid;

alter table oauth.sign_ins drop constraint sign_ins_provider_check;
alter table oauth.sign_ins add constraint sign_ins_provider_check
  check (provider in ('google', 'github', 'development', 'practice')) not valid;

reset role;
