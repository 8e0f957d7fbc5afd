-- One decision of a night: what happened, by which rule and key, against whom; and its words. Rules 4.4, 4.5.

create type engine.contender as (
  account     uuid,
  seq         bigint,
  at          timestamptz,
  reputation  numeric,
  since       timestamptz
);

create type engine.fate as enum (  -- in the order in which the decisions about one move are told
  'kept',      -- held the place and keeps it
  'seated',    -- takes a seat by its own move there
  'evicted',   -- a PEACE where there was one WAR
  'burned',    -- a WAR among several
  'queued',    -- a PEACE that found no seat
  'left',      -- held the place and played nothing there
  'skipped',   -- came first in the queue for a seat that it may not have
  'served',    -- seated on a burned place by the queue
  'waits');    -- stayed in the queue

create type engine.decision as (
  slot         smallint,       -- the place that was decided on; null for an entry that waits
  account      uuid,
  seq          bigint,         -- the move that it is about; null for a holder that left
  move         hill.move,
  held         integer,        -- bells for which the account had held that place; null for a challenger
  fate         engine.fate,
  rule         text,           -- see engine.decision_rules
  key          text,           -- the field of the night file that decided, compared from left to right with the rival's
  key_seq      bigint,         -- the move whose field it is: its own for an order, else the move that stood in the way
  own_value    text,           -- the two values of a key that was compared
  rival        uuid,           -- who would have had the seat, or has it
  rival_seq    bigint,
  rival_value  text
);

comment on type engine.contender is
'A move with the keys that order it: deposit order and queue order compare these. Rules 4.2.';
comment on type engine.fate is 'What a decision of a night came to for one move, or for a holder that did not move.';
comment on type engine.decision is
'One decision of a night about one move. Deleting move key_seq (key move), deleting its account''s entry of that '
'place (key holders), or exchanging the field key (at, seq: of the two moves; reputation, since: of the two accounts) '
'with the rival changes the result of the night.';

-- The rules by which a night decides about a move, as engine.explain_night names them, each in one sentence.
create or replace function engine.decision_rules()
returns table (rule text, sentence text)
language sql immutable parallel safe
begin atomic
  values
    ('lone_war',
     'One WAR: the warrior occupies alone, every PEACE there is evicted and joins the queue. Rules 4.4.'),
    ('burn',
     'Two or more WAR: every stake burns, no warrior is seated. Rules 4.4.'),
    ('holder_first',
     'A holder at peace is seated before any challenger. Rules 4.4.'),
    ('free_seat',
     'A challenger at peace takes a seat that nobody else at peace there wants. Rules 4.4.'),
    ('deposit_order',
     'The earliest challengers at peace take what seats are left: by at, reputation, since, seq. '
     'Rules 4.2, 4.4.'),
    ('abandoned',
     'A holder who plays nothing on its place leaves it, free of charge. Rules 4.4.'),
    ('queue_order',
     'A free seat of a burned place goes to the first of the queue: by reputation, since, at, seq. Rules 4.2, 4.5.'),
    ('sits_there',
     'The queue never serves an account that sits on that place already. Rules 4.5.'),
    ('warred_there',
     'The queue never serves an account that went to war on that place that night. Rules 4.5.'),
    ('nothing_to_serve',
     'The queue serves only places that burned, and none of them had a seat left. Rules 4.5.');
end;

-- What became of a move on its own place. Rules 4.4.
create or replace function engine.own_fate(move hill.move, outcome hill.outcome, held boolean, seated boolean)
returns engine.fate
language sql immutable parallel safe
return case when seated then case when held then 'kept'::engine.fate else 'seated'::engine.fate end
            when move = 'WAR' then 'burned'::engine.fate
            when outcome = 'WAR' then 'evicted'::engine.fate
            else 'queued'::engine.fate end;

-- The first key in which two moves differ. Rules 4.2.
create or replace function engine.deciding_key(by_deposit boolean, own engine.contender, rival engine.contender)
returns text
language sql immutable parallel safe
return case
  when by_deposit and (own).at <> (rival).at then 'at'
  when (own).reputation <> (rival).reputation then 'reputation'
  when (own).since <> (rival).since then 'since'
  when (own).at <> (rival).at then 'at'
  when (own).seq <> (rival).seq then 'seq' end;

-- The value of a key of a move as the night file writes it; null for a key that is not compared.
create or replace function engine.key_value(contender engine.contender, key text)
returns text
language sql stable parallel safe
return case key
  when 'at' then engine.iso((contender).at)
  when 'since' then engine.iso((contender).since)
  when 'reputation' then trim_scale((contender).reputation)::text
  when 'seq' then (contender).seq::text end;

-- How a move compares with its rival in an order, up to the key that decides.
create or replace function engine.order_words(rule text, key text, ahead boolean)
returns text
language sql immutable parallel safe
return case rule || ' ' || key   -- first what is equal: the later keys of an order decide only among equals
    when 'deposit_order reputation' then 'same instant, '
    when 'deposit_order since' then 'same instant and reputation, '
    when 'deposit_order seq' then 'same instant, reputation and age, '
    when 'queue_order since' then 'same reputation, '
    when 'queue_order at' then 'same reputation and age, '
    when 'queue_order seq' then 'same reputation, age and instant, '
    else '' end
  || case key
    when 'at' then case when ahead then 'earlier' else 'later' end
    when 'reputation' then case when ahead then 'higher reputation' else 'lower reputation' end
    when 'since' then case when ahead then 'older account' else 'younger account' end
    when 'seq' then case when ahead then 'lower deposit number' else 'higher deposit number' end end;

-- The value of a key for people: of an instant as much as tells it from the other one (05:03 from 05:04), down to the
-- microsecond.
create or replace function engine.short_value(key text, value text, other text)
returns text
language sql immutable parallel safe
return case
  when key not in ('at', 'since') then value
  else translate(
    substr(
      left(
        value,
        -- to the day, the minute, the second or the microsecond
        case when key = 'since' and left(value, 10) <> left(other, 10) then 10
             when left(value, 16) <> left(other, 16) then 16
             when left(value, 19) <> left(other, 19) then 19
             else 26 end),
      case key when 'at' then 12 else 1 end),   -- the night's day is known
    'T',
    ' ') end;

create or replace function engine.decision_words(decision engine.decision, rival text)
returns text
language sql immutable parallel safe
return case (decision).rule
  when 'lone_war' then
    case when (decision).fate = 'evicted' then 'evicted by the WAR of ' || rival else 'the only WAR there' end
  when 'burn' then rival || ' went to war there too: the stakes burn'
  when 'holder_first' then
    case when (decision).fate = 'queued' then 'the holders come first, ' || rival || ' on the last seat'
         else 'holder at peace' || coalesce(', comes before ' || rival, '') end
  when 'free_seat' then 'a seat was free'
  when 'abandoned' then 'held it and played nothing there'
  when 'sits_there' then
    case when (decision).fate = 'waits' then 'a seat was left, but it sits there already'
         else 'sits there already; ' || coalesce('the seat goes to ' || rival, 'the seat stays empty') end
  when 'warred_there' then
    case when (decision).fate = 'waits' then 'a seat was left, but it went to war there'
         else 'went to war there; ' || coalesce('the seat goes to ' || rival, 'the seat stays empty') end
  when 'nothing_to_serve' then 'no burned place had a seat left'
  else
    case when rival is null then 'nobody else waited who may sit there'
         -- not format(), which is not immutable: this function would be called for each decision, not inlined
         else case when (decision).fate in ('seated', 'served') then 'ahead of ' else 'behind ' end
              || rival
              || ': '
              || engine.order_words((decision).rule, (decision).key, (decision).fate in ('seated', 'served'))
              || ', '
              || engine.short_value((decision).key, (decision).own_value, (decision).rival_value)
              || ' against '
              || engine.short_value((decision).key, (decision).rival_value, (decision).own_value) end
end;

comment on function engine.decision_words is
'Why a decision was made, in a few words: with the rival by its given name, and the two values of the key.';
