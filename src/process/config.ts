// The environment, parsed once into one typed value. Rules 17.1.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { isLoopback } from './setting-forms.ts';
import { settingProblems } from './setting-problems.ts';
import {
  type Environment,
  type Settings,
  secretSettings,
  secretsInFiles,
  settings,
  unknownSettings,
} from './settings.ts';
import { StartError } from './start-error.ts';

export const checkout = path.resolve(import.meta.dirname, '..', '..');

export interface Config {
  readonly env: 'development' | 'production' | 'practice';
  /** Whether others than this machine reach it: in production, and a practice hill that has an address of its own. */
  readonly open: boolean;
  /** What a practice hill does otherwise. Null: it is none. */
  readonly practice: PracticeSettings | null;
  /** Where agents may practise before they play here. */
  readonly practiceUrl: string | null;
  readonly port: number;
  readonly consolePort: number;
  /** Where browsers of staff reach the console: its own port, and those of tunnels. */
  readonly consolePorts: readonly number[];
  /**
   * The address to listen on: every address (null) where others reach it, else loopback. The console is always on
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
  /** How many nights are over when it opens. */
  readonly demoNights: number;
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
  /** The one before it, while another takes its place: see docs/operations.md, To exchange a secret. */
  readonly oldSigningSecret: string | null;
  /** The keys of the public log are derived from it, by a worker alone. Null: from the signing secret. */
  readonly logKey: string | null;
  /** The one before it, for the worker that hands its log over. */
  readonly oldLogKey: string | null;
  /** Where secrets were read from, by setting. */
  readonly secretFiles: Readonly<Record<string, string>>;
  /**
   * How many proxies stand in front, each adding an address to X-Forwarded-For. With 0, the client is whoever connects.
   */
  readonly proxies: number;
  /**
   * How long the parent of the newest refresh token still gets the same answer, for clients that refresh in parallel.
   */
  /** What a member of the staff may give, in cents. */
  readonly staffLimits: readonly StaffLimit[];
  readonly refreshGraceSeconds: number;
  /** How long a stopping process keeps idle connections for requests that are already on their way. */
  readonly stopSeconds: number;
  /** For those who found a hole. Null: security@ the host of BASE_URL. */
  readonly securityContact: string | null;
  /** Who runs this hill, and where people write to them (mailto: or https:). Null: nobody has said. */
  readonly operator: OperatorSettings | null;
  /** The terms and the privacy notice, each a file or an https address, and their version. Null: there are none. */
  readonly terms: TermsSettings | null;
  /** How long a web process that was told to stop takes new connections, while it tells balancers that it stops. */
  readonly drainSeconds: number;
  /** How often one address, or one agent, may ask for something. */
  readonly limits: Readonly<Record<LimitName, { readonly atMost: number; readonly seconds: number }>>;
  /** Where humans sign in. */
  readonly providers: { readonly google: GoogleSettings | null; readonly github: GithubSettings | null };
  /** Where top-ups are paid for. Null: nowhere in production, else the sandbox. */
  readonly stripe: StripeSettings | null;
  /** Signs Stripe's events. Only what prepares the database needs it: events are verified there. */
  readonly stripeWebhookSecret: string | null;
  /** Whom notices by mail come from. Null: none are offered. */
  readonly mailFrom: MailFrom | null;
  /** Which server takes them. Only what sends needs it. */
  readonly smtp: SmtpSettings | null;
}

export interface PracticeSettings {
  /** How long a day takes. */
  readonly daySeconds: number;
  /** After so many hours without a sign of life an account is closed. */
  readonly keepHours: number;
  /** When the database has grown to that, the clock stands still and nobody new is let in. */
  readonly megabytes: number;
}

export interface MailFrom {
  readonly name: string;
  readonly address: string;
}

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on. */
  readonly secure: boolean;
  /** On this machine, where there is no TLS to insist on. */
  readonly loopback: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
}

interface StaffLimit {
  readonly role: string;
  readonly order: number;
  readonly day: number;
  readonly alone: number;
}

export interface WitnessSettings {
  /** What this hill's operator calls it. */
  readonly name: string;
  /** As C2SP signed-note writes it. */
  readonly key: string;
  /** What stands before /add-checkpoint. */
  readonly url: string;
}

interface OperatorSettings {
  readonly name: string;
  readonly contact: string;
}

interface TermsSettings {
  readonly version: string;
  readonly terms: string;
  readonly privacy: string;
}

export interface StripeSettings {
  readonly secretKey: string;
  readonly apiUrl: string;
}

/** How humans add credits: they pay; or get play money, by a test card of Stripe's or for nothing; or not at all. */
export type TopUps = 'stripe' | 'test' | 'sandbox' | 'none';

export const topUpsOf = ({ env, stripe }: Pick<Config, 'env' | 'stripe'>): TopUps =>
  env === 'production' ? (stripe ? 'stripe' : 'none') : stripe ? 'test' : 'sandbox';

/** Whether nobody pays anything here: what else would be called paid is play money then. */
export const isPlayMoney = (topUps: TopUps): boolean => topUps === 'test' || topUps === 'sandbox';

/** Of the first log of this address. A practice hill has another, so that what it signs is nobody's but its own. */
export const logOrigin = ({ baseUrl, env }: Pick<Config, 'baseUrl' | 'env'>): string =>
  `${new URL(baseUrl).host}${env === 'practice' ? '/practice' : ''}/log`;

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
  const practises = s.HILL_ENV === 'practice';
  const open = s.HILL_ENV === 'production' || (practises && !isLoopback(new URL(baseUrl).hostname));
  const config: Config = {
    env: s.HILL_ENV,
    open,
    practice: practises ? practiceOf(s) : null,
    practiceUrl: s.HILL_PRACTICE_URL?.replace(/\/+$/, '') ?? null,
    port: s.PORT,
    consolePort: s.CONSOLE_PORT,
    consolePorts: [s.CONSOLE_PORT, ...(s.HILL_CONSOLE_PORTS ?? [])],
    host: open ? null : '127.0.0.1',
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
    clock: practises ? 'simulated' : (s.HILL_CLOCK ?? 'real'),
    dayOne: s.HILL_DAY_ONE,
    demoDaySeconds: s.HILL_DEMO_DAY_SECONDS,
    demoNights: s.HILL_DEMO_NIGHTS,
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
    oldSigningSecret: s.HILL_OLD_SIGNING_SECRET,
    logKey: s.HILL_LOG_KEY,
    oldLogKey: s.HILL_OLD_LOG_KEY,
    secretFiles: Object.fromEntries(
      secretSettings.flatMap((name) => (named[`${name}_FILE`] ? [[name, named[`${name}_FILE`] as string]] : [])),
    ),
    proxies: s.HILL_PROXIES,
    securityContact: s.HILL_SECURITY_CONTACT,
    operator:
      s.HILL_OPERATOR_NAME && s.HILL_OPERATOR_CONTACT
        ? { name: s.HILL_OPERATOR_NAME, contact: s.HILL_OPERATOR_CONTACT }
        : null,
    terms:
      s.HILL_TERMS && s.HILL_PRIVACY && s.HILL_TERMS_VERSION
        ? { version: s.HILL_TERMS_VERSION, terms: s.HILL_TERMS, privacy: s.HILL_PRIVACY }
        : null,
    staffLimits: s.HILL_STAFF_LIMITS,
    refreshGraceSeconds: s.HILL_REFRESH_GRACE_SECONDS,
    stopSeconds: s.HILL_STOP_SECONDS ?? (open ? 5 : 0),
    drainSeconds: s.HILL_DRAIN_SECONDS ?? (open ? 3 : 0),
    limits: limitsOf(s),
    providers: providersOf(s),
    stripe: s.STRIPE_SECRET_KEY ? { secretKey: s.STRIPE_SECRET_KEY, apiUrl: s.STRIPE_API_URL } : null,
    stripeWebhookSecret: s.STRIPE_WEBHOOK_SECRET,
    mailFrom: s.HILL_MAIL_FROM,
    smtp: s.HILL_SMTP_URL,
  };
  const problems = settingProblems(s, config, command);
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  return config;
}

const practiceOf = (s: Settings): PracticeSettings => ({
  daySeconds: s.HILL_PRACTICE_DAY_SECONDS,
  keepHours: s.HILL_PRACTICE_KEEP_HOURS,
  megabytes: s.HILL_PRACTICE_MEGABYTES,
});

const limitsOf = (s: Settings): Config['limits'] => ({
  reads: s.HILL_LIMIT_READS,
  registrations: s.HILL_LIMIT_REGISTRATIONS,
  claims: s.HILL_LIMIT_CLAIMS,
  claimsPerAgent: s.HILL_LIMIT_CLAIMS_PER_AGENT,
  codes: s.HILL_LIMIT_CODES,
  tokens: s.HILL_LIMIT_TOKENS,
  calls: s.HILL_LIMIT_CALLS,
});

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

// Outside the checkout for root: PostgreSQL refuses to run as root, and the user that it then runs as cannot enter
// /root.
function defaultDataDir(asRoot: boolean): string {
  if (!asRoot) return path.join(checkout, '.data');
  return `/var/lib/hill-${createHash('sha256').update(checkout).digest('hex').slice(0, 8)}`;
}
