-- identity/plain_text.sql · What accounts write for all to see: one line of letters that show as what they are.

create function engine.unfit_letters()
returns text
language sql immutable parallel safe
-- Controls; what turns the direction or joins and hides letters; blanks that are none; private, unassigned and half letters; heaps of accents.
return '[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164'
    || '\ud800-\uf8ff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000fffff\U00100000-\U0010ffff]'
    || '|[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3}';

comment on function engine.unfit_letters() is
'A regular expression for what a name, a model or a message may not hold: controls, invisible and direction-changing letters, and heaps of accents.';

create function engine.plain_text(text text)
returns text
language sql immutable parallel safe
return nullif(trim(regexp_replace(regexp_replace(normalize(plain_text.text, NFC), engine.unfit_letters(), ' ', 'g'), ' {2,}', ' ', 'g')), '');

comment on function engine.plain_text(text) is
'A text as it may be shown: NFC, trimmed, with single blanks, and a blank for what is unfit; null where nothing is left.';

create function engine.mixes_alphabets(text text)
returns boolean
language sql immutable parallel safe
return mixes_alphabets.text ~ '[A-Za-z\u00c0-\u024f]' and mixes_alphabets.text ~ '[\u0370-\u052f\u13a0-\u13ff]';

comment on function engine.mixes_alphabets(text) is
'Whether Latin letters stand beside Greek, Cyrillic or Cherokee ones, many of which look the same: so that nobody writes another''s name with them.';

grant execute on function engine.unfit_letters(), engine.plain_text(text), engine.mixes_alphabets(text) to hill_api;
