// The checks of citations find what they are for, and what the database says of its own objects leads somewhere.
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { citable, citations, danglingIn, links, names } from './citations.ts';

const db = useDatabase();
const known = citable();

test('code and documents cite what is there', () => {
  expect([...citations(), ...names(), ...links()]).toEqual([]);
});

describe('a planted citation is found', () => {
  test.each([
    ['rules 3.99', 'rules 3.99 does not exist'],
    ['Rules 3.1, 99', 'rules 99 does not exist'],
    ['decisions 9999', 'decisions 9999 does not exist'],
    ['protocol 9.4; protocol 2 and 2.77', 'protocol 2.77 does not exist'],
    ['rows 36 to 460 of protocol 11', 'row 460 does not exist'],
    ['protocol 11, rows 30, 32 and 330', 'row 330 does not exist'],
    ['Specification 2.4', '"Specification 2" names no document of docs/'],
    ['decisions section 0', '"decisions section 0" names no document of docs/'],
    ['row 49 of the acceptance list of somewhere', '"acceptance list of" names no document of docs/'],
    ['protocol, choices', '"protocol, choices" names no document of docs/'],
    ['-- Rules\n-- 3.99', 'rules 3.99 does not exist'],
    ["'Seats. Rules '\n'3.1, '\n'3.99.'", 'rules 3.99 does not exist'],
  ])('%s', (text, complaint) => {
    expect(danglingIn(`-- a/b.sql · First line.\n\n${text}\n`, known)).toEqual([`3: ${complaint}`]);
  });

  test.each([
    'rules 3.7',
    'Rules 2.3, 4.1 and 12; protocol 3.2; decisions 17, 24',
    'rows 36 to 45b of protocol 11',
    'the rules of 30 nights',
  ])('%s is none', (text) => {
    expect(danglingIn(text, known)).toEqual([]);
  });
});

test('a file, a function, a link and an anchor that are not there are found', () => {
  const text =
    '# One\n\n`src/no-such.ts`, `engine.no_such(`, [a](no-such.md), [b](rules.md#no-such), [c](#one), [d](rules.md#8-tournaments), `api_agent.play` in `sql/moves/play.sql`';
  const file = { file: 'docs/planted.md', text };
  expect([...names([file]), ...links([file])]).toEqual([
    'docs/planted.md:3: there is no src/no-such.ts',
    'docs/planted.md:3: nothing in sql/ or migrations/ defines engine.no_such',
    'docs/planted.md:3: sql/moves/play.sql does not define api_agent.play',
    'docs/planted.md:3: there is no docs/no-such.md',
    'docs/planted.md:3: docs/rules.md has no heading #no-such',
  ]);
});

test('what the database says of its functions, tables and types cites what is there', async () => {
  const { rows } = await db.owner.query<{ object: string; comment: string }>(`
    select pg_describe_object(d.classoid, d.objoid, d.objsubid) as object, d.description as comment
      from pg_description d
      join (select oid, pronamespace as namespace from pg_proc
            union all select oid, relnamespace from pg_class
            union all select oid, typnamespace from pg_type) o on o.oid = d.objoid
      join pg_namespace n on n.oid = o.namespace
     where n.nspname ~ '^(hill|oauth|engine|trusted|api_)'`);
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter(({ comment }) => /\b(rules|protocol|decisions) \d/i.test(comment)).length).toBeGreaterThan(100);
  expect(
    rows.flatMap(({ object, comment }) => danglingIn(comment, known).map((complaint) => `${object}: ${complaint}`)),
  ).toEqual([]);
});
