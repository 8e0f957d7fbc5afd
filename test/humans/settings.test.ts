// The settings of providers: both halves or neither, and no secret over plain http but on loopback.
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/process/config.ts';

const production = {
  HILL_ENV: 'production',
  HILL_DAY_ONE: '2027-01-01',
  DATABASE_URL: 'postgres://owner@db.example/hill',
  BASE_URL: 'https://hill.example',
  HILL_SIGNING_SECRET: 'a secret that only this test knows',
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
  [{ GOOGLE_ISSUER: 'http://accounts.example' }, 'GOOGLE_ISSUER must be https. (In development http is allowed on loopback.)'],
  [{ ...production, GITHUB_API_URL: 'http://localhost:1' }, 'GITHUB_API_URL must be https. (In development http is allowed on loopback.)'],
])('%j stops the start', (settings, complaint) => {
  expect(() => parseConfig(settings)).toThrow(complaint);
});
