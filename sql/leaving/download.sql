-- leaving/download.sql · All data of an account, as its human downloads it. Rules 19.2.

create or replace function engine.begin_download(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_wait integer := engine.admit('download', begin_download.account_id::text, engine.downloads_per_hour(), 3600);
begin
  if v_wait > 0 then
    perform engine.refuse('rate_limited', 'The data of the account were downloaded too often.',
      jsonb_build_object('retry_after_seconds', v_wait));
  end if;
  -- What a bell moves from one list to another is then in exactly one of them.
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform engine.note_event('data_downloaded', account_id);
end
$$;

comment on function engine.begin_download is
'Counts a download of an account''s data, records it among the security events, and holds the day until the end of the '
'transaction, in which engine.account_data is read. Errors: rate_limited, BELL_RINGING. Rules 19.2.';

create or replace function engine.account_data(account_id uuid)
returns table (part text, single boolean, entry jsonb)
-- stable: one snapshot for all lists
language plpgsql stable parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
set timezone to 'UTC'
as $$
declare
  v_list record;
begin
  for v_list in select * from engine.account_lists() loop
    part := v_list.part;
    single := v_list.single;
    entry := null;
    return next;
    for entry in execute format('select to_jsonb(x) from (%s) x', v_list.query) using account_id loop
      return next;
    end loop;
  end loop;
end
$$;

comment on function engine.account_data is
'All data of an account: for each list of engine.account_lists a row without an entry, and then a row for each of its '
'entries. Rules 19.2.';

grant execute on function engine.account_lists, engine.begin_download, engine.account_data to hill_api_human;
