// The staff key's file: made once, readable by its owner alone, and another key only where the file was deleted.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepStaffKey } from '../../src/console/index.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

const aDir = () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-key-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  return dir;
};
const opens = async (key: string) =>
  (
    await hill.rows<{ opens: boolean }>(
      "select exists (select from oauth.staff_keys where key_hash = sha256(convert_to($1, 'UTF8'))) as opens",
      [key],
    )
  )[0]?.opens;

test('is made at the first start, for its owner alone, and kept at the next', async () => {
  const dataDir = path.join(aDir(), 'not', 'there', 'yet');
  const file = await keepStaffKey({ dataDir }, hill.ownerUrl);

  expect(file).toBe(path.join(dataDir, 'staff-key'));
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(dataDir)).toEqual(['staff-key']);
  const key = fs.readFileSync(file, 'utf8').trim();
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(await opens(key)).toBe(true);

  fs.chmodSync(file, 0o644);
  await keepStaffKey({ dataDir }, hill.ownerUrl);
  expect(fs.readFileSync(file, 'utf8').trim()).toBe(key);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test('is another when the file was deleted, and the old one opens nothing', async () => {
  const dataDir = aDir();
  const file = await keepStaffKey({ dataDir }, hill.ownerUrl);
  const old = fs.readFileSync(file, 'utf8').trim();
  fs.rmSync(file);
  await keepStaffKey({ dataDir }, hill.ownerUrl);

  expect(await opens(old)).toBe(false);
  expect(await opens(fs.readFileSync(file, 'utf8').trim())).toBe(true);
});

test('of two starts at once is one', async () => {
  const dataDir = aDir();
  const files = await Promise.all([keepStaffKey({ dataDir }, hill.ownerUrl), keepStaffKey({ dataDir }, hill.ownerUrl)]);
  expect(new Set(files).size).toBe(1);
  expect(await opens(fs.readFileSync(files[0], 'utf8').trim())).toBe(true);
});

test('that is too short to be one stops the start with a way out', async () => {
  const dataDir = aDir();
  fs.writeFileSync(path.join(dataDir, 'staff-key'), 'secret\n');
  await expect(keepStaffKey({ dataDir }, hill.ownerUrl)).rejects.toThrow(
    /delete it, and the next start makes a new one/,
  );
});
