--! Previous: sha1:475bd534f7e7f5addcad15ee85afcc6a06e21a45
--! Hash: sha1:0fdc7905543172315039d0724bfacb1e9aeea6f9
--! Message: reserved slugs

-- No account is called by a word that texts use for somebody, or for nothing: its slug gets a suffix, and the one that it
-- leaves still leads to it. Rules 10.5, 11.1.

set local role hill_owner;

alter table hill.accounts no force row level security;
update hill.accounts a
   set slug = a.slug || '-' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 6)
 where not a.house
   and a.slug in (
     'all', 'answer', 'anybody', 'anyone', 'assistant', 'caller', 'closed', 'data', 'developer', 'empty', 'error',
     'everybody', 'guest', 'hidden', 'holder', 'human', 'i', 'instructions', 'less', 'mine', 'model', 'more',
     'myself', 'no', 'no-one', 'no-seat', 'nothing', 'our', 'ours', 'pass', 'peace', 'place', 'rival', 'somebody',
     'someone', 'stranger', 'tool', 'unknown', 'us', 'user', 'vacant', 'war', 'warrior', 'we', 'yes', 'you',
     'you-are', 'your', 'yours', 'yourself', 'burn', 'the-bell', 'the-hill', 'the-house', 'the-staff', 'hill-bell',
     'du', 'ihr', 'ja', 'jij', 'je', 'moi', 'nada', 'nadie', 'nein', 'nichts', 'niemand', 'niente', 'non', 'oui',
     'personne', 'rien', 'si', 'sie', 'tu', 'usted', 'voce', 'vous', 'yo', 'ich', 'io', 'eu');
alter table hill.accounts force row level security;

reset role;
