// The environment, parsed once into one typed value. Rules 17.1.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import {
  choice,
  databaseUrl,
  dayOne,
  limit,
  logLines,
  port,
  portNumber,
  portNumbers,
  webUrl,
  witnessLines,
} from './setting-forms.ts';
import { StartError } from './start-error.ts';

export const checkout = path.resolve(import.meta.dirname, '..', '..');

export interface Config {
  readonly env: 'development' | 'production';
  readonly port: number;
  readonly consolePort: number;
  /** Where browsers of staff reach the console: its own port, and those of tunnels. */
  readonly consolePorts: readonly number[];
  /**
   * The address to listen on: loopback in development, every address (null) in production. The console is always on
   * loopback.
   */
  readonly host: '127.0.0.1' | null;
  /** Where metrics and health are shown to the operator. Null: nowhere. */
  readonly metrics: { readonly port: number; readonly host: string } | null;
  /** Where traces and metrics are sent (OTLP over HTTP), and the share of traces that is recorded. */
  readonly otlp: { readonly endpoint: string | null; readonly serviceName: string; readonly ratio: number };
  /** Where readers, agents and humans find this hill; no slash at the end. */
  readonly baseUrl: string;
  readonly authUrl: string;
  /** The owner's login, for migrations only. Null: the embedded database. */
  readonly databaseUrl: string | null;
  /** The serving logins that the operator names. */
  readonly loginUrls: { readonly web: string | null; readonly worker: string | null; readonly console: string | null };
  /** A login that row-level security does not bind, for backups only. */
  readonly backupUrl: string | null;
  readonly replicaUrl: string | null;
  /** How many processes serve PORT. With more than one, the process that was started serves nothing there itself. */
  readonly webProcesses: number;
  /** The most database connections of this process, and of those it starts. Null: the default for what runs in it. */
  readonly connections: number | null;
  /** How many statements with deposits a web process sends at a time. */
  readonly depositLanes: number;
  readonly dataDir: string;
  readonly clock: 'real' | 'simulated';
  /** YYYY-MM-DD. Null: as the database has it. */
  readonly dayOne: string | null;
  /** How long a day takes in a demonstration. */
  readonly demoDaySeconds: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  /** Null: pretty on a terminal, else JSON. */
  readonly logFormat: 'pretty' | 'json' | null;
  /** Where a worker keeps the last checkpoint of the log that it signed, outside the database. Null: nowhere. */
  readonly checkpointFile: string | null;
  /** To whom the worker offers each checkpoint. */
  readonly witnesses: readonly WitnessSettings[];
  /** Where "npm run witness" listens, and the keys of the logs that it signs (C2SP signed-note). */
  readonly witness: { readonly port: number; readonly logs: readonly string[] };
  /** Seals the keys that sign tokens. Null, in development only: a file in dataDir. */
  readonly signingSecret: string | null;
  /**
   * How many proxies stand in front, each adding an address to X-Forwarded-For. With 0, the client is whoever connects.
   */
  readonly proxies: number;
  /**
   * How long the parent of the newest refresh token still gets the same answer, for clients that refresh in parallel.
   */
  readonly refreshGraceSeconds: number;
  /** How long a stopping process keeps idle connections for requests that are already on their way. */
  readonly stopSeconds: number;
  /** For those who found a hole. Null: security@ the host of BASE_URL. */
  readonly securityContact: string | null;
  /** How long a web process that was told to stop takes new connections, while it tells balancers that it stops. */
  readonly drainSeconds: number;
  /** How often one address, or one agent, may ask for something. */
  readonly limits: Readonly<Record<LimitName, { readonly atMost: number; readonly seconds: number }>>;
  /** Where humans sign in. */
  readonly providers: { readonly google: GoogleSettings | null; readonly github: GithubSettings | null };
  /** Where top-ups are paid for. Null: the sandbox in development, nowhere in production. */
  readonly stripe: StripeSettings | null;
  /** Signs Stripe's events. Only what prepares the database needs it: events are verified there. */
  readonly stripeWebhookSecret: string | null;
}

export interface WitnessSettings {
  /** What this hill's operator calls it. */
  readonly name: string;
  /** As C2SP signed-note writes it. */
  readonly key: string;
  /** What stands before /add-checkpoint. */
  readonly url: string;
}

export interface StripeSettings {
  readonly secretKey: string;
  readonly apiUrl: string;
}

/** How humans add credits: they pay, or get play money, or not at all. */
export type TopUps = 'stripe' | 'sandbox' | 'none';

export const topUpsOf = ({ env, stripe }: Pick<Config, 'env' | 'stripe'>): TopUps =>
  stripe ? 'stripe' : env === 'production' ? 'none' : 'sandbox';

/** The ports to listen on, and to try before a start; none of METRICS_PORT if it is not set. */
export const webPort = ({ port, host }: Pick<Config, 'port' | 'host'>) => ({ setting: 'PORT', port, host });
export const consolePort = ({ consolePort: port }: Pick<Config, 'consolePort'>) => ({
  setting: 'CONSOLE_PORT',
  port,
  host: '127.0.0.1',
});
export const metricsPort = ({ metrics }: Pick<Config, 'metrics'>) =>
  metrics ? [{ setting: 'METRICS_PORT', ...metrics }] : [];

export type LimitName = 'reads' | 'registrations' | 'claims' | 'claimsPerAgent' | 'codes' | 'tokens' | 'calls';

export interface GoogleSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly issuer: string;
}

export interface GithubSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly url: string;
  readonly apiUrl: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const settings = z.object({
  HILL_ENV: choice('development', 'production'),
  PORT: port(8080),
  CONSOLE_PORT: port(8081),
  HILL_CONSOLE_PORTS: portNumbers,
  METRICS_PORT: portNumber.nullable().default(null),
  METRICS_HOST: z
    .string()
    .refine((text) => net.isIP(text) > 0, 'is not an IP address')
    .default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_SERVICE_NAME: z.string().default('hill'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'is not a number from 0 to 1')
    .transform(Number)
    .default(1),
  BASE_URL: webUrl.optional(),
  AUTH_URL: webUrl.optional(),
  DATABASE_URL: databaseUrl,
  WEB_DATABASE_URL: databaseUrl,
  WORKER_DATABASE_URL: databaseUrl,
  CONSOLE_DATABASE_URL: databaseUrl,
  BACKUP_DATABASE_URL: databaseUrl,
  DATABASE_REPLICA_URL: databaseUrl,
  HILL_DATABASE_CONNECTIONS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'is not a number of connections from 1 to 9999')
    .transform(Number)
    .nullable()
    .default(null),
  HILL_WEB_PROCESSES: z
    .string()
    .regex(/^([1-9]|[1-5]\d|6[0-4])$/, 'is not a number of processes from 1 to 64')
    .transform(Number)
    .default(1),
  HILL_DEPOSIT_LANES: z
    .string()
    .regex(/^[1-9]$/, 'is not a number of lanes from 1 to 9')
    .transform(Number)
    .default(2),
  HILL_DATA_DIR: z.string().optional(),
  HILL_CLOCK: choice('real', 'simulated'),
  HILL_DAY_ONE: dayOne,
  HILL_DEMO_DAY_SECONDS: z
    .string()
    .regex(/^\d{1,5}(\.\d+)?$/, 'is not a number of seconds')
    .transform(Number)
    .refine((n) => n >= 1 && n <= 86_400, 'is not a number of seconds between 1 and 86400')
    .default(60),
  HILL_SIGNING_SECRET: z.string().min(32, 'must have at least 32 characters').nullable().default(null),
  HILL_CHECKPOINT: z
    .string()
    .refine((text) => path.isAbsolute(text), 'is not an absolute path')
    .nullable()
    .default(null),
  HILL_WITNESSES: witnessLines,
  HILL_WITNESS_LOGS: logLines,
  HILL_WITNESS_PORT: port(8082),
  HILL_PROXIES: z.string().regex(/^\d$/, 'is not a number from 0 to 9').transform(Number).default(0),
  HILL_SECURITY_CONTACT: z
    .string()
    .refine((text) => URL.canParse(text) && /^(mailto|https):$/.test(new URL(text).protocol) && !/\s/.test(text), {
      message: 'is not a mailto: or https: address',
    })
    .nullable()
    .default(null),
  HILL_REFRESH_GRACE_SECONDS: z
    .string()
    .regex(/^\d{1,2}$/, 'is not a number of seconds from 0 to 99')
    .transform(Number)
    .default(10),
  HILL_STOP_SECONDS: z.string().regex(/^\d$/, 'is not a number of seconds from 0 to 9').transform(Number).optional(),
  HILL_DRAIN_SECONDS: z.string().regex(/^\d$/, 'is not a number of seconds from 0 to 9').transform(Number).optional(),
  HILL_LIMIT_READS: limit('3000/60'),
  HILL_LIMIT_REGISTRATIONS: limit('300/3600'),
  HILL_LIMIT_CLAIMS: limit('300/3600'),
  HILL_LIMIT_CLAIMS_PER_AGENT: limit('20/3600'),
  HILL_LIMIT_CODES: limit('60/3600'),
  HILL_LIMIT_TOKENS: limit('3000/600'),
  HILL_LIMIT_CALLS: limit('600/60'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: webUrl.default('https://accounts.google.com'),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: webUrl.default('https://github.com'),
  GITHUB_API_URL: webUrl.default('https://api.github.com'),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', 'does not begin with whsec_').nullable().default(null),
  STRIPE_API_URL: webUrl.default('https://api.stripe.com'),
  LOG_LEVEL: choice('info', 'trace', 'debug', 'warn', 'error'),
  HILL_LOG: z.enum(['pretty', 'json'], 'is not one of: pretty, json').nullable().default(null),
});

type Settings = z.output<typeof settings>;

/** What ask another hill, or nobody: they need no database, and no day one. */
const withoutDatabase = ['verify', 'resolve', 'witness'];
/** What others reach at BASE_URL, or what sends them there. */
const withAddress = ['start', 'web', 'worker', 'console', 'witness'];
const withStripe = ['start', 'migrate', 'web', 'worker'];
/** Where humans sign in. The others share the ids with them, in a file of settings, and have no secrets. */
const withSignIn = ['start', 'web'];

/** The same environment and files give the same config for a command. Throws a StartError with one line per problem. */
export function parseConfig(env: Environment, asRoot = process.getuid?.() === 0, command = 'start'): Config {
  // Empty means not set: compose files and shells pass a missing variable as an empty one.
  const named = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const unread: string[] = [];
  const given = { ...named, ...secretsInFiles(named, unread) };
  const parsed = settings.safeParse(given);
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`);
  const complaints = [...unread, ...wrong, ...unknownSettings(named)];
  if (!parsed.success || complaints.length > 0) throw new StartError(complaints.join('\n'));

  const s = parsed.data;
  const dataDir = s.HILL_DATA_DIR ? path.resolve(checkout, s.HILL_DATA_DIR) : defaultDataDir(asRoot);
  const baseUrl = s.BASE_URL ?? `http://localhost:${s.PORT}`;
  const config: Config = {
    env: s.HILL_ENV,
    port: s.PORT,
    consolePort: s.CONSOLE_PORT,
    consolePorts: [s.CONSOLE_PORT, ...(s.HILL_CONSOLE_PORTS ?? [])],
    host: s.HILL_ENV === 'development' ? '127.0.0.1' : null,
    metrics: s.METRICS_PORT === null ? null : { port: s.METRICS_PORT, host: s.METRICS_HOST },
    otlp: {
      endpoint: s.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
      serviceName: s.OTEL_SERVICE_NAME,
      ratio: s.OTEL_TRACES_SAMPLER_ARG,
    },
    baseUrl,
    authUrl: s.AUTH_URL ?? baseUrl,
    databaseUrl: s.DATABASE_URL,
    loginUrls: { web: s.WEB_DATABASE_URL, worker: s.WORKER_DATABASE_URL, console: s.CONSOLE_DATABASE_URL },
    backupUrl: s.BACKUP_DATABASE_URL,
    replicaUrl: s.DATABASE_REPLICA_URL,
    webProcesses: s.HILL_WEB_PROCESSES,
    connections: s.HILL_DATABASE_CONNECTIONS,
    depositLanes: s.HILL_DEPOSIT_LANES,
    dataDir,
    clock: s.HILL_CLOCK,
    dayOne: s.HILL_DAY_ONE,
    demoDaySeconds: s.HILL_DEMO_DAY_SECONDS,
    logLevel: s.LOG_LEVEL,
    logFormat: s.HILL_LOG,
    checkpointFile: s.HILL_CHECKPOINT ?? (s.HILL_ENV === 'production' ? null : path.join(dataDir, 'log', 'checkpoint')),
    witnesses: (s.HILL_WITNESSES ?? []).map(([, name = '', key = '', url = '']) => ({
      name,
      key,
      url: url.replace(/\/+$/, ''),
    })),
    witness: { port: s.HILL_WITNESS_PORT, logs: (s.HILL_WITNESS_LOGS ?? []).map(([, key = '']) => key) },
    signingSecret: s.HILL_SIGNING_SECRET,
    proxies: s.HILL_PROXIES,
    securityContact: s.HILL_SECURITY_CONTACT,
    refreshGraceSeconds: s.HILL_REFRESH_GRACE_SECONDS,
    stopSeconds: s.HILL_STOP_SECONDS ?? (s.HILL_ENV === 'production' ? 5 : 0),
    drainSeconds: s.HILL_DRAIN_SECONDS ?? (s.HILL_ENV === 'production' ? 3 : 0),
    limits: {
      reads: s.HILL_LIMIT_READS,
      registrations: s.HILL_LIMIT_REGISTRATIONS,
      claims: s.HILL_LIMIT_CLAIMS,
      claimsPerAgent: s.HILL_LIMIT_CLAIMS_PER_AGENT,
      codes: s.HILL_LIMIT_CODES,
      tokens: s.HILL_LIMIT_TOKENS,
      calls: s.HILL_LIMIT_CALLS,
    },
    providers: providersOf(s),
    stripe: s.STRIPE_SECRET_KEY ? { secretKey: s.STRIPE_SECRET_KEY, apiUrl: s.STRIPE_API_URL } : null,
    stripeWebhookSecret: s.STRIPE_WEBHOOK_SECRET,
  };
  const problems = [
    ...(s.HILL_ENV === 'production' ? productionProblems(s, command) : developmentProblems(config, s)),
    ...commonProblems(s, command),
  ];
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  return config;
}

/**
 * The settings that hold a secret, a password in a URL included. Each can name a file instead, under its name with
 * _FILE.
 */
export const secretSettings: readonly string[] = Object.keys(settings.shape).filter((name) =>
  /(DATABASE_URL|DATABASE_REPLICA_URL|_SECRET|_KEY|_PASSWORD|_TOKEN)$/.test(name),
);

/** Adds to `problems` a line for each file that cannot be used. No line repeats what is in a file. */
function secretsInFiles(named: Environment, problems: string[]): Environment {
  const found: Record<string, string> = {};
  for (const name of secretSettings) {
    const file = named[`${name}_FILE`];
    if (file === undefined) continue;
    if (named[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set. Keep one of the two.`);
    else
      try {
        // Editors and echo end a file with a line end, which is not part of the secret.
        const text = fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '');
        if (text === '' || /[\r\n\0]/.test(text))
          problems.push(`${name}_FILE: ${file} must hold the value on one line, and nothing else.`);
        else found[name] = text;
      } catch (error) {
        problems.push(`${name}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`);
      }
  }
  return found;
}

/** Settings of docker-compose.yml. Commands that are run beside it have them in their environment. */
const ofCompose = /^HILL_(OWNER|WEB|WORKER|CONSOLE|REPLICA)_PASSWORD$/;
/** Settings of tests and benchmarks. In production they are a mistake. */
const ofTests = /^HILL_(TEST|BENCH|CRASH)_|^HILL_SEED$/;

/** Without this, a misspelt setting would silently keep its default. */
function unknownSettings(given: Environment): string[] {
  const known = [...Object.keys(settings.shape), ...secretSettings.map((name) => `${name}_FILE`)];
  return Object.keys(given)
    .filter((name) => name.startsWith('HILL_') && !known.includes(name) && !ofCompose.test(name))
    .filter((name) => given.HILL_ENV === 'production' || !ofTests.test(name))
    .map((name) => `${name} is not a setting. Did you mean ${nearest(name, known)}? Otherwise leave it out.`);
}

function nearest(name: string, known: readonly string[]): string {
  const ranked = known.map((one) => ({ one, steps: distance(name, one) })).sort((a, b) => a.steps - b.steps);
  return (ranked[0] as { one: string }).one;
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

function developmentProblems(config: Config, s: Settings): string[] {
  const paid = s.STRIPE_SECRET_KEY && liveKey.test(s.STRIPE_SECRET_KEY);
  const addresses = (['baseUrl', 'authUrl'] as const)
    .filter((key) => !isLoopback(new URL(config[key]).hostname))
    .map(
      (key) =>
        `${key === 'baseUrl' ? 'BASE_URL' : 'AUTH_URL'} must be on loopback (localhost) in development; set HILL_ENV=production to serve others.`,
    );
  return [
    ...addresses,
    ...(paid ? ['STRIPE_SECRET_KEY is of real money (live), which only HILL_ENV=production takes.'] : []),
  ];
}

/** sk_live_…, or a restricted one, or one of an organization. */
const liveKey = /^[a-z]+_(org_)?live_/;

function productionProblems(s: Settings, command: string): string[] {
  const problems: string[] = [];
  if (s.HILL_CLOCK === 'simulated')
    problems.push('HILL_CLOCK=simulated is refused in production, which runs on the real clock.');
  if (!withoutDatabase.includes(command)) {
    const urls = [
      s.DATABASE_URL,
      s.WEB_DATABASE_URL,
      s.WORKER_DATABASE_URL,
      s.CONSOLE_DATABASE_URL,
      s.BACKUP_DATABASE_URL,
    ];
    if (urls.every((url) => url === null))
      problems.push('DATABASE_URL must be set in production: the embedded database is for development.');
    if (!s.HILL_DAY_ONE) problems.push('HILL_DAY_ONE must be set in production: the date (YYYY-MM-DD, UTC) of day 1.');
  }
  if (withAddress.includes(command)) {
    if (!s.BASE_URL)
      problems.push('BASE_URL must be set in production: the https address at which others reach this hill.');
    for (const name of ['BASE_URL', 'AUTH_URL'] as const) {
      const { protocol, port, hostname, pathname } = new URL(s[name] ?? 'https://hill.example');
      if (protocol !== 'https:' || port !== '' || pathname !== '/' || !isPublicName(hostname))
        problems.push(
          `${name} must be the public address in production: https, a public name, no port and no path, such as https://hill.example.`,
        );
    }
  }
  if (withStripe.includes(command) && s.STRIPE_SECRET_KEY && !liveKey.test(s.STRIPE_SECRET_KEY))
    problems.push(
      'STRIPE_SECRET_KEY must be of real money in production (sk_live_… or rk_live_…): with any other, a test card would be money.',
    );
  return problems;
}

function providersOf(s: Settings): Config['providers'] {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = s;
  return {
    google:
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
        ? { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET, issuer: s.GOOGLE_ISSUER }
        : null,
    github:
      GITHUB_CLIENT_ID && GITHUB_CLIENT_SECRET
        ? {
            clientId: GITHUB_CLIENT_ID,
            clientSecret: GITHUB_CLIENT_SECRET,
            url: s.GITHUB_URL,
            apiUrl: s.GITHUB_API_URL,
          }
        : null,
  };
}

function providerProblems(s: Settings, command: string): string[] {
  const halves = (['GOOGLE', 'GITHUB'] as const)
    .filter(() => withSignIn.includes(command))
    .filter((name) => Boolean(s[`${name}_CLIENT_ID`]) !== Boolean(s[`${name}_CLIENT_SECRET`]))
    .map((name) => `${name}_CLIENT_ID and ${name}_CLIENT_SECRET go together: set both or neither.`);
  // Codes and secrets are sent to these addresses.
  const open = (['GOOGLE_ISSUER', 'GITHUB_URL', 'GITHUB_API_URL', 'STRIPE_API_URL'] as const)
    .filter(
      (key) =>
        new URL(s[key]).protocol === 'http:' && (s.HILL_ENV === 'production' || !isLoopback(new URL(s[key]).hostname)),
    )
    .map((key) => `${key} must be https. (In development http is allowed on loopback.)`);
  const path = new URL(s.STRIPE_API_URL).pathname === '/' ? [] : ['STRIPE_API_URL must have no path.'];
  return [...halves, ...open, ...path];
}

const commonProblems = (s: Settings, command: string): string[] => [
  ...(new Set([s.PORT, s.CONSOLE_PORT, s.METRICS_PORT]).size < 3
    ? ['PORT, CONSOLE_PORT and METRICS_PORT must differ.']
    : []),
  ...providerProblems(s, command),
];

/**
 * One that a certificate can be for, that the public log can keep when the machine changes, and that is nobody's
 * network of his own.
 */
const isPublicName = (host: string): boolean =>
  host.includes('.') && net.isIP(host) === 0 && !host.startsWith('[') && !isLoopback(host);

const isLoopback = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

// Outside the checkout for root: PostgreSQL refuses to run as root, and the user that it then runs as cannot enter
// /root.
function defaultDataDir(asRoot: boolean): string {
  if (!asRoot) return path.join(checkout, '.data');
  return `/var/lib/hill-${createHash('sha256').update(checkout).digest('hex').slice(0, 8)}`;
}
