// The settings of providers: both halves or neither, and no secret over plain http but on loopback.
import { expect, test } from 'vitest';
import { parseConfig, topUpsOf } from '../../src/process/config.ts';

const production = {
  HILL_ENV: 'production',
  HILL_DAY_ONE: '2027-01-01',
  DATABASE_URL: 'postgres://owner@db.example/hill',
  BASE_URL: 'https://hill.example',
  HILL_SIGNING_SECRET: 'a secret that only this test knows',
};

const published = {
  HILL_OPERATOR_NAME: 'Hill & Co.',
  HILL_OPERATOR_CONTACT: 'office@hill.example',
  HILL_TERMS: '/etc/hill/terms.md',
  HILL_PRIVACY: 'https://hill.example/privacy.html',
  HILL_TERMS_VERSION: '2027-01-01',
};

test('no provider is configured by default', () => {
  expect(parseConfig({}).providers).toEqual({ google: null, github: null });
});

test('a provider has its own addresses by default', () => {
  const { providers } = parseConfig({
    ...production,
    GOOGLE_CLIENT_ID: 'g',
    GOOGLE_CLIENT_SECRET: 's',
    GITHUB_CLIENT_ID: 'h',
    GITHUB_CLIENT_SECRET: 't',
  });

  expect(providers).toEqual({
    google: { clientId: 'g', clientSecret: 's', issuer: 'https://accounts.google.com' },
    github: { clientId: 'h', clientSecret: 't', url: 'https://github.com', apiUrl: 'https://api.github.com' },
  });
});

test.each([
  [{ GOOGLE_CLIENT_ID: 'g' }, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: set both or neither.'],
  [{ GITHUB_CLIENT_SECRET: 't' }, 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET go together: set both or neither.'],
  [
    { GOOGLE_ISSUER: 'http://accounts.example' },
    'GOOGLE_ISSUER must be https. (In development http is allowed on loopback.)',
  ],
  [
    { ...production, GITHUB_API_URL: 'http://localhost:1' },
    'GITHUB_API_URL must be https. (In development http is allowed on loopback.)',
  ],
  [
    { ...production, STRIPE_API_URL: 'http://localhost:1' },
    'STRIPE_API_URL must be https. (In development http is allowed on loopback.)',
  ],
  [{ STRIPE_API_URL: 'https://api.stripe.com/v1' }, 'STRIPE_API_URL must have no path.'],
  [{ STRIPE_WEBHOOK_SECRET: 'sk_live_5' }, 'STRIPE_WEBHOOK_SECRET does not begin with whsec_.'],
])('%j stops the start', (settings, complaint) => {
  expect(() => parseConfig(settings)).toThrow(complaint);
});

test('credits are paid for where Stripe is configured; without it they are play money in development, and not sold in production', () => {
  expect(parseConfig({ STRIPE_SECRET_KEY: 'sk_test' }).stripe).toEqual({
    secretKey: 'sk_test',
    apiUrl: 'https://api.stripe.com',
  });
  expect(
    [{}, production, { STRIPE_SECRET_KEY: 'sk' }, { ...production, ...published, STRIPE_SECRET_KEY: 'rk_live_1' }].map(
      (env) => topUpsOf(parseConfig(env)),
    ),
  ).toEqual(['sandbox', 'none', 'test', 'stripe']);
});
