-- Staff hide what a move of a past night or an announcement said, or show it again. Rules 18.5; decisions 224.

-- What the published move of an account on a place said, or its announcement (said_in: move, announcement).
create or replace function engine.words_of(account_id uuid, day integer, slot integer, said_in text)
returns text
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if said_in = 'move' then
    return (select m.message from hill.moves m
             where m.account_id = words_of.account_id and m.day = words_of.day and m.slot = words_of.slot
               and m.ended is null);
  end if;
  return (select n.message from hill.announcements n
           where n.account_id = words_of.account_id and n.day = words_of.day and n.slot = words_of.slot);
end
$$;

-- Writes words into a published move or an announcement that staff hide.
create or replace function trusted.put_words(account_id uuid, day integer, slot integer, said_in text, words text)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may change what was published
set search_path to pg_catalog, pg_temp
as $$
begin
  if said_in = 'move' then
    update hill.moves m set message = put_words.words
     where m.account_id = put_words.account_id and m.day = put_words.day and m.slot = put_words.slot
       and m.ended is null;
  else
    update hill.announcements n set message = put_words.words
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
  v_words text;
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
  v_words := engine.words_of(account_id, day, slot, said_in);
  if v_words is null then
    perform engine.refuse('NOT_FOUND',
      case said_in when 'move' then 'No move of a past night said anything there.'
                   else 'No announcement said anything there.' end,
      '{"argument": "account_id"}');
  end if;
  select h.* into v_was from hill.hidden_words h
   where h.account_id = hide_words.account_id and h.day = hide_words.day and h.slot = hide_words.slot
     and h.said_in = hide_words.said_in;
  if hidden and v_was.day is null then
    insert into hill.hidden_words (account_id, day, slot, said_in, words, hidden_at)
    values (
      hide_words.account_id,
      hide_words.day,
      hide_words.slot,
      hide_words.said_in,
      v_words,
      engine.now());
    perform trusted.put_words(account_id, day, slot, said_in, engine.veiled_words());
    perform trusted.retell_nights(account_id);
  elsif not hidden and v_was.day is not null then
    perform trusted.put_words(account_id, day, slot, said_in, v_was.words);
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

grant execute on function trusted.put_words, trusted.forget_hidden to hill_api_staff;

create policy staff_hides on hill.hidden_words to hill_api_staff
  using (api_staff.staff_name() is not null) with check (api_staff.staff_name() is not null);
create policy staff_read on hill.hidden_words for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy own_download on hill.hidden_words for select to hill_api_human
  using (account_id = (select engine.actor_account()));
create policy owner_shows on hill.hidden_words to hill_owner using (true) with check (false);
grant select, insert on hill.hidden_words to hill_api_staff;
grant select on hill.hidden_words to hill_staff, hill_api_human;

-- What was published changes in no more than this: words become hidden, and the same words come back.
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
                         and h.said_in = 'move' and moves.message in (engine.veiled_words(), h.words)));
create policy owner_hides on hill.announcements for update to hill_owner
  using (exists (select from hill.hidden_words h
                  where h.account_id = announcements.account_id and h.day = announcements.day
                    and h.slot = announcements.slot and h.said_in = 'announcement'))
  with check (exists (select from hill.hidden_words h
                       where h.account_id = announcements.account_id and h.day = announcements.day
                         and h.slot = announcements.slot and h.said_in = 'announcement'
                         and announcements.message in (engine.veiled_words(), h.words)));

comment on table hill.hidden_words is
'What moves and announcements said that staff hide: everybody else reads engine.veiled_words there. Rules 18.5.';
comment on column hill.hidden_words.day is 'The day of the move or announcement.';
comment on column hill.hidden_words.account_id is 'Whose words they are.';
comment on column hill.hidden_words.slot is 'On which place.';
comment on column hill.hidden_words.said_in is 'move or announcement.';
comment on column hill.hidden_words.words is 'What it said, and says when it is shown again.';
comment on column hill.hidden_words.hidden_at is 'When staff hid it. Hill''s clock.';
