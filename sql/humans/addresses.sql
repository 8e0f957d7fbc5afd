-- Addresses of humans. An address opens no account; it tells which account an agent means: the one whose human a
-- provider vouched for last. Protocol 5.2.

-- The account that an address means: that of the human for whom a provider vouched for it last; null if there is none.
-- Protocol 5.2.
create or replace function engine.account_of_address(email text)
returns uuid
language sql stable parallel safe security invoker
begin atomic
  -- an address that its account does not show is found by its sign-in
  select coalesce((select h.account_id from oauth.humans h where h.email = lower(account_of_address.email)),
                  (select i.account_id from oauth.sign_ins i where i.email = lower(account_of_address.email)
                    order by i.last_used_at desc limit 1));
end;

-- Gives an account an address (in lower case) that a provider vouched for.
create or replace function engine.take_address(account_id uuid, email text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_former uuid;
begin
  for v_former in
    select h.account_id from oauth.humans h
     where h.email = take_address.email and h.account_id <> take_address.account_id
    union
    select i.account_id from oauth.sign_ins i
     where i.email = take_address.email and i.account_id <> take_address.account_id
  loop
    update oauth.sign_ins i set email = null where i.account_id = v_former and i.email = take_address.email;
    perform engine.show_address(v_former);
    perform engine.note_event('address_changed', v_former);
  end loop;
  update oauth.humans h set email = take_address.email
   where h.account_id = take_address.account_id and h.email is distinct from take_address.email;
end
$$;

-- If an account shows an address that none of its sign-ins vouches for any more, makes it show that of the sign-in used
-- last, or none.
create or replace function engine.show_address(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  update oauth.humans h
     set email = (select i.email from oauth.sign_ins i
                   where i.account_id = show_address.account_id and i.email is not null
                     and not exists (select from oauth.humans o
                                      where o.email = i.email and o.account_id <> i.account_id)
                   order by i.last_used_at desc limit 1)
   where h.account_id = show_address.account_id
     and not exists (select from oauth.sign_ins i where i.account_id = h.account_id and i.email = h.email);
end
$$;

-- The address that an account shows, in lower case.
create or replace function engine.human_email(account_id uuid)
returns text
language sql stable parallel safe security invoker
begin atomic
  select h.email from oauth.humans h where h.account_id = human_email.account_id;
end;
