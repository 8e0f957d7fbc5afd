-- What a name looks like: the skeletons of UTS 39, by the confusables of Unicode 16.0.0. Rules 11.1; decisions 431,
-- 432.

-- A regular expression for Default_Ignorable_Code_Point of Unicode 16.0.0: letters that are not seen.
create or replace function engine.unseen_letters()
returns text
language sql immutable parallel safe
return '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164'
       '\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]';

-- A text with each letter replaced by the one that stands for all that look like it (UTS 39, 4: internalSkeleton), and
-- its blanks as HTML shows them.
create or replace function engine.skeleton(text text)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_text text collate "C" := regexp_replace(normalize(skeleton.text, NFD), engine.unseen_letters(), '', 'g');
  v      record;
begin
  -- One after the other: what stands for a letter has no letter that another one stands for.
  for v in
    select c.letter, c.prototype
      from hill.confusables c
     where c.letter = any (array(select distinct l collate "C" from string_to_table(v_text, null) l))
  loop
    v_text := replace(v_text, v.letter collate "C", v.prototype collate "C");
  end loop;
  return btrim(regexp_replace(normalize(v_text, NFD) collate "default", '\s+', ' ', 'g'));
end
$$;

-- The skeletons of a name: as it is written, in small letters, in capitals and with capital initials; of all that also
-- with its letters in their plain form (NFKC).
create or replace function engine.name_looks(name text)
returns table (casing text, skeleton text)
language sql stable parallel safe security invoker
begin atomic
  select distinct c.casing, s.skeleton
    from (select name_looks.name as form
           union select normalize(name_looks.name, NFKC)
           -- the palochka, in most fonts an l: to UTS 39 it is an i
           union select translate(name_looks.name, U&'\04CF', 'l')) f
   cross join lateral (values
           ('written', f.form),
           ('small', casefold(f.form collate pg_unicode_fast)),
           ('capitals', upper(f.form collate pg_unicode_fast)),
           ('initials', initcap(f.form collate pg_unicode_fast)),
           -- an I that looks like an l among small letters; among capitals alone it does not
           ('small', case when f.form <> upper(f.form collate pg_unicode_fast)
                          then casefold(engine.skeleton(f.form) collate pg_unicode_fast) end)) c (casing, form)
   cross join lateral (select engine.skeleton(c.form)) s (skeleton)
   where s.skeleton <> '';
end;

-- Two names look alike if they have one of these in common.
create or replace function engine.name_skeletons(name text)
returns text[]
language sql stable parallel safe security invoker
begin atomic
  select array(select distinct l.skeleton collate "C" from engine.name_looks(name_skeletons.name) l order by 1);
end;

-- Whether a name looks like a word that nobody is called by, in the same casing or as it is written; or like an office
-- of the service with a number.
create or replace function engine.looks_reserved(name text)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  with words as materialized (
    select array_to_string(
             engine.reserved_words()
               || array(select o.office || s.s || p.post
                          from unnest(engine.offices()) o (office)
                         cross join (values (''), ('s')) s (s)
                         cross join (select '' union all select '-' || p from unnest(engine.posts()) p) p (post)),
             ' ') as all_words
  ), looks as materialized (
    select c.casing, string_to_array(engine.skeleton(c.all_words), ' ') as words
      from words w
     cross join lateral (values
             ('small', w.all_words), ('capitals', upper(w.all_words)), ('initials', initcap(w.all_words)))
             c (casing, all_words)
  ), shown as materialized (
    -- with dashes, as a slug, and with letters that no slug has
    select l.casing, trim(both '-' from regexp_replace(l.skeleton, '[^[:alnum:]]+', '-', 'g')) as name
      from engine.name_looks(looks_reserved.name) l
  )
  select exists (select from shown s join looks k on s.casing in ('written', k.casing) and s.name = any (k.words))
      or exists (
         select from shown s
          -- 0 and 1 look like O and l
          where lower(s.name) ~ ('^(' || (select string_agg(lower(engine.skeleton(o.office)), '|')
                                            from unnest(engine.offices()) n (name)
                                           cross join lateral (values (n.name), (upper(n.name))) o (office))
                                 || ')s?(-?[0-9lo]+|-[0-9a-flo]{6})$'));
end;

-- The account that has one of the skeletons of a name, but for those that this account (null: a new one) has, too. A
-- closed account has none; one that is suspended or hidden keeps its own.
create or replace function engine.name_holder(account_id uuid, skeletons text[])
returns uuid
language sql stable parallel safe security invoker
begin atomic
  select s.account_id
    from hill.name_skeletons s
   where s.skeleton = any (name_holder.skeletons)
     and s.account_id is distinct from name_holder.account_id
     and not exists (select from hill.name_skeletons o
                      where o.skeleton = s.skeleton and o.account_id = name_holder.account_id)
   order by s.shared, s.account_id
   limit 1;
end;

-- A name with a number behind it, in the room that a name has.
create or replace function engine.numbered_name(name text, n integer)
returns text
language sql immutable parallel safe
return rtrim(left(numbered_name.name, engine.name_length() - 1 - char_length(n::text))) || ' ' || n;

-- A name like one that nobody chose, and that no account has: it gets a number if need be.
create or replace function engine.free_name(name text)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := free_name.name;
begin
  for v_n in 2 .. 10 loop
    if engine.name_holder(null, engine.name_skeletons(v_name)) is null then
      return v_name;
    end if;
    v_name := engine.numbered_name(name, v_n);
  end loop;
  return engine.numbered_name(name, 1000 + floor(random() * 999000)::integer);
end
$$;

-- Raises that a name is taken, with whose it is, unless staff hide that, and up to three names like it that are free.
-- Errors: NAME_TAKEN.
create or replace function engine.refuse_name(account_id uuid, name text)
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.refuse(
    'NAME_TAKEN', 'name is another account''s, or looks like it.', jsonb_strip_nulls(jsonb_build_object(
    'argument', 'name',
    'slug', (select a.slug from hill.accounts a
              where a.id = engine.name_holder(refuse_name.account_id, engine.name_skeletons(refuse_name.name))
                and not engine.veiled_slug(a.slug)),
    'suggestions', (
      select coalesce(jsonb_agg(f.name order by f.n), '[]')
        from (select n, c.name
                from generate_series(2, 9) n
               cross join lateral (select engine.numbered_name(refuse_name.name, n) as name) c
               where engine.name_holder(refuse_name.account_id, engine.name_skeletons(c.name)) is null
               order by n limit 3) f))));
end
$$;

-- Gives an account the skeletons of a name, and takes those of its former one from it. Returns whether another account
-- has one of them, too; that raises, unless the account keeps a name that it has had. Errors: NAME_TAKEN.
create or replace function trusted.hold_name(account_id uuid, name text, keeps boolean)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else says whose a name is
set search_path to pg_catalog, pg_temp
-- by index, also where plans were made while there were few names
set enable_seqscan to off
as $$
declare
  v_all    text[] := engine.name_skeletons(name);
  v_new    text[];
  v_count  integer;
begin
  if not keeps and engine.name_holder(account_id, v_all) is not null then
    perform engine.refuse_name(account_id, name);
  end if;
  delete from hill.name_skeletons s where s.account_id = hold_name.account_id and s.skeleton <> all (v_all);
  v_new := array(
    select k from unnest(v_all) k
     where not exists (select from hill.name_skeletons s where s.skeleton = k and s.account_id = hold_name.account_id)
     order by k collate "C");
  -- Waits for whoever is taking one of them at this instant, in one order.
  insert into hill.name_skeletons (skeleton, account_id)
  select k, hold_name.account_id from unnest(v_new) k
  on conflict do nothing;
  get diagnostics v_count = row_count;
  if v_count < cardinality(v_new) then
    if not keeps then
      perform engine.refuse_name(account_id, name);
    end if;
    insert into hill.name_skeletons (skeleton, account_id, shared)
    select k, hold_name.account_id, true from unnest(v_new) k
    on conflict do nothing;
  end if;
  return exists (select from hill.name_skeletons s
                  where s.skeleton = any (v_all) and s.account_id <> hold_name.account_id);
end
$$;

-- Trigger: whoever names an account, its name is its own. Errors: NAME_TAKEN.
create or replace function trusted.keep_name()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner: see trusted.hold_name
set search_path to pg_catalog, pg_temp
as $$
begin
  new.namesake := false;
  if not engine.veiled_slug(new.slug) then
    new.namesake := trusted.hold_name(new.id, new.name, tg_op = 'UPDATE' and engine.veiled_slug(old.slug));
  elsif new.slug like 'closed-%' then
    delete from hill.name_skeletons s where s.account_id = new.id;
  end if;
  return new;
end
$$;

create or replace trigger keep_first_name before insert on hill.accounts
  for each row execute function trusted.keep_name();
create or replace trigger keep_name before update of name on hill.accounts
  for each row when (new.name is distinct from old.name) execute function trusted.keep_name();

-- Gives up to so many accounts, the oldest first, the skeletons of the names that they had before there were any. Those
-- that look alike keep their names, and are shown with their slugs. Returns how many accounts it looked at.
create or replace function trusted.hold_old_names(at_most integer)
returns integer
language plpgsql volatile parallel unsafe security definer  -- hill_owner: see trusted.hold_name
set search_path to pg_catalog, pg_temp
as $$
declare
  v_count integer := 0;
  v       record;
begin
  for v in
    select a.id, a.name, a.slug
      from hill.accounts a
     where a.slug !~ '^closed-[0-9a-f]{16}$'
       and not exists (select from hill.name_skeletons s where s.account_id = a.id)
     order by a.id
     limit at_most
       for no key update
  loop
    v_count := v_count + 1;
    -- it may have been renamed while this waited
    continue when exists (select from hill.name_skeletons s where s.account_id = v.id);
    continue when not trusted.hold_name(v.id,
      coalesce((select h.name from hill.hidden_profiles h where h.account_id = v.id), v.name), true);
    update hill.accounts a set namesake = true
     where not a.namesake
       and not engine.veiled_slug(a.slug)
       and (a.id = v.id
            or a.id in (select o.account_id
                          from hill.name_skeletons s join hill.name_skeletons o on o.skeleton = s.skeleton
                         where s.account_id = v.id));
  end loop;
  return v_count;
end
$$;

alter table hill.confusables enable row level security, force row level security;
create policy all_read on hill.confusables for select to hill_api, hill_owner, hill_dba using (true);
grant select on hill.confusables to hill_api, hill_dba;

alter table hill.name_skeletons enable row level security, force row level security;
create policy owner_keeps on hill.name_skeletons to hill_owner using (true) with check (true);
create policy naming_compares on hill.name_skeletons for select to hill_api_agent, hill_api_human, hill_api_worker
  using (true);
grant select on hill.name_skeletons to hill_api_agent, hill_api_human, hill_api_worker;

comment on table hill.confusables is
'Letters that look like another one, or like several: confusables.txt of Unicode 16.0.0 (UTS 39). Decisions 431.';
comment on column hill.confusables.letter is 'A letter that looks like others.';
comment on column hill.confusables.prototype is 'The letters that it looks like (the prototype of UTS 39).';
comment on table hill.name_skeletons is
'What the names of accounts look like (engine.name_skeletons), each for one account. shared: this one and another had '
'it before names were their own. Rules 11.1; decisions 431.';
comment on column hill.name_skeletons.skeleton is
'What the name looks like, in one of the ways in which it can be written.';
comment on column hill.name_skeletons.account_id is 'Whose name it is.';
comment on column hill.name_skeletons.shared is
'Whether another account had it first, from before names were their own.';
comment on column hill.accounts.namesake is
'Another account has had a name that looks like this one''s since before that was refused: pages show the slug, too.';
