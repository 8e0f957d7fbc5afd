// The settings: what they are where nothing is set, and what development and production refuse, one line for each that
// is wrong. Rules 17.1.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout, parseConfig } from '../../src/process/config.ts';
import { inWords } from '../../src/process/log.ts';
import { secretSettings, settings } from '../../src/process/settings.ts';
import { StartError } from '../../src/process/start-error.ts';
import { readTerms } from '../../src/process/terms.ts';

const production = {
  HILL_ENV: 'production',
  HILL_DAY_ONE: '2027-01-01',
  DATABASE_URL: 'postgres://owner:secret@db.example/hill',
  BASE_URL: 'https://hill.example/',
};

const complaints = (env: Record<string, string>, command?: string): string[] => {
  try {
    parseConfig(env, false, command);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message.split('\n');
  }
};

describe('the settings', () => {
  test('have a default each, and an empty one is not set', () => {
    const defaults = parseConfig({}, false);

    expect(defaults).toMatchObject({
      env: 'development',
      port: 8080,
      consolePort: 8081,
      consolePorts: [8081],
      host: '127.0.0.1',
      baseUrl: 'http://localhost:8080',
      authUrl: 'http://localhost:8080',
      databaseUrl: null,
      dataDir: `${checkout}/.data`,
      clock: 'real',
      dayOne: null,
    });
    expect(parseConfig({ PORT: '', DATABASE_URL: '', HILL_ENV: '', HILL_DATA_DIR: '' }, false)).toEqual(defaults);
  });

  test('BASE_URL follows PORT, and AUTH_URL follows BASE_URL', () => {
    expect(parseConfig({ PORT: '9000' })).toMatchObject({
      baseUrl: 'http://localhost:9000',
      authUrl: 'http://localhost:9000',
    });
    expect(parseConfig(production)).toMatchObject({ baseUrl: 'https://hill.example', authUrl: 'https://hill.example' });
  });

  test("root's data directory is where the database's user can reach it, one for each checkout", () => {
    expect(parseConfig({}, true).dataDir).toMatch(/^\/var\/lib\/hill-[0-9a-f]{8}$/);
    expect(parseConfig({ HILL_DATA_DIR: '/srv/hill' }, true).dataDir).toBe('/srv/hill');
  });

  test('in production every address is served', () => {
    expect(parseConfig(production).host).toBeNull();
  });
});

describe('a wrong setting', () => {
  test.each([
    ['PORT', '80 80'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['CONSOLE_PORT', '-1'],
    ['CONSOLE_PORT', '8080'],
    ['HILL_CONSOLE_PORTS', '8082, 65536'],
    ['HILL_CONSOLE_PORTS', '8082,'],
    ['BASE_URL', 'localhost'],
    ['BASE_URL', 'ftp://localhost'],
    ['AUTH_URL', 'http://localhost/?a=1'],
    ['DATABASE_URL', 'mysql://localhost/hill'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['WEB_DATABASE_URL', 'hill'],
    ['HILL_ENV', 'staging'],
    ['HILL_CLOCK', 'fast'],
    ['HILL_DAY_ONE', '2027-02-30'],
    ['HILL_DAY_ONE', 'tomorrow'],
    ['LOG_LEVEL', 'loud'],
    ['HILL_SMTP_URL', 'https://mail.example'],
    ['HILL_SMTP_URL', 'smtps://mail.example/?pool=true'],
    ['HILL_SMTP_URL', 'smtps://user@mail.example'],
    ['HILL_LOG', 'xml'],
    ['HILL_OPERATOR_NAME', 'Hill\nof somebody'],
    ['HILL_OPERATOR_CONTACT', 'javascript:alert(1)'],
    ['HILL_TERMS', 'terms.md'],
    ['HILL_PRIVACY', 'http://hill.example/privacy'],
    ['HILL_TERMS_VERSION', 'of today, or so'],
    ['HILL_CHECKPOINT', 'log/checkpoint'],
    ['HILL_WITNESSES', 'https://witness.example'],
    ['HILL_WITNESSES', 'witness a a+01234567+BA== https://a.example; witness b b+01234567+BA== https://a.example'],
    ['HILL_WITNESS_LOGS', 'log hill.example/log'],
    ['HILL_WITNESS_LOGS', 'log a+01234567+AQ==; log a+01234567+AQ=='],
  ])('%s=%s is named in one line', (name, value) => {
    const lines = complaints({ [name]: value });

    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
  });

  test('witnesses and logs are lines of a C2SP tlog-policy', () => {
    const { witnesses, witness } = parseConfig({
      HILL_WITNESSES:
        'witness a a.example+01234567+BA== https://a.example/w/\n\twitness  b b+01234567+BA== http://localhost:1 ;',
      HILL_WITNESS_LOGS: 'log hill.example/log+01234567+AQ== https://hill.example/log; log b+01234567+AQ==',
    });
    expect(witnesses).toEqual([
      { name: 'a', key: 'a.example+01234567+BA==', url: 'https://a.example/w' },
      { name: 'b', key: 'b+01234567+BA==', url: 'http://localhost:1' },
    ]);
    expect(witness).toEqual({ port: 8082, logs: ['hill.example/log+01234567+AQ==', 'b+01234567+AQ=='] });
  });

  test('mail has a server and a sender, which go together where mail is sent', () => {
    const [smtp, sender] = [
      { HILL_SMTP_URL: 'smtp://a%40b:p%3As@mail.example:26' },
      { HILL_MAIL_FROM: 'The Hill <hill@hill.example>' },
    ];
    expect(parseConfig({ ...smtp, ...sender })).toMatchObject({
      smtp: { host: 'mail.example', port: 26, secure: false, loopback: false, login: { user: 'a@b', pass: 'p:s' } },
      mailFrom: { name: 'The Hill', address: 'hill@hill.example' },
    });
    expect(parseConfig({ HILL_SMTP_URL: 'smtps://[::1]', HILL_MAIL_FROM: 'hill@localhost' })).toMatchObject({
      smtp: { host: '::1', port: 465, secure: true, loopback: true, login: null },
      mailFrom: { name: 'Hill', address: 'hill@localhost' },
    });
    for (const half of [smtp, sender])
      for (const command of ['start', 'worker'])
        expect(complaints(half, command)).toEqual([
          'HILL_SMTP_URL and HILL_MAIL_FROM go together: set both or neither.',
        ]);
    expect(complaints(sender, 'web')).toEqual([]);
    expect(secretSettings).toContain('HILL_SMTP_URL');
  });

  test.each(['Hill <hill@hill.example', '"Hill" <hill@hill.example>', 'Hill\r\nBcc: a@b.example <hill@hill.example>'])(
    'whom mail comes from is not %j',
    (sender) => {
      expect(complaints({ HILL_MAIL_FROM: sender }, 'web')).toEqual([expect.stringMatching(/^HILL_MAIL_FROM is not/)]);
    },
  );

  // what is not named here has to have a form
  const anyText = [
    'OTEL_SERVICE_NAME',
    'HILL_DATA_DIR',
    'HILL_OPERATOR_NAME',
    'GOOGLE_CLIENT_ID',
    'GITHUB_CLIENT_ID',
  ].concat(
    ['GOOGLE_CLIENT_SECRET', 'GITHUB_CLIENT_SECRET', 'STRIPE_SECRET_KEY'], // as others issue them
  );

  test.each(Object.keys(settings.shape))('%s has a form that is checked, or may be any text', (name) => {
    const { success } = settings.shape[name as keyof typeof settings.shape].safeParse('no such value');

    expect(success).toBe(anyText.includes(name));
  });

  test('several wrong ones are named in one line each', () => {
    expect(complaints({ PORT: 'x', HILL_ENV: 'y', HILL_DAY_ONE: 'z' })).toHaveLength(3);
  });

  test('a password is not repeated', () => {
    expect(complaints({ DATABASE_URL: 'mysql://me:swordfish@db/hill' }).join()).not.toContain('swordfish');
  });
});

describe('development (rules 17.1)', () => {
  test.each(['http://localhost:1', 'http://hill.localhost', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'may call itself %s',
    (url) => {
      expect(complaints({ BASE_URL: url })).toEqual([]);
    },
  );

  test('may not call itself anything that others can reach', () => {
    expect(complaints({ BASE_URL: 'http://hill.example' })).toHaveLength(2); // AUTH_URL follows it
    expect(complaints({ AUTH_URL: 'http://10.0.0.1' })).toEqual([expect.stringContaining('AUTH_URL')]);
  });
});

describe('production (rules 17.1)', () => {
  test('refuses the simulated clock', () => {
    expect(complaints({ ...production, HILL_CLOCK: 'simulated' })).toEqual([expect.stringContaining('HILL_CLOCK')]);
  });

  test('refuses the embedded database', () => {
    expect(complaints({ ...production, DATABASE_URL: '' })).toEqual([expect.stringContaining('DATABASE_URL')]);
  });

  test('wants the public address: https, a public name, no port and no path', () => {
    expect(complaints({ ...production, BASE_URL: '' })).toEqual([
      expect.stringMatching(/^BASE_URL must be set in production/),
    ]);
    const names = [
      'https://localhost',
      'https://hill.localhost',
      'https://10.0.0.5',
      'https://[2001:db8::1]',
      'https://hill',
    ];
    for (const BASE_URL of [...names, 'http://hill.example', 'https://hill.example:8443', 'https://hill.example/game'])
      expect(complaints({ ...production, BASE_URL }), BASE_URL).toEqual([
        expect.stringMatching(/^BASE_URL must be the public address/),
      ]);
    expect(complaints({ ...production, AUTH_URL: 'http://auth.example' })).toEqual([
      expect.stringMatching(/^AUTH_URL must be the public/),
    ]);
    expect(complaints({ ...production, BASE_URL: 'https://hill.example:443/' })).toEqual([]);
  });

  test('takes no test cards, and development no real money', () => {
    for (const key of ['sk_test_1', 'rk_test_1', 'whatever'])
      expect(complaints({ ...production, STRIPE_SECRET_KEY: key }, 'worker'), key).toEqual([
        expect.stringMatching(/^STRIPE_SECRET_KEY must be of real/),
      ]);
    for (const key of ['sk_live_1', 'rk_live_1', 'sk_org_live_1']) {
      expect(complaints({ ...production, STRIPE_SECRET_KEY: key }, 'worker'), key).toEqual([]);
      expect(complaints({ STRIPE_SECRET_KEY: key }), key).toEqual([
        expect.stringMatching(/^STRIPE_SECRET_KEY is of real money/),
      ]);
    }
    expect(complaints({ STRIPE_SECRET_KEY: 'sk_test_1' })).toEqual([]);
  });

  test('takes no money before it is known whose hill it is, and on which terms', () => {
    const terms = {
      HILL_OPERATOR_NAME: 'Hill & Co.',
      HILL_OPERATOR_CONTACT: 'office@hill.example',
      HILL_TERMS: '/etc/hill/terms.md',
      HILL_PRIVACY: 'https://hill.example/privacy',
      HILL_TERMS_VERSION: '2027-01-01',
    };
    for (const [command, paying] of [
      ['web', { STRIPE_SECRET_KEY: 'sk_live_1' }],
      ['migrate', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ] as const)
      for (const name of Object.keys(terms)) {
        expect(complaints({ ...production, ...terms, ...paying, [name]: '' }, command), name).toEqual([
          expect.stringMatching(new RegExp(`^${name} must be set in production with the keys of Stripe`)),
        ]);
        expect(complaints({ ...production, ...terms, ...paying }, command)).toEqual([]);
      }
    expect(complaints({ ...production, STRIPE_SECRET_KEY: 'sk_live_1' }, 'worker')).toEqual([]);
    const { operator, terms: parsed } = parseConfig(terms);
    expect([operator, parsed]).toEqual([
      { name: 'Hill & Co.', contact: 'mailto:office@hill.example' },
      { version: '2027-01-01', terms: '/etc/hill/terms.md', privacy: 'https://hill.example/privacy' },
    ]);
    expect(complaints({ HILL_OPERATOR_NAME: 'Hill & Co.' })).toEqual([expect.stringContaining('go together')]);
    expect(complaints({ HILL_TERMS: '/etc/hill/terms.md' })).toEqual([expect.stringContaining('must be set, too')]);
    expect(parseConfig({ ...terms, HILL_TERMS: '', HILL_PRIVACY: '', HILL_TERMS_VERSION: '' })).toMatchObject({
      operator,
      terms: null,
    });
  });

  test('publishes texts alone: a file that is none stops the start, before anything is changed', () => {
    const of = (file: string) =>
      readTerms({
        operator: { name: 'Hill & Co.', contact: 'mailto:office@hill.example' },
        terms: { version: '1', terms: file, privacy: 'https://hill.example/privacy' },
      });
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-terms-'));
    const file = (content: string | Uint8Array) => {
      fs.writeFileSync(path.join(folder, 'terms.md'), content);
      return path.join(folder, 'terms.md');
    };
    expect(of(file('\uFEFFOurs.\r\n'))?.terms).toEqual({ text: '\uFEFFOurs.\r\n', url: null });
    expect(() => of(path.join(folder, 'none'))).toThrow(/^HILL_TERMS: cannot read .*ENOENT/);
    for (const content of [' \n', 'a\0b', new Uint8Array([0x61, 0xff]), 'x'.repeat(262_145)])
      expect(() => of(file(content))).toThrow(/^HILL_TERMS: .* must be a text in UTF-8 of at most 262144 bytes/);
    fs.rmSync(folder, { recursive: true });
  });

  test('wants of each command what it uses alone', () => {
    const bare = { HILL_ENV: 'production' };
    const wanting = (command: string) => complaints(bare, command).map((line) => line.split(' ')[0]);
    for (const command of ['verify', 'resolve']) expect(wanting(command), command).toEqual([]);
    expect(wanting('witness')).toEqual(['BASE_URL']);
    for (const command of ['migrate', 'backup', 'restore', 'export', 'psql'])
      expect(wanting(command), command).toEqual(['DATABASE_URL', 'HILL_DAY_ONE']);
    for (const command of ['start', 'web', 'worker', 'console'])
      expect(wanting(command), command).toEqual(['DATABASE_URL', 'HILL_DAY_ONE', 'BASE_URL']);
  });

  test('wants to be told the day of the first bell', () => {
    expect(complaints({ ...production, HILL_DAY_ONE: '' })).toEqual([expect.stringContaining('HILL_DAY_ONE')]);
  });
});

describe('practice (rules 17.4)', () => {
  const practice = { HILL_ENV: 'practice', BASE_URL: 'https://practice.hill.example' };

  test('is open at a public address, and on loopback for this machine alone', () => {
    expect(parseConfig(practice)).toMatchObject({ open: true, host: null, clock: 'simulated', databaseUrl: null });
    expect(parseConfig({ HILL_ENV: 'practice' })).toMatchObject({ open: false, host: '127.0.0.1' });
    for (const BASE_URL of ['http://practice.hill.example', 'https://10.0.0.5', 'https://practice.hill.example:8443'])
      expect(complaints({ ...practice, BASE_URL }), BASE_URL).toEqual([
        expect.stringMatching(/^BASE_URL must be the public address of a practice hill/),
        expect.stringMatching(/^AUTH_URL must be/),
      ]);
    expect(complaints({ ...practice, AUTH_URL: 'http://localhost:1' })).toEqual([
      expect.stringMatching(/^AUTH_URL must be/),
    ]);
  });

  test.each([
    ['STRIPE_SECRET_KEY', 'sk_live_1'],
    ['STRIPE_SECRET_KEY', 'sk_test_1'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1'],
    ['GOOGLE_CLIENT_ID', 'an id'],
    ['GOOGLE_CLIENT_SECRET', 'a secret'],
    ['GITHUB_CLIENT_ID', 'an id'],
    ['GITHUB_CLIENT_SECRET', 'a secret'],
    ['HILL_SMTP_URL', 'smtps://me:secret@mail.example'],
    ['HILL_MAIL_FROM', 'Hill <hill@hill.example>'],
    [
      'HILL_WITNESSES',
      `witness anne anne.example+00000000+${Buffer.alloc(33, 4).toString('base64')} https://anne.example`,
    ],
    ['HILL_DAY_ONE', '2027-01-01'],
    ['HILL_CLOCK', 'real'],
    ['HILL_PRACTICE_URL', 'https://other.example'],
  ])('refuses %s, a part of production', (name, value) => {
    expect(complaints({ ...practice, [name]: value }).filter((line) => !line.includes('go together'))).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be left out with HILL_ENV=practice: `)),
    ]);
  });

  test('is named by a real hill by a public address that is not its own', () => {
    const named = (HILL_PRACTICE_URL: string) => complaints({ ...production, HILL_PRACTICE_URL });
    expect(parseConfig({ ...production, HILL_PRACTICE_URL: 'https://practice.hill.example/' }).practiceUrl).toBe(
      'https://practice.hill.example',
    );
    for (const address of ['http://practice.hill.example', 'https://localhost', production.BASE_URL])
      expect(named(address), address).toEqual([expect.stringMatching(/^HILL_PRACTICE_URL must be/)]);
  });
});

describe('the key of the log', () => {
  const [one, other] = ['k'.repeat(40), 's'.repeat(40)];

  test('is no setting of a process that serves others, in production', () => {
    const set = { ...production, HILL_LOG_KEY: one, HILL_OLD_LOG_KEY: other };
    for (const command of ['web', 'console', 'witness'])
      expect(complaints(set, command)).toEqual([
        'HILL_LOG_KEY is for the worker alone: take it out of the settings of this process.',
        'HILL_OLD_LOG_KEY is for the worker alone: take it out of the settings of this process.',
      ]);
    expect(complaints(set, 'worker')).toEqual([]);
  });

  test('is none of the other secrets', () => {
    expect(complaints({ HILL_LOG_KEY: one, HILL_SIGNING_SECRET: one, HILL_OLD_SIGNING_SECRET: other })).toEqual([
      'HILL_SIGNING_SECRET and HILL_LOG_KEY are the same. Each secret is one of its own.',
    ]);
  });
});

test('lanes for deposits are 1 to 9', () => {
  expect(['1', '9'].map((lanes) => parseConfig({ HILL_DEPOSIT_LANES: lanes }).depositLanes)).toEqual([1, 9]);
  for (const lanes of ['0', '10', '2.5'])
    expect(complaints({ HILL_DEPOSIT_LANES: lanes })).toEqual([
      'HILL_DEPOSIT_LANES is not a number of lanes from 1 to 9.',
    ]);
});

describe('a name that begins with HILL_ and is no setting', () => {
  test('stops the start, with the name that it is nearest to', () => {
    expect(complaints({ HILL_PROXYS: '1' })).toEqual([
      'HILL_PROXYS is not a setting. Did you mean HILL_PROXIES? Otherwise leave it out.',
    ]);
    expect(complaints({ HILL_SIGNING_SECRETS: 'x', HILL_DAYONE: '2027-01-01', PORT: 'x' })).toEqual([
      'PORT is not a port number.',
      'HILL_SIGNING_SECRETS is not a setting. Did you mean HILL_SIGNING_SECRET? Otherwise leave it out.',
      'HILL_DAYONE is not a setting. Did you mean HILL_DAY_ONE? Otherwise leave it out.',
    ]);
  });

  test('may be one of docker-compose.yml, and of tests and benchmarks where nobody is served', () => {
    expect(
      complaints({
        HILL_WEB_PASSWORD: 'x',
        HILL_OWNER_PASSWORD: 'x',
        HILL_TEST_ROUNDS: '1',
        HILL_BENCH_PGLEDGER: '/x',
      }),
    ).toEqual([]);
    expect(complaints({ ...production, HILL_TEST_ROUNDS: '1' })).toEqual([
      expect.stringContaining('HILL_TEST_ROUNDS is not a setting.'),
    ]);
  });
});

describe('a line of the log in plain words', () => {
  const line = (more: object) => inWords(JSON.stringify({ time: 0, level: 50, msg: 'it failed', ...more }));

  test('has the cause of what went wrong beside it', () => {
    expect(line({ code: 'INTERNAL_ERROR', kind: 'error 42501', detail: 'x' })).toBe(
      '00:00:00  error: it failed (code: INTERNAL_ERROR, kind: error 42501, detail: x)',
    );
    expect(line({ level: 40, err: { message: 'gone', code: 'ECONNRESET', stack: 'not this' } })).toBe(
      '00:00:00  warning: it failed (ECONNRESET gone)',
    );
    expect(line({ level: 30, tool: 'status', ms: 3 })).toBe('00:00:00  it failed');
  });
});

describe('a secret in a file', () => {
  let dir: string;
  beforeAll(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-secrets-'));
  });
  afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));
  const aFile = (text: string) => {
    const file = path.join(fs.mkdtempSync(`${dir}/`), 'secret');
    fs.writeFileSync(file, text);
    return file;
  };
  const long = 'x y'.repeat(20);

  test('can be any setting that holds one, and no other', () => {
    expect(secretSettings).toEqual(
      expect.arrayContaining([
        ...['DATABASE_URL', 'WEB_DATABASE_URL', 'WORKER_DATABASE_URL', 'CONSOLE_DATABASE_URL', 'DATABASE_REPLICA_URL'],
        ...['HILL_SIGNING_SECRET', 'GOOGLE_CLIENT_SECRET', 'GITHUB_CLIENT_SECRET'],
      ]),
    );
    expect(secretSettings).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(BASE_URL|AUTH_URL|GOOGLE_CLIENT_ID|HILL_ENV)$/)]),
    );
  });

  test.each([
    ['', 'none'],
    ['\n', 'of Unix'],
    ['\r\n', 'of Windows'],
  ])('is read without the line end at its end (%j, %s)', (end) => {
    const file = aFile(`${long}${end}`);
    expect(parseConfig({ HILL_SIGNING_SECRET_FILE: file })).toEqual({
      ...parseConfig({ HILL_SIGNING_SECRET: long }),
      secretFiles: { HILL_SIGNING_SECRET: file },
    });
    const url = 'postgres://hill:s3cret@db.example/hill';
    expect(parseConfig({ DATABASE_URL_FILE: aFile(url + end) }).databaseUrl).toBe(url);
  });

  test('is refused beside the setting itself; an empty name of a file is not set', () => {
    expect(complaints({ HILL_SIGNING_SECRET: long, HILL_SIGNING_SECRET_FILE: aFile(long) })).toEqual([
      'HILL_SIGNING_SECRET and HILL_SIGNING_SECRET_FILE are both set. Keep one of the two.',
    ]);
    expect(complaints({ HILL_SIGNING_SECRET: long, HILL_SIGNING_SECRET_FILE: '' })).toEqual([]);
  });

  test('that cannot be used is named in one line, which does not repeat what is in the file', () => {
    const absent = path.join(dir, 'absent');
    const [empty, two, wrong] = [
      aFile('\n'),
      aFile(`${long}\nanother line`),
      aFile('mysql://hill:s3cret@db.example/hill'),
    ];
    const alone = 'must hold the value on one line, and nothing else.';

    expect(complaints({ WEB_DATABASE_URL_FILE: absent })).toEqual([
      `WEB_DATABASE_URL_FILE: cannot read ${absent} (ENOENT).`,
    ]);
    expect(complaints({ WEB_DATABASE_URL_FILE: dir })).toEqual([`WEB_DATABASE_URL_FILE: cannot read ${dir} (EISDIR).`]);
    expect(complaints({ HILL_SIGNING_SECRET_FILE: empty })).toEqual([`HILL_SIGNING_SECRET_FILE: ${empty} ${alone}`]);
    expect(complaints({ HILL_SIGNING_SECRET_FILE: two })).toEqual([`HILL_SIGNING_SECRET_FILE: ${two} ${alone}`]);
    const lines = complaints({ DATABASE_URL_FILE: wrong });
    expect([lines.length, lines.join().includes('s3cret')]).toEqual([1, false]);
    expect(lines[0]).toMatch(/^DATABASE_URL is not a URL of the form/);
  });

  test('is not what a setting without a secret can have', () => {
    expect(complaints({ HILL_CLOCK_FILE: aFile('real') })).toEqual([
      expect.stringMatching(/^HILL_CLOCK_FILE is not a setting/),
    ]);
  });
});
