// The client of docs/client: with types that a public generator makes of /openapi.json, as its README says, a script
// that reads every address type-checks and runs. Another generator makes a client, too. Rules 16; decisions 258.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { exampleUrl } from '../../src/rest/openapi/examples.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const web = useWebDoor(hill);
beforeAll(async () => {
  await signLog(hill);
  await aLivelyNight(hill);
  await springCup(hill);
});
const run = promisify(execFile);
const client = path.join(checkout, 'test/client');
const published = path.join(checkout, 'docs/client');

const folder = async () => {
  const dir = fs.mkdtempSync(path.join(client, 'generated-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const described = JSON.parse(await (await web.get('/openapi.json')).text(), (key, value) =>
    key === 'example' ? undefined : value,
  ) as {
    paths: object;
  };
  fs.writeFileSync(path.join(dir, 'openapi.json'), JSON.stringify(described));
  return { dir, described };
};
const tsc = (dir: string) =>
  run(process.execPath, [path.join(checkout, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], {
    cwd: dir,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );

test('a generated client reads every address that is described, with its types', async () => {
  const { dir, described } = await folder();
  const generator = path.join(client, 'node_modules/openapi-typescript/bin/cli.js');
  const [, args = ''] =
    /^npx openapi-typescript@7 (.+)$/m.exec(fs.readFileSync(path.join(published, 'README.md'), 'utf8')) ?? [];
  await run(process.execPath, [generator, ...args.replace(exampleUrl, web.baseUrl).split(' ')], { cwd: dir });
  fs.copyFileSync(path.join(published, 'hill.ts'), path.join(dir, 'hill.ts'));
  fs.copyFileSync(path.join(client, 'read-everything.ts'), path.join(dir, 'read-everything.ts'));
  fs.writeFileSync(
    path.join(dir, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ target: 'es2024', module: 'nodenext', strict: true, types: ['node'], exactOptionalPropertyTypes: true },
        ...{ outDir: 'built', rewriteRelativeImportExtensions: true },
        ...{ noUncheckedIndexedAccess: true, typeRoots: [path.join(checkout, 'node_modules/@types')] },
      },
      files: ['read-everything.ts'],
    }),
  );
  expect(await tsc(dir)).toBe('');

  const { stdout } = await run(process.execPath, ['built/read-everything.js', web.baseUrl], { cwd: dir });
  expect(stdout.trim().split('\n')).toEqual(Object.keys(described.paths));

  // and it would have told
  const script = path.join(dir, 'read-everything.ts');
  fs.writeFileSync(script, fs.readFileSync(script, 'utf8').replace('now.nextBellAt', 'now.nextBellAtNoon'));
  expect(await tsc(dir)).toContain('nextBellAtNoon');
});

test('a client of another generator type-checks, reads, and is told what is missing or refused', async () => {
  const { dir } = await folder();
  const generator = path.join(client, 'node_modules/@hey-api/openapi-ts/bin/run.js');
  const settings =
    "{ input: 'openapi.json', output: { path: 'hey-api', module: { extension: '.ts' } }, plugins: ['@hey-api/client-fetch', '@hey-api/sdk'] }";
  fs.writeFileSync(path.join(dir, 'openapi-ts.config.mjs'), `export default ${settings};`);
  await run(process.execPath, [generator, '-f', 'openapi-ts.config.mjs', '--silent'], { cwd: dir });
  fs.copyFileSync(path.join(client, 'read-with-hey-api.ts'), path.join(dir, 'read-with-hey-api.ts'));
  const compilerOptions = {
    ...{
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      allowImportingTsExtensions: true,
    },
    ...{
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [path.join(checkout, 'node_modules/@types')],
    },
  };
  fs.writeFileSync(
    path.join(dir, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['read-with-hey-api.ts'] }),
  );
  expect(await tsc(dir)).toBe('');
  const { stdout } = await run(process.execPath, ['read-with-hey-api.ts', web.baseUrl], { cwd: dir });
  const { entries } = await web.read<{ entries: { slug: string }[] }>('/api/leaderboard/hill');
  expect(stdout.trim().split('\n')).toEqual(['800', '2', '3', '1', entries[0]?.slug, 'NOT_FOUND', 'limit']);
});
