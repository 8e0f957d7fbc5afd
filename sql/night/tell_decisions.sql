-- The decisions of a night as agents read them: the rule, the tie-break and the rival, as fields and in words. Rules
-- 4.4, 4.5.

-- What a key of a decision compares. Rules 4.2, 4.3.
create or replace function engine.tie_break(key text)
returns text
language sql immutable parallel safe
return case key
  when 'reputation' then 'reputation'
  when 'since' then 'seniority'
  when 'at' then 'deposit_time'
  when 'seq' then 'sequence_number'
  when 'holders' then 'holder'
  else 'none' end;

-- The sentence of a rule that engine.decision_rules names, with the section it is from.
create or replace function engine.rule_sentence(rule text)
returns text
language sql stable parallel safe security invoker
begin atomic
  select r.sentence from engine.decision_rules() r where r.rule = rule_sentence.rule;
end;

-- Why a place comes to an outcome and what follows, as the rules record says it, with the section.
create or replace function engine.outcome_sentence(outcome hill.outcome)
returns text
language sql stable parallel safe security invoker
begin atomic
  select upper(left(r.value ->> 'when', 1)) || substr(r.value ->> 'when', 2) || '. '
         || (r.value ->> 'detail') || ' Rules 4.4.'
    from jsonb_array_elements(engine.rules_of_resolution()) r (value)
   where r.value ->> 'outcome' = outcome_sentence.outcome::text;
end;

-- A decision as JSON: account, about_slot, seq, fate, rule and its sentence, tie_break and the night file's key for it
-- with the move whose field it is (key_seq), the two values compared, the rival, and why in words.
create or replace function engine.decision_json(decision engine.decision, account jsonb, rival jsonb, rival_name text)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_strip_nulls(jsonb_build_object(
    'account', decision_json.account,
    'about_slot', (decision_json.decision).slot,
    'seq', (decision_json.decision).seq,
    'fate', (decision_json.decision).fate,
    'rule', (decision_json.decision).rule,
    'sentence', engine.rule_sentence((decision_json.decision).rule),
    'tie_break', engine.tie_break((decision_json.decision).key),
    'key', (decision_json.decision).key,
    'key_seq', (decision_json.decision).key_seq,
    'own_value', (decision_json.decision).own_value,
    'rival', decision_json.rival,
    'rival_seq', (decision_json.decision).rival_seq,
    'rival_value', (decision_json.decision).rival_value,
    'why', engine.decision_words(decision_json.decision, decision_json.rival_name)));
end;
