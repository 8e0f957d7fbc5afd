// One mail, handed to a server or not: encryption, login, and what a server may do to a client. Protocol 5.6.
import { expect, test } from 'vitest';
import { send } from '../../src/outside/smtp.ts';
import type { SmtpSettings } from '../../src/process/config.ts';
import { aCertificate } from '../support/outside/certificates.ts';
import { aMailServer, type MailServer } from '../support/peers/mail-server.ts';

const from = { name: 'Hill', address: 'hill@hill.example' };
const mail = {
  to: 'ann@mail.example',
  messageId: '<1@hill.example>',
  date: new Date('2026-03-01T00:00:00Z'),
  subject: 'Night 1: −$3.00, 日本語',
  text: `${'long '.repeat(500)}\n.\nFrom here on: é\n`,
  html: `<p>${'x'.repeat(5_000)}</p>`,
  headers: {},
};
const at = ({ port }: MailServer, more: Partial<SmtpSettings> = {}): SmtpSettings => ({
  ...{ host: '127.0.0.1', port, secure: false, loopback: true, login: null },
  ...more,
});

test('arrives as it was, in lines that every server takes', async () => {
  const server = await aMailServer();
  expect(await send(at(server), from, mail)).toEqual({ outcome: 'sent', status: 250 });
  const [received] = server.received;
  expect(received?.mail).toMatchObject({ subject: mail.subject, date: '2026-03-01T00:00:00.000Z' });
  expect(received?.mail.html?.trim()).toBe(mail.html);
  expect(received?.mail.text?.trim()).toBe(mail.text.trim());
  expect(received?.raw).not.toMatch(/[^\t\r\n -~]/);
  expect(Math.max(...(received?.raw.split('\r\n') ?? []).map((line) => line.length))).toBeLessThanOrEqual(998);
});

test('a subject with a line end in it makes no header', async () => {
  const server = await aMailServer();
  await send(at(server), from, { ...mail, subject: 'a\r\nBcc: eve@mail.example' });
  expect(server.asked).toEqual(['ann@mail.example']);
  expect(server.received[0]?.header('Bcc')).toBeUndefined();
});

test('logs in, and says so when the login is refused', async () => {
  const onAuth: NonNullable<ConstructorParameters<typeof import('smtp-server').SMTPServer>[0]>['onAuth'] = (
    { username, password },
    _,
    done,
  ) => (username === 'me' && password === 'pass:word' ? done(null, { user: 'me' }) : done(new Error('no')));
  const server = await aMailServer({ authOptional: false, allowInsecureAuth: true, onAuth });
  const login = (pass: string) => send(at(server, { login: { user: 'me', pass } }), from, mail);
  expect(await login('pass:word')).toMatchObject({ outcome: 'sent' });
  expect(await login('else')).toMatchObject({ outcome: 'login', status: 535 });
  expect(await send(at(server), from, mail)).toMatchObject({ outcome: 'rejected', status: 530 });
  expect(server.received).toHaveLength(1);
});

test('says nothing in the clear to a server elsewhere: one without STARTTLS, and one that is not who it says', async () => {
  const bare = await aMailServer();
  const away = { loopback: false, login: { user: 'me', pass: 'secret' } };
  expect((await send(at(bare, away), from, mail)).outcome).not.toBe('sent');
  const { key, cert } = await aCertificate(['mail.example']);
  const strange = await aMailServer({ key, cert, disabledCommands: [] });
  expect((await send(at(strange, away), from, mail)).outcome).toBe('unreachable');
  const secure = await aMailServer({ key, cert, secure: true });
  expect((await send(at(secure, { ...away, secure: true }), from, mail)).outcome).toBe('unreachable');
  for (const server of [bare, strange, secure]) expect([server.asked, server.received]).toEqual([[], []]);
});

test('to nobody who listens is unreachable, and to a name that is none', async () => {
  const server = await aMailServer();
  await server.close();
  expect(await send(at(server), from, mail)).toEqual({ outcome: 'unreachable', status: null });
  expect(await send(at(server, { host: 'mail.invalid' }), from, mail)).toEqual({
    outcome: 'unreachable',
    status: null,
  });
  await server.open();
});
