// What npm run lint checks beside biome. A check gives its complaints, one a line: file:line: what.
import { lostFaults } from '../mutations/faults.ts';
import { budgets } from './budgets.ts';
import { citations, links, names } from './citations.ts';
import { commentColumns } from './comment-columns.ts';
import { rooms } from './rooms.ts';
import { sqlColumns } from './sql-columns.ts';

const checks: readonly (() => string[])[] = [
  ...[citations, names, links, rooms, sqlColumns, commentColumns, budgets],
  lostFaults,
];

const complaints = checks.flatMap((check) => check());
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;
