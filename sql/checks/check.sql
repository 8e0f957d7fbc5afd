-- The result of checking one thing that must hold.

create type engine.check as (name text, compared bigint, wrong bigint, example text);

comment on type engine.check is
'One thing that must hold: how many were compared, how many are wrong, and the first wrong one in words. It holds if '
'none is wrong.';

-- An account in words that a person finds it by: its slug, and its id. Null for none.
create or replace function engine.account_words(account uuid)
returns text
language sql stable parallel safe security invoker
begin atomic
  select coalesce(a.slug, 'no account') || ' (account ' || account_words.account || ')'
    from (select account_words.account as id) x
    left join hill.accounts a on a.id = x.id
   where account_words.account is not null;
end;
