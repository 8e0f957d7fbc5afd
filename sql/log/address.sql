-- Whether the hill's own address leads to this database: a worker writes a question with its answer, and asks there.
-- Rules 20.37.

-- Writes a question with its answer, both 64 hexadecimal digits, and forgets those of more than an hour ago.
create or replace function trusted.ask_at_address(question text, answer text)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  delete from hill.address_questions q where q.asked_at < clock_timestamp() - interval '1 hour';
  insert into hill.address_questions (question, answer) values (ask_at_address.question, ask_at_address.answer);
$$;

-- The answer to a question that a worker of this database has asked; null if none has.
create or replace function trusted.answer_at_address(question text)
returns text
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$ select q.answer from hill.address_questions q where q.question = answer_at_address.question $$;

create policy owner_asks on hill.address_questions to hill_owner using (true) with check (true);
revoke update, truncate on hill.address_questions from hill_owner;

comment on table hill.address_questions is
'What workers have asked at the hill''s own address within the last hour, to see that it leads to this database. Rules '
'20.37.';
comment on column hill.address_questions.question is 'Random, in 64 hexadecimal digits.';
comment on column hill.address_questions.answer is 'Random, likewise: only this database knows it.';
comment on column hill.address_questions.asked_at is 'When it was written. Real clock.';

grant execute on function trusted.ask_at_address to hill_api_worker;
grant execute on function trusted.answer_at_address to hill_api_public;
