-- On whose terms people play and pay: what the operator has published, and which of it an account has accepted. The
-- version in force is the one published last. A new one keeps nobody from playing; it has to be accepted before the
-- next top-up. Rules 5.10; decisions 441, 442.

-- Called by the owner at each start that has HILL_TERMS: publishes a version, unless it is in force already. Of each
-- text either its words or its address is given.
create or replace function trusted.set_terms(
  operator text,
  version text,
  terms_text text,
  terms_url text,
  privacy_text text,
  privacy_url text)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may publish terms
set search_path to pg_catalog, pg_temp
as $$
begin
  lock table hill.terms in share row exclusive mode;   -- two that start at once publish one version
  insert into hill.terms
    (operator, version, terms_text, terms_url, terms_sha256, privacy_text, privacy_url, privacy_sha256, at)
  select n.*, engine.now()
    from (select set_terms.operator, set_terms.version,
                 set_terms.terms_text, set_terms.terms_url,
                 engine.hash_terms(set_terms.terms_text, set_terms.terms_url, set_terms.version),
                 set_terms.privacy_text, set_terms.privacy_url,
                 engine.hash_terms(set_terms.privacy_text, set_terms.privacy_url, set_terms.version)) n
   where n is distinct from (
     select row(t.operator, t.version, t.terms_text, t.terms_url, t.terms_sha256, t.privacy_text, t.privacy_url,
                t.privacy_sha256)
       from engine.terms_in_force() t);
end
$$;

-- SHA-256 in hexadecimal of a text; of one that is elsewhere, of its address, a space and its version.
create or replace function engine.hash_terms(text text, url text, version text)
returns text
language sql immutable parallel safe
return encode(sha256(convert_to(coalesce(hash_terms.text, hash_terms.url || ' ' || hash_terms.version), 'UTF8')),
              'hex');

-- The version in force; no row if none was published.
create or replace function engine.terms_in_force()
returns setof hill.terms
language sql stable parallel safe security invoker
begin atomic
  select t.* from hill.terms t order by t.id desc limit 1;
end;

-- What an account is shown of the version in force: id, operator, version; accepted_at, and whether it accepted an
-- earlier one (accepted_before). null if none was published.
create or replace function engine.show_terms(account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'id', t.id,
      'operator', t.operator,
      'version', t.version,
      'accepted_at', (select engine.iso(a.at)
                        from hill.terms_accepted a
                       where a.account_id = show_terms.account_id and a.terms_id = t.id),
      'accepted_before', exists (select from hill.terms_accepted a
                                  where a.account_id = show_terms.account_id and a.terms_id < t.id))
    from engine.terms_in_force() t;
end;

-- Records that the human of an account accepted a version where a page showed it; the first time stays. An id that was
-- never published records nothing.
create or replace function engine.accept_terms(account_id uuid, terms_id integer, page text)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.terms_accepted (account_id, terms_id, at, page)
  select accept_terms.account_id, t.id, engine.now(), accept_terms.page
    from hill.terms t
   where t.id = accept_terms.terms_id
  on conflict on constraint terms_accepted_pkey do nothing;
end;

-- Lets nobody pay who has not accepted the version in force, and nobody pay real money where there is none. Errors:
-- TERMS_CHANGED, TERMS_MISSING.
create or replace function engine.require_terms(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_terms jsonb := engine.show_terms(account_id);
begin
  if v_terms is null and trusted.takes_real_money() then
    perform engine.refuse('TERMS_MISSING', 'This hill has not said who takes the money, and on which terms.');
  elsif v_terms ->> 'accepted_at' is null and v_terms is not null then
    perform engine.refuse('TERMS_CHANGED', 'The terms of this hill were not accepted yet, or have changed since.',
                          jsonb_build_object('version', v_terms ->> 'version'));
  end if;
end
$$;

-- Whether real money is paid here.
create or replace function trusted.takes_real_money()
returns boolean
language sql stable parallel safe security definer  -- hill_owner: nobody else may read the mode
set search_path to pg_catalog, pg_temp
as $$ select coalesce(engine.stripe_live(), false) $$;

grant execute on function trusted.takes_real_money to hill_api_human;
