-- What the log says, a function for each kind of entry: one line of ASCII, without a line end. Rules 20.8.

-- The first entry of a log that follows another one: the origin, size and root of its last known head. Rules 20.2,
-- 20.8.
create or replace function engine.log_entry(origin text, size bigint, root bytea)
returns bytea language sql immutable strict parallel safe
return convert_to(format('log %s %s %s', origin, size, encode(root, 'hex')), 'UTF8');

-- That an engine resolved its first night: the SHA-256 of its sources. Rules 20.8, 20.9.
create or replace function engine.engine_entry(sha256 bytea)
returns bytea language sql immutable strict parallel safe
return convert_to(format('engine %s', encode(sha256, 'hex')), 'UTF8');

-- What resolved the night of a day (SHA-256 of the sources), and the SHA-256 of its result. Rules 20.8, 20.10.
create or replace function engine.night_entry(day integer, sha256_of_engine bytea, result bytea)
returns bytea language sql immutable strict parallel safe
return convert_to(format('night %s %s %s', day, encode(sha256_of_engine, 'hex'), encode(result, 'hex')), 'UTF8');

-- The SHA-256 of the night file of a day, as it was first made. Rules 20.8, 20.10.
create or replace function engine.file_entry(day integer, sha256 bytea)
returns bytea language sql immutable strict parallel safe
return convert_to(format('file %s %s', day, encode(sha256, 'hex')), 'UTF8');

-- With which checkpoint a day was closed before its bell: origin, size, root. Rules 20.8, 20.44.
create or replace function engine.closed_entry(day integer, origin text, size bigint, root bytea)
returns bytea language sql immutable strict parallel safe
return convert_to(format('closed %s %s %s %s', day, origin, size, encode(root, 'hex')), 'UTF8');

-- That the bell of a day rang without a signed closing: the SHA-256 of the reason. Rules 20.8, 20.43.
create or replace function engine.unsealed_entry(day integer, reason text)
returns bytea language sql immutable strict parallel safe
return convert_to(format('unsealed %s %s', day, encode(sha256(convert_to(reason, 'UTF8')), 'hex')), 'UTF8');

-- The name of a key that signs receipts (RFC 7638). Rules 20.18.
create or replace function engine.receipt_key_entry(kid text)
returns bytea language sql immutable strict parallel safe
return convert_to('receipt-key ' || kid, 'UTF8');

-- Whether an entry is that of an announcement: within a batch these are last. Rules 20.3.
create or replace function engine.is_announced(entry bytea)
returns boolean language sql immutable strict parallel safe
return substr(entry, 1, 13) = 'announcement '::bytea;

-- Whether an entry is of a kind that this release knows. Others may come with a later one. Rules 20.8.
create or replace function engine.knows_entry(entry bytea)
returns boolean language sql immutable strict parallel safe
return split_part(encode(entry, 'escape'), ' ', 1)
         in ('log', 'deposit', 'announcement', 'receipt-key', 'engine', 'night', 'closed', 'unsealed', 'file');
