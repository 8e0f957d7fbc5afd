// Agents without an address hear the bell: resources that change, and a stream that tells of it, in the newest
// revision. Rules 9.2; protocol 9.7, 9.9.
import { SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { news } from '../../src/mcp/door/news.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const settings = { AUTH_URL: 'http://localhost:9', HILL_PROXIES: '1' };
const one = useMcp(hill, 'one host', settings);
const two = useMcp(hill, 'one host', settings);

const everything = ['hill://tonight', 'hill://night/latest', 'hill://account'];

interface Told {
  readonly uri: string;
  readonly night: unknown;
}

/** A client that listens, and what it was told. */
async function listener(door: typeof one, account: Account, uris = everything) {
  const client = await door.modernClient(await door.token(account), { at: 'baseUrl' });
  const told: Told[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push({ uri: params.uri, night: params._meta?.['hill/night'] });
  });
  const subscription = await client.listen({ resourceSubscriptions: uris });
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>;
  };
  const hears = (uri: string, night?: number) =>
    until(`${uri} is told`, async () =>
      told.find((one) => one.uri === uri && (night === undefined || one.night === night)),
    );
  return { client, told, subscription, read, hears };
}

describe('a resource', () => {
  test('is what its tool gives, in every revision, and no larger than what a model can be shown', async () => {
    const ann = await anAccount(hill, { name: 'Ann', credits: 5000 });
    await hill.clock.ringBell();
    const token = await one.token(ann);
    for (const client of [await one.client(token, 'baseUrl'), await one.modernClient(token, { at: 'baseUrl' })]) {
      const { resources } = await client.listResources();
      expect(resources.filter(({ mimeType }) => mimeType === 'application/json').map(({ uri }) => uri)).toEqual(
        everything,
      );

      for (const [uri, name] of [
        ['hill://tonight', 'status'],
        ['hill://night/latest', 'night'],
        ['hill://account', 'whoami'],
      ] as const) {
        const { contents } = await client.readResource({ uri });
        const called = await client.callTool({ name, arguments: {} });

        expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
        const [{ text }] = contents as unknown as [{ text: string }];
        expect(JSON.parse(text)).toEqual(called.structuredContent);
        expect(text.length).toBeLessThan(20_000);
      }
    }
  });

  test('of one agent is kept for no other', async () => {
    const client = await one.modernClient(await one.token(await anAccount(hill)), { at: 'baseUrl' });
    expect(await client.readResource({ uri: 'hill://account' })).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  test('cannot be subscribed to in earlier revisions, which do not offer it', async () => {
    const client = await one.client(await one.token(await anAccount(hill)), 'baseUrl');
    expect(client.getServerCapabilities()?.resources).toEqual({});
    await expect(client.subscribeResource({ uri: 'hill://tonight' })).rejects.toThrow('Method not found');
  });
});

describe('a listener', () => {
  test('hears the bell on every process, with the night that it can read from then on', async () => {
    const ann = await anAccount(hill);
    const listeners = [await listener(one, ann), await listener(two, ann)];
    for (const { subscription } of listeners)
      expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: everything });
    const night = await hill.clock.day();

    await hill.clock.ringBell();

    for (const { hears, read } of listeners) {
      for (const uri of everything) await hears(uri, night);
      expect(await read('hill://tonight')).toMatchObject({ last_night: night });
      expect(await read('hill://night/latest')).toMatchObject({ day: night });
    }
  });

  test('hears of an announcement, and never of a deposit or a withdrawal, its own included', async () => {
    const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    const { hears } = await listener(one, ann);
    const changes = await hill.changes();

    for (const player of [ann, bob]) {
      await hill.asAgent(player).play({ slot: 4, move: 'PEACE' });
      await hill.asAgent(player).play({ slot: 4, move: 'PASS' });
      await hill.asAgent(player).play({ slot: 3, move: 'WAR', stake_cents: 900 });
    }
    await hill.asWorker().refreshSealedCount();
    await hill.asAgent(bob).announce({ slot: 4, intention: 'PEACE' });

    await hears('hill://tonight');
    expect(await changes()).toEqual(['announcements', 'sealed_count']);
    const { bus, changed } = news();
    bus.subscribe(() => expect.unreachable('the count of sealed moves was told'));
    changed('sealed_count');
  });

  test('is told of what it asked for alone; other addresses are not promised', async () => {
    const ann = await anAccount(hill);
    const { told, subscription, hears } = await listener(one, ann, [
      'hill://night/latest',
      'hill://night/latest',
      'hill://help/start',
    ]);
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: ['hill://night/latest'] });

    await hill.clock.ringBell();

    await hears('hill://night/latest', (await hill.clock.day()) - 1);
    expect(told.map(({ uri }) => uri)).toEqual(['hill://night/latest']);
    const { subscription: nothing } = await listener(one, ann, ['hill://help/start']);
    expect([nothing.honoredFilter, await nothing.closed]).toEqual([{}, 'graceful']);
  });

  test('hears nothing of what anybody notifies: not that there was a bell, nor of which night', async () => {
    const { told, hears } = await listener(one, await anAccount(hill));
    const night = await hill.clock.day();
    for (const forged of ['hill_look', 'hill_night', 'hill_changed'])
      await hill.as('web').query(`select pg_notify('${forged}', '4242'), pg_notify('${forged}', 'night')`);

    await hill.clock.ringBell();
    for (const uri of everything) await hears(uri, night);
    expect(told.filter(({ uri }) => uri === 'hill://night/latest').map(({ night }) => night)).toEqual([night]);
  });

  test('is told to read everything again when this process may have missed something', async () => {
    const { hears } = await listener(one, await anAccount(hill));

    await hill.root.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hill lookout' and datname = current_database()",
    );

    for (const uri of everything) await hears(uri);
  });

  test('whose token is revoked is cut off, and must come back with another', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const [cut, stays] = [await listener(one, ann), await listener(one, bob)];
    await hill.root.query('update oauth.access_tokens set revoked_at = engine.now() where agent_id = $1', [
      ann.agentId,
    ]);

    vi.advanceTimersByTime(40_000);

    expect(await cut.subscription.closed).toBe('graceful');
    await expect(cut.client.listen({ resourceSubscriptions: everything })).rejects.toThrow(SdkHttpError);
    await hill.clock.ringBell();
    await stays.hears('hill://tonight');
    expect(cut.told).toEqual([]);
  });

  test('without a live token, or with a broken request, gets an answer and no stream', async () => {
    const ann = await anAccount(hill);
    const token = await one.token(ann);
    const listen = (params: object, id: unknown = 1, as = token) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      return one.post(
        as,
        { jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { ...params, _meta } },
        { at: 'baseUrl', headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' } },
      );
    };
    await hill.root.query('update hill.agents set cut_at = engine.now() where id = $1', [ann.agentId]);
    expect((await listen({ notifications: { resourceSubscriptions: everything } })).status).toBe(401);
    const bob = await one.token(await anAccount(hill));
    for (const params of [{}, { notifications: 1 }, { notifications: { resourceSubscriptions: 'hill://tonight' } }])
      expect((await listen(params, 1, bob)).message.error?.code).toBe(-32602);
    const long = await listen({ notifications: { resourceSubscriptions: everything } }, 'x'.repeat(201), bob);
    expect([long.status, long.message.error?.message]).toEqual([400, 'The id of a stream has at most 200 characters.']);
  });
});

describe('streams', () => {
  test('of one account are limited, whatever its agents and addresses, and a closed one makes room', async () => {
    const ann = await anAccount(hill);
    const open = await Promise.all(Array.from({ length: 8 }, () => listener(one, ann)));

    const refused = await listener(one, ann).then(
      () => undefined,
      (error: SdkHttpError) => error,
    );
    expect(refused).toMatchObject({ status: 429 });
    expect(refused?.message).toContain('An account may have 8 streams open.');
    await listener(one, await anAccount(hill));
    await open[0]?.subscription.close();
    await until('there is room', () =>
      listener(one, ann).then(
        () => true,
        () => false,
      ),
    );
  });
});
