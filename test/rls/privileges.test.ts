// The privilege matrix: role x object x verb, columns and policies included, as a page that is reviewed when it
// changes.
import { expect, test } from 'vitest';
import { useHill } from '../support/hill/index.ts';
import { privilegesPage } from '../support/hill/privileges.ts';

const hill = useHill();

test('every right of every role is as it was reviewed', async () => {
  await expect(await privilegesPage(hill)).toMatchFileSnapshot('../snapshots/privileges.md');
});
