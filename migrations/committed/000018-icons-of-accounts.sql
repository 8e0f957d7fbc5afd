--! Previous: sha1:8b54c93d8f9de701a377c1ae7c31e600514309af
--! Hash: sha1:52304b71734c0b1466752282bf0bac8fe5d5f8a2
--! Message: icons of accounts

-- Icons of accounts: what their verified sites show in a browser's tab, drawn anew, so that no byte of a site is ever served.

set local role hill_owner;

-- The image is a PNG of 64 x 64 pixels, 8-bit RGBA, with the head that the worker's encoder writes: nothing else can be stored, whoever stores it.
create table hill.icons (
  account_id  uuid primary key references hill.accounts,
  image       bytea not null check (
    octet_length(image) <= 20000
    and substring(image from 1 for 29) = '\x89504e470d0a1a0a0000000d4948445200000040000000400806000000'),
  hash        text not null generated always as (encode(sha256(image), 'hex')) stored,
  drawn_at    timestamptz not null
);
create index on hill.icons (hash);

-- icon_hidden: staff took the icon away, whatever the site shows.
alter table hill.site_checks
  add column icon_result text,
  add column icon_failures smallint not null default 0,
  add column icon_hidden boolean not null default false;

reset role;
