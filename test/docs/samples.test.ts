// The samples of ops/ are what their programs take.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { haproxy } from '../support/peers/haproxy.ts';

test.skipIf(!haproxy)('HAProxy takes ops/haproxy.cfg', () => {
  const said = execFileSync(haproxy as string, ['-c', '-V', '-f', path.join(checkout, 'ops/haproxy.cfg')], { encoding: 'utf8' });
  expect(said).toContain('Configuration file is valid');
});
