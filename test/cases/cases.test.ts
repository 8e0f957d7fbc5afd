// test/cases/cases.test.ts · every case of the book against the engine.
import { expect, test } from 'vitest';
import { readCaseBook } from '../support/case-book.ts';
import { useDatabase } from '../support/database.ts';
import { REFUSED, resolveOrRefuse } from '../support/resolve-nights.ts';

const db = useDatabase();

test.each(readCaseBook())('$number $title', async ({ night, result }) => {
  expect(await resolveOrRefuse(db.owner, night)).toEqual(result ?? REFUSED);
});
