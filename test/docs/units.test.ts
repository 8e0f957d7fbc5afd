// The units of ops/systemd, each with the settings that all of them share and every secret that its lines offer:
// nothing stops its start.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkout, parseConfig } from '../../src/process/config.ts';
import { read } from '../support/documents.ts';

const folder = 'ops/systemd';
const units = fs.readdirSync(path.join(checkout, folder)).filter((file) => file.endsWith('.service'));

/** What stands in /etc/hill/settings.env where humans sign in with both providers, and pay. */
const shared = {
  BASE_URL: 'https://hill.example',
  HILL_DAY_ONE: '2027-01-01',
  HILL_PROXIES: '1',
  GOOGLE_CLIENT_ID: 'g',
  GITHUB_CLIENT_ID: 'h',
  HILL_OPERATOR_NAME: 'Hill & Co.',
  HILL_OPERATOR_CONTACT: 'office@hill.example',
  HILL_TERMS: '/etc/hill/terms.md',
  HILL_PRIVACY: '/etc/hill/privacy.md',
  HILL_TERMS_VERSION: '2027-01-01',
  HILL_MAIL_FROM: 'hill@hill.example',
};

const secrets: Record<string, string> = {
  smtp: 'smtps://me:secret@mail.example',
  'signing-secret': 'a secret that only this test knows',
  'stripe-secret-key': 'sk_live_1',
  'stripe-webhook-secret': 'whsec_1',
};

test.each(units)('%s starts with every line that it offers', (unit) => {
  const credentials = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-units-'));
  onTestFinished(() => fs.rmSync(credentials, { recursive: true }));
  const lines = read(`${folder}/${unit}`).replaceAll(/^#(?=Environment=|LoadCredential=)/gm, '');
  const values = (name: string) =>
    [...lines.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value as string);
  for (const credential of values('LoadCredential')) {
    const [name = ''] = credential.split(':');
    fs.writeFileSync(
      path.join(credentials, name),
      secrets[name] ?? (name.endsWith('-url') ? `postgres://${name}@db.example/hill` : name),
    );
  }
  const own = values('Environment').flatMap((line) =>
    line.replaceAll('%d', credentials).replaceAll('%i', '8080').split(' '),
  );
  const env = { ...Object.fromEntries(own.map((pair) => pair.split(/=(.*)/s).slice(0, 2))), ...shared };
  const command = / src\/main\.ts (\w+)/.exec(values('ExecStart').join())?.[1];

  expect(() => parseConfig(env, false, command)).not.toThrow();
});
