// The consent page: who asks for what is shown as the client's own word, and where the answer goes is shown as it is.
// Protocol 8.3.
import { expect, test } from 'vitest';
import { render } from '../../src/html/layout.ts';
import { consentPage } from '../../src/humans/consent/page.ts';
import type { AccountState } from '../../src/humans/records.ts';

const account: AccountState = {
  day: 1,
  account_id: '00000000-0000-7000-8000-000000000000',
  name: 'Ann',
  slug: 'ann',
  has_agents: true,
  email: 'ann@example.com',
  fresh: true,
  fresh_minutes: 10,
  suspended: false,
  suspended_because: null,
  terms: null,
  barred: false,
  top_ups: [],
  since: '2026-03-01T00:00:00.000000Z',
  reputation: 0,
  sign_ins: [],
  feed_since: null,
  mail: null,
  sessions: 1,
  session_days: 30,
  granted_cents: 0,
  paid_cents: 5000,
  reserved_cents: 0,
  available_cents: 5000,
  daily_cap_cents: 1000,
  max_stake_cents: 1500,
  moves_left: 4,
  places_left: 2,
  moves: [],
  lots: [],
  next_bell_at: '2026-03-02T00:00:00.000000Z',
  topup_minimum_cents: 2000,
  topup_maximum_cents: 100000,
};

const page = (redirectUri: string) =>
  render(
    consentPage({
      clientName: 'Hill <official>',
      clientId: 'client-1',
      redirectUri,
      scopes: ['hill:read', 'hill:play'],
      account,
      session: 'a session of a test, long enough to be one',
      action: '/oauth/authorize',
      fields: { state: '"><script>' },
      refused: undefined,
    }),
    { url: 'https://hill.example', operator: null, terms: false, playMoney: false, practice: null },
  );

test('shows the name as unverified and escaped, the scopes, the spending power, and both buttons', async () => {
  const text = await page('https://client.example/callback');

  expect(text).toContain('Hill &lt;official&gt;');
  expect(text).toContain('Nobody has verified that name');
  expect(text).toContain('<code>hill:play</code>');
  expect(text).toMatch(/at most <strong>\$10\.00<\/strong> a day/);
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
  expect(text).toContain('value="approve"');
  expect(text).toContain('value="refuse"');
});

test.each([
  ['https://client.example/callback', 'client.example'],
  ['https://client.example@evil.example/callback', 'evil.example'],
  ['http://127.0.0.1:5123/callback', 'a program on your own computer (127.0.0.1:5123)'],
  ['cursor://anysphere/callback', 'an application on your device (cursor:)'],
])('says where %s leads', async (redirectUri, shown) => {
  expect(await page(redirectUri)).toContain(`<strong><bdi>${shown}</bdi></strong>`);
});
