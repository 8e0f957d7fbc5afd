-- Accounts by the words of their names and slugs. Rules 11.5, 18.2.

-- Up to 1000 accounts in whose name and slug each word of a text begins a word, for readers and for staff. Rules 11.5.
create or replace function engine.named_accounts(text text)
returns setof uuid
language sql stable parallel safe security invoker
begin atomic
  select a.id
    from hill.accounts a
   where to_tsvector('simple'::regconfig, translate(a.name, '.-_@/', '     ') || ' ' || replace(a.slug, '-', ' '))
         @@ (select to_tsquery('simple', string_agg(quote_literal(w.word) || ':*', ' & '))
               from regexp_split_to_table(lower(named_accounts.text), '[^[:alnum:]]+') w (word)
              where w.word <> '')
   limit 1000;
end;
