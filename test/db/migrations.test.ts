// What migrations/ may do to a hill that is serving: nothing that keeps deposits waiting for as long as a table is
// large.
import fs from 'node:fs';
import path from 'node:path';
import { loadModule, parseSync } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';

const folder = path.join(checkout, 'migrations', 'committed');
/** Up to here they made tables that nobody used yet, or came before this rule. */
const firstBound = '000014';
const files = fs.readdirSync(folder).filter((name) => name >= firstBound);

type Node = Record<string, unknown>;
interface Cmd {
  AlterTableCmd: {
    subtype: string;
    def?: {
      Constraint?: { contype: string; skip_validation?: boolean; indexname?: string };
      ColumnDef?: { constraints?: unknown[] };
    };
  };
}

/** What is wrong with a migration, in words. */
function faultsOf(text: string): string[] {
  const { stmts } = parseSync(text) as { stmts: { stmt: Node }[] };
  const made = new Set(
    stmts.flatMap(({ stmt }) =>
      stmt.CreateStmt ? [(stmt.CreateStmt as { relation: { relname: string } }).relation.relname] : [],
    ),
  );
  return stmts.flatMap(({ stmt }) => {
    const { IndexStmt: index, AlterTableStmt: alter } = stmt as {
      IndexStmt?: Node;
      AlterTableStmt?: { relation: { relname: string }; cmds: Cmd[] };
    };
    if (index && !index.concurrent && !made.has((index.relation as { relname: string }).relname))
      return [
        'an index on a table that is in use: create index concurrently, in a file of its own that begins with "--! no-transaction"',
      ];
    if (!alter || made.has(alter.relation.relname)) return [];
    return alter.cmds.flatMap(({ AlterTableCmd: { subtype, def } }) => {
      if (subtype === 'AT_AlterColumnType') return ['a column of another type: every row is written anew'];
      if (subtype === 'AT_SetNotNull')
        return ['"set not null" looks at every row: add a check that is not valid, validate it, and set it then'];
      const constraint = subtype === 'AT_AddConstraint' ? def?.Constraint : undefined;
      if (constraint && ['CONSTR_UNIQUE', 'CONSTR_PRIMARY'].includes(constraint.contype) && !constraint.indexname)
        return ['a unique constraint: create its index concurrently first, and add it "using index"'];
      if (constraint && ['CONSTR_CHECK', 'CONSTR_FOREIGN'].includes(constraint.contype) && !constraint.skip_validation)
        return ['a constraint that looks at every row: add it "not valid", and validate it in a file of its own'];
      return [];
    });
  });
}

beforeAll(() => loadModule());

describe('a migration', () => {
  test.each(files)('%s stops nobody', (name) => {
    expect(faultsOf(fs.readFileSync(path.join(folder, name), 'utf8'))).toEqual([]);
  });

  test.each([
    ['create index on hill.transfers (at)', 'concurrently'],
    ['alter table hill.transfers add constraint c check (cents > 1)', 'not valid'],
    ['alter table hill.transfers add foreign key (day) references hill.nights', 'not valid'],
    ['alter table hill.transfers add unique (at)', 'using index'],
    ['alter table hill.transfers alter cents type numeric', 'written anew'],
    ['alter table hill.transfers alter reason set not null', 'looks at every row'],
  ])('may not: %s', (statement, fault) => {
    expect(faultsOf(statement)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    'create index concurrently i on hill.transfers (at)',
    'create table hill.more (id integer); create index on hill.more (id)',
    'alter table hill.transfers add constraint c check (cents > 1) not valid',
    'alter table hill.transfers validate constraint c',
    "alter table hill.transfers add column note text not null default ''",
  ])('may: %s', (statement) => {
    expect(faultsOf(statement)).toEqual([]);
  });
});
