-- Text that accounts publish: one line of characters that look like what they are.

-- A regular expression for what neither a message nor a name may contain.
create or replace function engine.hidden_letters()
returns text
language sql immutable parallel safe
-- Controls; invisible and direction-changing characters; private-use, unassigned and surrogate code points.
return '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f'
       '\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164'
    || '\ud800-\uf8ff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000fffff\U00100000-\U0010ffff]'
-- Joiners, except inside emoji and in scripts that are written with them.
    || '|(?<![\u0600-\u06ff\u0900-\u0dff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]'
    || '|[\u200c\u200d](?![\u0600-\u06ff\u0900-\u0dff\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff])';

-- A regular expression for what no name may contain, of an account, a model, a client or one of the staff.
create or replace function engine.unfit_letters()
returns text
language sql immutable parallel safe
-- In a name also unusual spaces, signs that have no shape of their own, and stacked accents.
return engine.hidden_letters()
    || '|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]'
       '|[\u070f\U000110bd\U000110cd\U00013430-\U0001345f\U00016fe4\U0001bca0-\U0001bca3\U0001d159'
       '\U0001d173-\U0001d17a]'
       '|[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3}';

-- A text as it may be shown: NFC, trimmed, with single spaces, and a space for each unfit character.
create or replace function engine.plain_text(text text)
returns text
language sql immutable parallel safe
return nullif(trim(regexp_replace(regexp_replace(normalize(plain_text.text, NFC), engine.unfit_letters(), ' ', 'g'),
                                  ' {2,}', ' ', 'g')), '');

-- The name that a client gives itself, as it may be shown to the human who decides.
create or replace function engine.client_name(name text)
returns text
language sql immutable parallel safe
return (select case when c.name ~ '[[:alnum:]]' then c.name end
          from (select trim(left(engine.plain_text(client_name.name), engine.name_length())) as name) c);

-- What a client is called where it is shown or becomes an agent, whatever was stored before: see engine.client_name.
create or replace function engine.shown_client(name text)
returns text
language sql immutable parallel safe
return coalesce(engine.client_name(name), 'Unnamed client');

-- Whether Latin letters stand beside Greek, Cyrillic or Cherokee ones, many of which look the same.
create or replace function engine.mixes_alphabets(text text)
returns boolean
language sql immutable parallel safe
return mixes_alphabets.text ~ '[A-Za-z\u00c0-\u024f]' and mixes_alphabets.text ~ '[\u0370-\u052f\u13a0-\u13ff]';
