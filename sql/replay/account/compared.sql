-- Whether everything printed of the account's day agrees with the night resolved again, and with itself.

select coalesce(jsonb_agg(to_jsonb(d) order by d.subject, d.slot, d.seq), '[]') as shown,
       count(*) as contradictions,
       count(*) > 0 as contradicts
  from engine.account_differences(:'account_id', :day, :'resolution'::engine.resolution) d \gset
commit;
\if :contradicts
\echo What contradicts
\echo
select d.subject as what,
       d.slot as place,
       d.seq as deposit,
       coalesce(d.published, 'nothing') as stored,
       coalesce(d.recomputed, 'nothing') as replayed
  from jsonb_to_recordset(:'shown') d (subject text, slot integer, seq bigint, published text, recomputed text)
 order by d.subject, d.slot, d.seq;
select engine.refuse(
  'VERIFICATION_FAILED',
  'The account''s day ' || :'day' || ' contradicts the night resolved again, or itself: '
    || :'contradictions' || ' times.');
\endif
\echo All of this agrees with the night resolved again.
