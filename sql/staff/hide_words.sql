-- Staff hide what a move of a past night or an announcement said, or show it again. Rules 18.5; decisions 224.

-- What the published move of an account on a place said, or its announcement (said_in: move, announcement), with the
-- salt of its hash.
create or replace function engine.words_of(account_id uuid, day integer, slot integer, said_in text)
returns table (words text, message_salt bytea)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if said_in = 'move' then
    return query
    select m.message, m.message_salt from hill.moves m
     where m.account_id = words_of.account_id and m.day = words_of.day and m.slot = words_of.slot
       and m.ended is null;
  else
    return query
    select n.message, n.message_salt from hill.announcements n
     where n.account_id = words_of.account_id and n.day = words_of.day and n.slot = words_of.slot;
  end if;
end
$$;

-- Writes words into a published move or an announcement that staff hide. Its hash stays, and the salt goes with what it
-- said: whoever had it could try guesses.
create or replace function trusted.put_words(
  account_id uuid,
  day integer,
  slot integer,
  said_in text,
  words text,
  message_salt bytea)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may change what was published
set search_path to pg_catalog, pg_temp
as $$
begin
  if said_in = 'move' then
    update hill.moves m set message = put_words.words, message_salt = put_words.message_salt
     where m.account_id = put_words.account_id and m.day = put_words.day and m.slot = put_words.slot
       and m.ended is null;
  else
    update hill.announcements n set message = put_words.words, message_salt = put_words.message_salt
     where n.account_id = put_words.account_id and n.day = put_words.day and n.slot = put_words.slot;
  end if;
end
$$;

-- Hides what a published move or an announcement of an account said on a place, or shows it again, for the member of
-- staff who calls, and writes that to the audit log with its reason. Rules 18.5.
create or replace function engine.hide_words(
  account_id uuid,
  day integer,
  slot integer,
  said_in text,
  hidden boolean,
  reason text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff(case said_in when 'move' then 'hide_message' else 'hide_announcement' end, reason);
  v_said  record;
  v_was   hill.hidden_words;
begin
  if hidden is null then
    perform engine.refuse('INVALID_ARGUMENT', 'hidden is true or false.', '{"argument": "hidden"}');
  end if;
  -- The bell judges announcements of today: it waits for this, or this for another minute.
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform engine.find_account(account_id);
  select w.* into v_said from engine.words_of(account_id, day, slot, said_in) w;
  if v_said.words is null then
    perform engine.refuse('NOT_FOUND',
      case said_in when 'move' then 'No move of a past night said anything there.'
                   else 'No announcement said anything there.' end,
      '{"argument": "account_id"}');
  end if;
  select h.* into v_was from hill.hidden_words h
   where h.account_id = hide_words.account_id and h.day = hide_words.day and h.slot = hide_words.slot
     and h.said_in = hide_words.said_in;
  if hidden and v_was.day is null then
    insert into hill.hidden_words (account_id, day, slot, said_in, words, message_salt, hidden_at)
    values (
      hide_words.account_id,
      hide_words.day,
      hide_words.slot,
      hide_words.said_in,
      v_said.words,
      v_said.message_salt,
      engine.now());
    perform trusted.put_words(account_id, day, slot, said_in, engine.veiled_words(), null);
    perform trusted.retell_nights(account_id);
  elsif not hidden and v_was.day is not null then
    perform trusted.put_words(account_id, day, slot, said_in, v_was.words, v_was.message_salt);
    perform trusted.forget_hidden(account_id, day, slot, said_in);
    perform trusted.retell_nights(account_id);
  end if;
  perform engine.write_audit(v_staff, 'hide_' || case said_in when 'move' then 'message' else 'announcement' end,
    account_id, slot, jsonb_build_object('day', day, 'hidden', hidden, 'was_hidden', v_was.day is not null), reason);
  perform engine.tell_anew();
end
$$;

-- Deletes the words that staff kept of a move or an announcement, which says them again.
create or replace function trusted.forget_hidden(account_id uuid, day integer, slot integer, said_in text)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
  delete from hill.hidden_words h
   where h.account_id = forget_hidden.account_id and h.day = forget_hidden.day and h.slot = forget_hidden.slot
     and h.said_in = forget_hidden.said_in
$$;

-- Has readers drop from memory whatever shows an account's name or words: see engine.tell_change.
create or replace function engine.tell_anew()
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  -- as after a closing, which changes the same: nights that are over, announcements, identities
  select trusted.note_change('closings'), trusted.note_change('announcements'), trusted.note_change('identities');
end;

-- Takes the salts of what a version before this hid out of what staff and DBAs read. Called by load.sql.
create or replace function engine.withhold_salts()
returns void
language plpgsql volatile parallel unsafe security invoker  -- run by the owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_hidden hill.hidden_words;
begin
  for v_hidden in select h.* from hill.hidden_words h where h.message_salt is null loop
    update hill.hidden_words h set message_salt = w.message_salt
      from engine.words_of(v_hidden.account_id, v_hidden.day, v_hidden.slot, v_hidden.said_in) w
     where h.account_id = v_hidden.account_id and h.day = v_hidden.day and h.slot = v_hidden.slot
       and h.said_in = v_hidden.said_in;
    perform trusted.put_words(
      v_hidden.account_id, v_hidden.day, v_hidden.slot, v_hidden.said_in, engine.veiled_words(), null);
  end loop;
end
$$;

grant execute on function trusted.put_words, trusted.forget_hidden to hill_api_staff;

create policy staff_hides on hill.hidden_words to hill_api_staff
  using (api_staff.staff_name() is not null) with check (api_staff.staff_name() is not null);
create policy staff_read on hill.hidden_words for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy own_download on hill.hidden_words for select to hill_api_human
  using (account_id = (select engine.actor_account()));
create policy owner_shows on hill.hidden_words to hill_owner using (true) with check (true);
grant select, insert on hill.hidden_words to hill_api_staff;
grant select on hill.hidden_words to hill_staff, hill_api_human;

-- What was published changes in no more than this: words become hidden, and the same come back with the same salt.
create policy owner_sees_hidden on hill.moves for select to hill_owner
  using ((select current_user) = 'hill_owner'
         and exists (select from hill.hidden_words h
                      where h.account_id = moves.account_id and h.day = moves.day and h.slot = moves.slot
                        and h.said_in = 'move'));
create policy owner_hides on hill.moves for update to hill_owner
  using ((select current_user) = 'hill_owner'
         and exists (select from hill.hidden_words h
                      where h.account_id = moves.account_id and h.day = moves.day and h.slot = moves.slot
                        and h.said_in = 'move'))
  with check (exists (select from hill.hidden_words h
                       where h.account_id = moves.account_id and h.day = moves.day and h.slot = moves.slot
                         and h.said_in = 'move'
                         and (moves.message = engine.veiled_words() and moves.message_salt is null
                              or moves.message = h.words and moves.message_salt is not distinct from h.message_salt)));
create policy owner_hides on hill.announcements for update to hill_owner
  using (exists (select from hill.hidden_words h
                  where h.account_id = announcements.account_id and h.day = announcements.day
                    and h.slot = announcements.slot and h.said_in = 'announcement'))
  with check (exists (select from hill.hidden_words h
                       where h.account_id = announcements.account_id and h.day = announcements.day
                         and h.slot = announcements.slot and h.said_in = 'announcement'
                         and (announcements.message = engine.veiled_words() and announcements.message_salt is null
                              or announcements.message = h.words
                                 and announcements.message_salt is not distinct from h.message_salt)));

comment on table hill.hidden_words is
'What moves and announcements said that staff hide: everybody else reads engine.veiled_words there. Rules 18.5.';
comment on column hill.hidden_words.day is 'The day of the move or announcement.';
comment on column hill.hidden_words.account_id is 'Whose words they are.';
comment on column hill.hidden_words.slot is 'On which place.';
comment on column hill.hidden_words.said_in is 'move or announcement.';
comment on column hill.hidden_words.words is 'What it said, and says when it is shown again.';
comment on column hill.hidden_words.message_salt is
'The salt of their hash, which the move or announcement has again when it is shown. Null from before there were any.';
comment on column hill.hidden_words.hidden_at is 'When staff hid it. Hill''s clock.';
