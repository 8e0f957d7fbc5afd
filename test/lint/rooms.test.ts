// The check of rooms finds what it is there to find.
import { expect, test } from 'vitest';
import { rooms, roomsIn } from './rooms.ts';

test('src/ is in order', () => {
  expect(rooms()).toEqual([]);
});

test('a loose file and a folder without a rule are named', () => {
  const rules = '"includes": ["src/db/**"] … "group": ["**/../db/**"]';
  expect(roomsIn(['main.ts', 'db/'], rules)).toEqual([]);
  expect(roomsIn(['main.ts', 'db/', 'attic/', 'loose.ts'], rules)).toEqual([
    expect.stringMatching(/^src\/attic: /),
    expect.stringMatching(/^src\/loose\.ts: /),
  ]);
});
