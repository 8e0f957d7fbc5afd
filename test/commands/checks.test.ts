// What every command checks before it serves or changes anything: that the settings are this hill's, and that the
// secret is.
import net from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import { keepProofKey } from '../../src/db/kept-settings.ts';
import { prepareDatabase } from '../../src/db/migrate.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { KeyRing } from '../../src/oauth/keys.ts';
import { parseConfig } from '../../src/process/config.ts';
import { makeLog } from '../../src/process/log.ts';
import { sealer } from '../../src/process/secret.ts';
import { startWeb } from '../../src/web/index.ts';
import { aDataDir, aServer, refusalOf, runHill, hill as runToItsEnd } from '../support/hill/hill-process.ts';
import { dayOne, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';

const hill = useHill();
const another = 'another secret, of more than thirty-two characters as well';
const quiet = { LOG_LEVEL: 'warn', HILL_CLOCK: 'simulated', HILL_SIGNING_SECRET: secret };
const urls = () => ({
  WEB_DATABASE_URL: hill.url('web'),
  WORKER_DATABASE_URL: hill.url('worker'),
  CONSOLE_DATABASE_URL: hill.url('console'),
});
const ready = { web: 'Hill is open', worker: 'the worker is waiting', console: 'the staff console is at' } as const;
type Part = keyof typeof ready;
const parts = Object.keys(ready) as Part[];

const run = async (part: string, env: Record<string, string>) =>
  runToItsEnd([part], { ...(await aServer()), ...quiet, ...urls(), ...env });
/** The same, in this process, where only the words of the refusal are of interest. */
const refused = async (part: string, env: Record<string, string>) =>
  refusalOf([part], { ...(await aServer()), ...quiet, ...urls(), ...env });
const keys = () =>
  hill.rows("select kid, encode(sealed_private, 'base64') as sealed from oauth.signing_keys order by kid");

describe('a part of several', () => {
  test.each(parts)('%s starts with the settings of its hill', async (part) => {
    const running = runHill([part], {
      ...(await aServer()),
      ...quiet,
      ...urls(),
      HILL_DAY_ONE: dayOne,
      LOG_LEVEL: 'info',
    });
    await running.says(ready[part]);
    expect(await running.stop()).toBe(0);
  });

  const anotherDayOne = /^this hill began on 2026-03-01, and its day one cannot become 2027-01-01\. .*$/;

  test('is refused with another day one, in one line', async () => {
    expect(await run('web', { HILL_DAY_ONE: '2027-01-01' })).toEqual({
      code: 1,
      output: expect.stringMatching(anotherDayOne),
    });
  });

  test.each(parts)('%s is refused with another day one', async (part) => {
    expect(await refused(part, { HILL_DAY_ONE: '2027-01-01' })).toMatch(anotherDayOne);
  });

  test.each([...parts, 'migrate', 'start'])('%s is refused with another kind of clock', async (part) => {
    expect(await refused(part, { HILL_CLOCK: 'real', DATABASE_URL: hill.ownerUrl })).toMatch(
      /^this database has run with the simulated clock and cannot run with the real one\. .*$/,
    );
  });

  // The clock is compared as above, whatever HILL_ENV is; and the settings are read before any command is.
  test('npm start refuses a hill on the simulated clock in production', async () => {
    const production = {
      HILL_ENV: 'production',
      HILL_DAY_ONE: dayOne,
      BASE_URL: 'https://hill.example',
      HILL_DATA_DIR: aDataDir(),
    };
    const named = { ...production, DATABASE_URL: hill.ownerUrl };
    expect(await refused('start', { ...named, HILL_CLOCK: 'real' })).toMatch(
      /^this database has run with the simulated clock .*$/,
    );
    await expect(refused('start', { ...named, HILL_CLOCK: 'simulated' })).resolves.toMatch(
      /^HILL_CLOCK=simulated is refused in production.*$/,
    );
  });
});

describe('HILL_SIGNING_SECRET', () => {
  const ringOf = (text: string) =>
    new KeyRing(
      hill.as('web'),
      sealer(() => text),
      { rereadMs: 0 },
    );
  const now = async () => (await call<{ now: number }>(hill.as('web'), 'api_oauth.signing_keys')).now;

  test.each(['web', 'worker', 'start'])(
    'that is not the one of the hill: %s does not start, and writes nothing, also when a successor is due',
    async (part) => {
      await ringOf(secret).signingKey(await now());
      await hill.root.query(
        "update oauth.signing_keys set signs_from = signs_from - interval '40 days', created_at = created_at - interval '40 days'",
      );
      const before = await keys();
      expect(before).toHaveLength(1);

      expect(await refused(part, { HILL_SIGNING_SECRET: another, DATABASE_URL: hill.ownerUrl })).toMatch(
        /^HILL_SIGNING_SECRET is not the one that sealed the signing keys of this database\. .*$/,
      );
      expect(await keys()).toEqual(before);
      await hill.root.query('delete from oauth.signing_keys');
    },
  );

  test('that is not the one of the hill makes no successor in a process that runs already: the right one signs on', async () => {
    await hill.root.query('delete from oauth.signing_keys');
    await ringOf(secret).signingKey(await now());
    await hill.root.query(
      "update oauth.signing_keys set signs_from = signs_from - interval '40 days', created_at = created_at - interval '40 days'",
    );
    const before = await keys();

    await expect(ringOf(another).signingKey(await now())).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    expect((await ringOf(another).published()).keys).toHaveLength(1);
    expect(await keys()).toEqual(before);

    await ringOf(secret).signingKey(await now());
    expect(await keys()).toHaveLength(2);
    await hill.root.query('delete from oauth.signing_keys');
  });

  test('is compared from the first migration on that leaves its mark; a worker, which sees no key, compares too', async () => {
    const started = async (part: Part, text: string) => {
      const running = runHill([part], {
        ...(await aServer()),
        ...quiet,
        ...urls(),
        HILL_SIGNING_SECRET: text,
        LOG_LEVEL: 'info',
      });
      await running.says(ready[part]);
      return running.stop();
    };
    await hill.root.query('delete from oauth.proof_keys');
    expect(await started('worker', another)).toBe(0); // nobody has said yet
    await keepProofKey(secret, hill.ownerUrl);
    expect(await refused('worker', { HILL_SIGNING_SECRET: another })).toMatch(/^HILL_SIGNING_SECRET is not the one /);
    expect(await started('worker', secret)).toBe(0);
  });
});

describe('nothing is changed by a start that cannot be', () => {
  const untouched = async (env: Record<string, string>, line: RegExp) => {
    const name = `empty_${Math.random().toString(36).slice(2)}`;
    await hill.admin.query(`create database ${name} owner hill template template0`);
    onTestFinished(async () => void (await hill.admin.query(`drop database ${name} with (force)`)));
    const DATABASE_URL = Object.assign(new URL(hill.ownerUrl), { pathname: `/${name}` }).href;
    const { PORT, CONSOLE_PORT } = await aServer();
    expect(
      await refusalOf(['start'], { PORT, CONSOLE_PORT, ...quiet, DATABASE_URL, HILL_DATA_DIR: aDataDir(), ...env }),
    ).toMatch(line);
    const { rows } = await hill
      .pool(Object.assign(new URL(DATABASE_URL)).href, 1)
      .query("select count(*)::int as n from pg_namespace where nspname !~ '^(pg_|information_schema|public)'");
    expect(rows).toEqual([{ n: 0 }]);
  };

  test.each(['PORT', 'CONSOLE_PORT'])('where %s is taken', async (setting) => {
    const other = net.createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as net.AddressInfo;
    await untouched({ [setting]: String(port) }, new RegExp(`^${setting}: port ${port} is in use\\. .*$`));
  });

  test('where production has no HILL_SIGNING_SECRET', () =>
    untouched(
      {
        HILL_ENV: 'production',
        HILL_CLOCK: 'real',
        HILL_DAY_ONE: dayOne,
        BASE_URL: 'https://hill.example',
        HILL_SIGNING_SECRET: '',
      },
      /^HILL_SIGNING_SECRET must be set in production: .*$/,
    ));

  test('an older hill is not migrated by a start with another day one', async () => {
    // a database that is prepared, and then lacks what the next version would bring
    const name = `older_${Math.random().toString(36).slice(2)}`;
    await hill.admin.query(`create database ${name} owner hill template template0`);
    onTestFinished(async () => void (await hill.admin.query(`drop database ${name} with (force)`)));
    const DATABASE_URL = Object.assign(new URL(hill.ownerUrl), { pathname: `/${name}` }).href;
    await prepareDatabase(DATABASE_URL);
    await openHill(DATABASE_URL, { dayOne: '2026-01-01', clock: 'simulated' });
    const owner = hill.pool(DATABASE_URL, 1);
    await owner.query('drop function api_public.errors()');
    const there = async () =>
      (await owner.query<{ there: boolean }>("select to_regprocedure('api_public.errors()') is not null as there"))
        .rows[0]?.there;
    expect(await there()).toBe(false);

    expect(await refusalOf(['migrate'], { ...quiet, DATABASE_URL, HILL_DAY_ONE: '2026-02-02' })).toMatch(
      /^this hill began on 2026-01-01/,
    );

    expect(await there()).toBe(false);
  });
});

describe('before all doors are open', () => {
  const log = makeLog({ logLevel: 'error', logFormat: 'pretty' });
  /** Asks again and again, so that it comes as early as one can. */
  const early = async (port: string, path: string, method = 'GET'): Promise<number | 'cut'> => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual' }).catch(
        (error) => error.cause.code as string,
      );
      if (typeof answer !== 'string') return answer.status;
      if (answer !== 'ECONNREFUSED') return 'cut';
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  test('everybody is answered as ever', async () => {
    const { PORT } = await aServer();
    const asked = Promise.all([
      early(PORT, '/'),
      early(PORT, '/api/hill'),
      early(PORT, '/rules'),
      early(PORT, '/nothing'),
      early(PORT, '/readyz'),
      early(PORT, '/mcp', 'POST'),
      early(PORT, '/sign-in'),
      early(PORT, '/oauth/token', 'POST'),
      early(PORT, '/.well-known/jwks.json'),
    ]);
    const web = await startWeb(
      parseConfig({ PORT, HILL_SIGNING_SECRET: secret, HILL_CLOCK: 'simulated' }),
      hill.as('web'),
      log,
    );

    expect(await asked).toEqual([200, 200, 200, 404, 503, 401, 200, 400, 200]);

    await web.stop();
  });

  test('one that cannot be opened ends the start, and whoever waits for it is cut off', async () => {
    const { PORT } = await aServer();
    const asked = early(PORT, '/mcp', 'POST');
    const config = { ...parseConfig({ PORT }), env: 'production' } as const; // which has no secret of its own making

    await expect(startWeb(config, hill.as('web'), log)).rejects.toThrow(/^HILL_SIGNING_SECRET must be set/);

    expect(await asked).toBe('cut');
    await expect(fetch(`http://127.0.0.1:${PORT}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});

test('a failure at the key of tokens is told with its cause in the log', async () => {
  await hill.root.query('delete from oauth.signing_keys');
  const lines: string[] = [];
  const { PORT } = await aServer();
  const log = makeLog({ logLevel: 'error', logFormat: 'pretty' });
  const write = process.stdout.write;
  const start = async (text: string) =>
    startWeb(parseConfig({ PORT, HILL_SIGNING_SECRET: text, HILL_CLOCK: 'simulated' }), hill.as('web'), log);
  const right = await start(secret);
  await fetch(`http://127.0.0.1:${PORT}/.well-known/jwks.json`);
  await right.stop();
  const wrong = await start(another);
  process.stdout.write = ((text: string) => lines.push(text) > 0) as typeof write;
  try {
    await fetch(`http://127.0.0.1:${PORT}/agent/identity`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'anonymous', client_name: 'x' }),
    });
  } finally {
    process.stdout.write = write;
    await wrong.stop();
  }
  expect(lines.join('')).toMatch(/error: the authorization server failed \(.*HILL_SIGNING_SECRET is not the one/);
});

test('a web process that would take payments does not start while nobody can verify what Stripe says of them', async () => {
  expect(await refused('web', { STRIPE_SECRET_KEY: 'sk_test' })).toContain(
    'the database does not know STRIPE_WEBHOOK_SECRET yet',
  );
});
