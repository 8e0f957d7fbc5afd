// Every case of the book against the engine.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { readCaseBook } from '../support/naive/case-book.ts';
import { REFUSED, resolveOrRefuse } from '../support/naive/resolve-nights.ts';

const db = useDatabase();

test.each(readCaseBook())('$number $title', async ({ night, result }) => {
  expect(await resolveOrRefuse(db.owner, night)).toEqual(result ?? REFUSED);
});
