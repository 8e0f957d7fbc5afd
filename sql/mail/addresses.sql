-- The address to which notices of an account go. Protocol 5.6.

-- Whether a text is an address of mail: RFC 5321 without quotes and literals, as browsers check it, with a domain of
-- several labels. Nothing of it needs quoting in a header.
create or replace function engine.can_be_mailed(address text)
returns boolean language sql immutable parallel safe
return coalesce(
  char_length(address) <= 254
  and char_length(split_part(address, '@', 1)) <= 64
  and address ~ ('^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
                 '@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$'),
  false);

-- Refuses what is no address of mail. Errors: INVALID_ARGUMENT.
create or replace function engine.check_mail_address(address text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if not engine.can_be_mailed(address) then
    perform engine.refuse('INVALID_ARGUMENT', 'That is not an address to which mail can be sent from here.',
      '{"argument": "address"}');
  end if;
end
$$;

-- Whether an address that was asked may still confirm.
create or replace function engine.still_asked(asked_at timestamptz)
returns boolean language sql volatile parallel unsafe security invoker
begin atomic
  select asked_at > clock_timestamp() - make_interval(hours => engine.mail_confirm_hours());
end;

-- What the account page shows of mail; null if no address was ever given, or it was taken away.
create or replace function engine.account_mail(account_id uuid)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object(
      'address', m.address,
      'nightly', m.nightly,
      'confirmed_at', engine.iso(m.confirmed_at),
      'stopped_at', engine.iso(m.stopped_at),
      'stopped_because', m.stopped_because,
      'asked_address', m.asked_address,
      'asked', case
        when m.asked_address is null then null
        when m.asked_id is null then 'refused'
        when engine.still_asked(m.asked_at) then 'waits'
        else 'over'
      end)
    from oauth.mail_addresses m
   where m.account_id = account_mail.account_id and coalesce(m.address, m.asked_address) is not null;
end;

-- Drops what waits to be mailed to an account.
create or replace function engine.drop_mails(account_id uuid)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  update hill.mails m set ended_at = clock_timestamp(), ended_as = 'dropped', facts = '{}'
   where m.account_id = drop_mails.account_id and m.ended_at is null;
end;
