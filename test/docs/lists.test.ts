// Lists that documents and code both have: settings, dependencies, commands, files, larger runs.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkout, parseConfig } from '../../src/process/config.ts';
import { settings } from '../../src/process/settings.ts';
import { code, documents, read, rows } from '../support/documents.ts';

const manifest = JSON.parse(read('package.json')) as Record<
  'scripts' | 'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>;

describe('docs/settings.md', () => {
  const told = rows('docs/settings.md').flatMap(([setting = '', byDefault = '']) =>
    code(setting).map((name) => ({ name, byDefault })),
  );

  test('has every setting once, and no other', () => {
    expect(told.map(({ name }) => name).sort()).toEqual(Object.keys(settings.shape).sort());
  });

  test.each(told)('has the default of $name', ({ name, byDefault }) => {
    // one that is told in words is computed, or there is none
    const [, value] = /^`([^`]+)`/.exec(byDefault) ?? [];
    if (value === undefined)
      expect(settings.shape[name as keyof typeof settings.shape].parse(undefined) ?? null).toBeNull();
    else expect(parseConfig({ [name]: value }, false)).toEqual(parseConfig({}, false));
  });

  test('has what docker-compose.yml passes on: all but what production has no use for', () => {
    const passed = new Set([...read('docker-compose.yml').matchAll(/^ +([A-Z_]+): /gm)].map(([, name]) => name));
    const useless = [
      'CONSOLE_PORT',
      'CONSOLE_DATABASE_URL',
      'HILL_CLOCK',
      'HILL_DATA_DIR',
      'HILL_DEMO_DAY_SECONDS',
      'HILL_DEMO_NIGHTS',
      'HILL_PRACTICE_DAY_SECONDS',
      'HILL_PRACTICE_KEEP_HOURS',
      'HILL_PRACTICE_MEGABYTES',
      'PORT',
      'HOST',
    ];
    const elsewhere = ['GOOGLE_ISSUER', 'GITHUB_URL', 'GITHUB_API_URL', 'STRIPE_API_URL'];
    expect(
      told
        .map(({ name }) => name)
        .filter((name) => !passed.has(name) && !useless.includes(name) && !elsewhere.includes(name)),
    ).toEqual([]);
  });

  test.each(['HILL_DRAIN_SECONDS', 'HILL_STOP_SECONDS'])('has the default of %s in production', (setting) => {
    const production = {
      HILL_ENV: 'production',
      HILL_DAY_ONE: '2027-01-01',
      DATABASE_URL: 'postgres://owner@db/hill',
      BASE_URL: 'https://hill.example',
    };
    const [, inProduction] = code(told.find(({ name }) => name === setting)?.byDefault ?? '');
    expect(parseConfig({ ...production, [setting]: inProduction })).toEqual(parseConfig(production));
  });
});

test('docs/dependencies.md has every package once, and no other; each has an exact version', () => {
  const packages = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  const told = rows('docs/dependencies.md').flatMap(([names = '']) => code(names));

  expect(told.sort()).toEqual(Object.keys(packages).sort());
  for (const [name, version] of Object.entries(packages)) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

test('test/README.md has every larger size that a test has, and no other', () => {
  const files = fs
    .readdirSync(path.join(checkout, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'));
  const taken = files.flatMap((file) =>
    [...read(`test/${file}`).matchAll(/process\.env\.(HILL_TEST_\w+)/g)].map(([, name]) => name),
  );
  const told = rows('test/README.md').flatMap(([cell = '']) =>
    [...cell.matchAll(/^`(HILL_TEST_\w+)`$/g)].map(([, name]) => name),
  );

  expect(told.sort()).toEqual([...new Set(taken)].sort());
});

/** As GitHub makes the anchor of a heading. */
const anchors = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    (title as string)
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

describe.each(documents)('%s', (file) => {
  const text = read(file);

  test('leads to files and headings that are there', () => {
    for (const [, link] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [to = '', anchor] = (link as string).split('#');
      const target = path.join(path.dirname(file), to);
      expect(to === '' || fs.existsSync(path.join(checkout, target)), `${file} → ${link}`).toBe(true);
      if (anchor) expect(anchors(to === '' ? file : target), `${file} → ${link}`).toContain(anchor);
    }
  });

  test('names files and commands that are there', () => {
    for (const found of code(text)) {
      const [named] = /^(?:src|sql|test|docs|migrations|bench|ops)\/[\w./-]+$/.exec(found) ?? [];
      if (named) expect(fs.existsSync(path.join(checkout, named)), `${file}: ${named}`).toBe(true);
    }
    for (const [, name] of text.matchAll(/npm run (?:-s )?(\w+)/g))
      expect(Object.keys(manifest.scripts), `${file}: npm run ${name}`).toContain(name);
  });
});

test('the page of the log has each kind of entry that the rules have', () => {
  const [, chapter = ''] = read('docs/rules.md').split('### 20.8 Entries');
  const kinds = (text: string, row: RegExp) => [...text.matchAll(row)].map(([, kind]) => kind).sort();
  expect(kinds(read('src/pages/log.ts'), /^<dt><code>([a-z-]+)<\/code>/gm)).toEqual(
    kinds(chapter.split('\n### ')[0] as string, /^\| `([a-z-]+)`/gm),
  );
});

test('README is short', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});
