// A client generated from /openapi.json by a public generator type-checks against a script that reads every address, and the script runs. Rules 16.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';

const hill = useHill();
const web = useWebDoor(hill);
beforeAll(async () => {
  await aLivelyNight(hill);
  await springCup(hill);
});
const run = promisify(execFile);
const client = path.join(checkout, 'test/client');

test('a generated client reads every address that is described, with its types', { timeout: 60_000 }, async () => {
  const dir = fs.mkdtempSync(path.join(client, 'generated-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  fs.writeFileSync(path.join(dir, 'openapi.json'), await (await web.get('/openapi.json')).text());
  await run(process.execPath, [path.join(client, 'node_modules/openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'hill.d.ts'], {
    cwd: dir,
  });
  fs.copyFileSync(path.join(client, 'read-everything.ts'), path.join(dir, 'read-everything.ts'));
  fs.writeFileSync(
    path.join(dir, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2024', module: 'nodenext', strict: true, noEmit: true, types: ['node'], exactOptionalPropertyTypes: true },
        ...{ noUncheckedIndexedAccess: true, typeRoots: [path.join(checkout, 'node_modules/@types')] },
      },
      files: ['read-everything.ts'],
    }),
  );
  const tsc = (file: string) =>
    run(process.execPath, [path.join(checkout, 'node_modules/typescript/bin/tsc'), '-p', file], { cwd: dir }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  expect(await tsc('tsconfig.json')).toBe('');

  const { stdout } = await run(process.execPath, ['read-everything.ts', web.baseUrl], { cwd: dir });
  const described = Object.keys((JSON.parse(fs.readFileSync(path.join(dir, 'openapi.json'), 'utf8')) as { paths: object }).paths);
  expect(stdout.trim().split('\n')).toEqual(described);

  // and it would have told
  const script = path.join(dir, 'read-everything.ts');
  fs.writeFileSync(script, fs.readFileSync(script, 'utf8').replace('hill.nextBellAt', 'hill.nextBellAtNoon'));
  expect(await tsc('tsconfig.json')).toContain('nextBellAtNoon');
});
