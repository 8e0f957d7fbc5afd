// Webhooks through the guard: over real TLS to public addresses, and to nothing else, whatever a name comes to mean
// after somebody subscribed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Delivery, post, webhooks } from '../../src/outside/webhooks.ts';
import { sealer } from '../../src/process/secret.ts';
import { anInternet, type Internet } from '../support/outside/internet.ts';
import { verified } from '../support/peers/receiver.ts';

let internet: Internet;
const received: { headers: Record<string, string>; body: string }[] = [];
beforeAll(async () => {
  internet = await anInternet();
  await internet.site('receiver', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(202).end('thank you');
  });
});
afterAll(() => internet.close());

const seal = sealer(() => 'a secret of the tests, of more than thirty-two characters', 'hill webhook secrets');
const hooks = () => webhooks(internet.settings, seal);
const aDelivery = (url: string, change: Partial<Delivery> = {}): { delivery: Delivery; secret: string } => {
  const { id, secret, sealed_secret } = hooks().make();
  const body = '{"data": {"day": 8, "name": "Bücher"}, "type": "bell_rung", "timestamp": "2026-03-09T00:00:00Z"}';
  return {
    secret,
    delivery: {
      id: '01890000-0000-7000-8000-000000000001',
      subscription_id: id,
      url,
      sealed_secret,
      body,
      event: 'bell_rung',
      attempt: 1,
      ...change,
    },
  };
};
const sent = (url: string) => post(internet.fetch, seal, aDelivery(url).delivery);

test('a post arrives over https, with a signature that the receiver’s library verifies', async () => {
  const { delivery, secret } = aDelivery('https://receiver.example/hook?of=mine');
  expect(await post(internet.fetch, seal, delivery)).toEqual({ outcome: 'delivered', status: 202 });

  const [request] = received as [(typeof received)[0]];
  expect(request.body).toBe(delivery.body);
  expect(request.headers['webhook-id']).toBe(delivery.id);
  expect(verified(secret, { ...request, method: 'POST', url: '' })).toMatchObject({
    type: 'bell_rung',
    data: { name: 'Bücher' },
  });
  expect(() => verified(hooks().make().secret, { ...request, method: 'POST', url: '' })).toThrow();
});

describe('an address that is checked when somebody subscribes', () => {
  test.each(['https://receiver.example/', 'https://receiver.example:443/hook?a=b'])('%s passes', async (url) => {
    await expect(hooks().check(url)).resolves.toBeUndefined();
  });

  test('is refused by its form, or because nobody knows it, or because it is not public: the last two look alike', async () => {
    internet.dns.tell('inside.example', ['10.0.0.7']);
    internet.dns.tell('mixed.example', ['93.184.215.200', '127.0.0.1']);
    const refused = (url: string) =>
      hooks()
        .check(url)
        .then(
          () => expect.fail('it passed'),
          ({ code, message, detail }) => ({ code, message, ...detail }),
        );
    expect(await refused('http://receiver.example/')).toMatchObject({
      code: 'ADDRESS_REFUSED',
      reason: 'url_not_allowed',
    });
    const unknown = await refused('https://nobody-knows.example/');
    expect(unknown).toMatchObject({ code: 'ADDRESS_REFUSED', reason: 'unreachable' });
    expect(await refused('https://inside.example/')).toEqual(unknown);
    expect(await refused('https://mixed.example/')).toEqual(unknown);
    expect(internet.canary.heard()).toBe(0);
  });
});

describe('an address that has changed since', () => {
  test('and is not public any more is not dialled', async () => {
    internet.dns.tell('rebound.example', ['169.254.169.254']);
    const before = internet.reached.length;
    expect(await sent('https://rebound.example/')).toEqual({ outcome: 'unreachable', status: null });
    expect(internet.reached.length).toBe(before);
    expect(internet.canary.heard()).toBe(0);
  });

  test.each([
    ['redirects', 307, { location: 'https://receiver.example/hook' }, { outcome: 'redirect', status: null }],
    ['is gone', 410, {}, { outcome: 'gone', status: 410 }],
    ['fails', 503, {}, { outcome: 'status', status: 503 }],
  ] as const)('and %s', async (_, status, headers, outcome) => {
    const site = await internet.site(`answers-${status}`, (_request, response) =>
      response.writeHead(status, headers).end(),
    );
    const before = received.length;
    expect(await sent(`https://${site.name}/`)).toEqual(outcome);
    expect(received.length).toBe(before);
  });

  test('and answers without end', async () => {
    const site = await internet.site('endless', (_request, response) => {
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(more));
    });
    expect(await sent(`https://${site.name}/`)).toEqual({ outcome: 'answer_not_allowed', status: null });
  });
});

test('a secret that was sealed by another one, or for another subscription, signs nothing', async () => {
  const { delivery } = aDelivery('https://receiver.example/');
  const before = received.length;
  const another = sealer(
    () => 'another secret of the tests, of more than thirty-two characters',
    'hill webhook secrets',
  );
  const keys = sealer(() => 'a secret of the tests, of more than thirty-two characters');
  for (const opened of [another, keys])
    expect(await post(internet.fetch, opened, delivery)).toEqual({ outcome: 'secret_lost', status: null });
  const swapped = { ...delivery, subscription_id: hooks().make().id };
  expect(await post(internet.fetch, seal, swapped)).toEqual({ outcome: 'secret_lost', status: null });
  expect(received.length).toBe(before);
});
