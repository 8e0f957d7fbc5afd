// The schema that migrations and sql/ make, as a page: columns, constraints, indexes, triggers, functions.
import { expect, test } from 'vitest';
import { useHill } from '../support/hill/index.ts';
import { schemaPage } from '../support/hill/schema-listing.ts';

const hill = useHill();

test('the schema is as it was reviewed', async () => {
  await expect(await schemaPage(hill)).toMatchFileSnapshot('../snapshots/schema.md');
});
