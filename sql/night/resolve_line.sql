-- One line of a file of nights. A bad line is an answer, not an error: the lines after it are resolved too. Rules 12.4.

-- The public engine for one line of text. JSON goes in and comes out as text, so that no digit of a number is lost.
-- Rules 12.4.
create or replace function engine.resolve_line(line text, out result text, out code text, out message text)
language plpgsql stable parallel unsafe security invoker  -- no subtransaction in a parallel plan
set search_path to pg_catalog, pg_temp
as $$
declare
  v_detail text;
begin
  begin
    result := engine.resolve_night(line::jsonb)::text;
  exception
    when sqlstate 'ZHNGT' then
      code := 'INVALID_NIGHT';
      message := sqlerrm;
    when invalid_text_representation then
      get stacked diagnostics v_detail = pg_exception_detail;
      code := 'INVALID_JSON';
      message := 'the line is not one JSON value: ' || v_detail;
    when untranslatable_character then
      code := 'INVALID_NIGHT';
      message := 'a text holds \u0000, which no PostgreSQL text can';
    when numeric_value_out_of_range or statement_too_complex or program_limit_exceeded then
      code := 'INVALID_NIGHT';
      message := 'a number, the nesting or the whole is too large';
  end;
end
$$;
