-- Files of nights are public. Only its owner's functions write them: the worker calls them, and no door can, or whoever
-- took over a web process could change what carries a hash.

alter table hill.archives enable row level security, force row level security;
create policy owner_keeps on hill.archives to hill_owner using (true) with check (true);
create policy public_reads on hill.archives for select to hill_api_public, hill_dba using (true);
create policy staff_read on hill.archives for select to hill_staff using ((select api_staff.staff_name()) is not null);
grant select on hill.archives to hill_api_public, hill_staff, hill_dba;

alter table hill.archive_pieces enable row level security, force row level security;
create policy owner_keeps on hill.archive_pieces to hill_owner using (true) with check (true);
create policy public_reads on hill.archive_pieces for select to hill_api_public using (true);
grant select on hill.archive_pieces to hill_api_public;

alter table hill.retellings enable row level security, force row level security;
create policy owner_keeps on hill.retellings to hill_owner using (true) with check (true);
create policy staff_read on hill.retellings for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
grant select on hill.retellings to hill_staff;

comment on table hill.archives is
'Files of nights: form (list and format), version of that form, and length and SHA-256 of the file and of its gzip. '
'Made by the worker after the bell, and anew where a night is retold. Rules 10.12; decisions 243.';
comment on column hill.archives.id is 'Names the pieces; another one each time the file is made.';
comment on column hill.archives.day is 'The night that it is of.';
comment on column hill.archives.form is 'List and format, such as moves.csv.';
comment on column hill.archives.version is 'Version of that form: files of an older one are made again.';
comment on column hill.archives.bytes is 'Length of the file.';
comment on column hill.archives.sha256 is 'SHA-256 of the file, by which it is served.';
comment on column hill.archives.coded_bytes is 'Length of its gzip.';
comment on column hill.archives.coded_sha256 is 'SHA-256 of its gzip.';
comment on column hill.archives.pieces is 'In how many pieces the gzip is stored.';
comment on column hill.archives.made_at is 'When the worker made it. Hill''s clock.';
comment on table hill.archive_pieces is
'The gzip of each file, piece by piece. Large files of old nights have none: they are made again when they are read. '
'Not in backups: the worker makes them again. Rules 10.12.';
comment on column hill.archive_pieces.archive_id is
'The file (hill.archives). No foreign key: pieces are stored first.';
comment on column hill.archive_pieces.piece is 'Number of the piece, from 1.';
comment on column hill.archive_pieces.body is 'Bytes of the gzip.';
comment on table hill.retellings is
'How often a night was told anew, since a name or message in it was taken away. Rules 10.10; decisions 242.';
comment on column hill.retellings.day is 'The night that was told anew.';
comment on column hill.retellings.times is 'How often; its addresses and files change each time.';
