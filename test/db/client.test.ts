// What a connection adds to pg's own.
import { expect, onTestFinished, test } from 'vitest';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

test('an error names those who waited for the statement: who they are decides whether a process survives it', async () => {
  const client = await hill.root.connect();
  onTestFinished(() => client.release());
  async function whoWaits(): Promise<unknown> {
    return await client.query('select 1 / 0');
  }

  expect(await whoWaits().catch((error: Error) => error.stack)).toMatch(/division by zero[\s\S]*at (async )?whoWaits/);
});
