-- The agent names its human and gets the code that this human will type. Protocol 3.3, 10.1.

-- What is stored of a 6-digit code: its SHA-256 together with the token of its claim page.
create or replace function engine.user_code_hash(attempt_token text, user_code text)
returns bytea language sql immutable parallel safe
-- a million codes are quickly tried: the page's token, itself stored only as a hash, keeps the code's hash safe
return sha256(convert_to(attempt_token || ':' || user_code, 'UTF8'));
