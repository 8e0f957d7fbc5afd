// What npm run verify says of a hill, line by line.
import { type Verification, verifyHill } from '../../../src/verify/index.ts';
import { Missing } from '../../../src/verify/reading.ts';
import { receiptsIn } from '../../../src/verify/receipts.ts';

/** What a sentence was said as: a check that holds or not, or a note. */
export type Said = readonly [mark: string, sentence: string];

/** And, as `failed`, what ends it. Nights are followed where a release is given. */
export async function saidInNode({
  receipts = [],
  ...asked
}: Pick<Verification, 'hill' | 'withEngine'> & Partial<Verification> & { receipts?: readonly string[] }) {
  const said: Said[] = [];
  let failed: string | undefined;
  await verifyHill({
    ...{ days: [], seen: {}, held: receiptsIn(receipts) },
    say: (holds, sentence) => said.push([holds ? 'ok' : 'WRONG', sentence]),
    note: (sentence) => said.push(['note', sentence]),
    ...asked,
  }).catch((error: Error) => {
    if (error instanceof Missing) said.push(['WRONG', error.message]);
    else failed = error.message;
  });
  return { said, failed };
}
