-- The result of checking one thing that must hold.

create type engine.check as (name text, compared bigint, wrong bigint, example text);

comment on type engine.check is
'One thing that must hold: how many were compared, how many are wrong, and the first wrong one in words. It holds if '
'none is wrong.';
