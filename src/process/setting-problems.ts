// What is wrong with settings that are well-formed, each by itself: for a command, in development, in production, for
// practice. Rules 17.1.
import net from 'node:net';
import { isLoopback } from './setting-forms.ts';
import type { Settings } from './settings.ts';

interface Addresses {
  readonly baseUrl: string;
  readonly authUrl: string;
}

/** What ask another hill, or nobody: they need no database, and no day one. */
const withoutDatabase = ['verify', 'resolve', 'witness', 'lab'];
/** What others reach at BASE_URL, or what sends them there. */
const withAddress = ['start', 'web', 'worker', 'console', 'witness', 'doctor'];
const withStripe = ['start', 'migrate', 'web', 'worker'];
/** Where humans sign in. The others share the ids with them, in a file of settings, and have no secrets. */
const withSignIn = ['start', 'web'];
/** What sends mail. A web process offers it, and needs the sender alone. */
const withMail = ['start', 'worker'];

function developmentProblems(s: Settings, config: Addresses): string[] {
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
    for (const name of ['BASE_URL', 'AUTH_URL'] as const)
      if (s[name] && !isPublicAddress(s[name]))
        problems.push(
          `${name} must be the public address in production: https, a public name, no port and no path, such as https://hill.example.`,
        );
  }
  if (withStripe.includes(command) && s.STRIPE_SECRET_KEY && !liveKey.test(s.STRIPE_SECRET_KEY))
    problems.push(
      'STRIPE_SECRET_KEY must be of real money in production (sk_live_… or rk_live_…): with any other, a test card would be money.',
    );
  return problems;
}

/**
 * What a hill has where people pay, sign in as themselves, and are held to what is signed. Nothing of it is for
 * practice.
 */
const partsOfProduction = {
  STRIPE_SECRET_KEY: 'nobody pays on a practice hill.',
  STRIPE_WEBHOOK_SECRET: 'nobody pays on a practice hill.',
  GOOGLE_CLIENT_ID: 'nobody signs in to a practice hill with an account of elsewhere.',
  GOOGLE_CLIENT_SECRET: 'nobody signs in to a practice hill with an account of elsewhere.',
  GITHUB_CLIENT_ID: 'nobody signs in to a practice hill with an account of elsewhere.',
  GITHUB_CLIENT_SECRET: 'nobody signs in to a practice hill with an account of elsewhere.',
  HILL_SMTP_URL: 'a practice hill knows no address of anybody, and sends no mail.',
  HILL_MAIL_FROM: 'a practice hill knows no address of anybody, and sends no mail.',
  HILL_WITNESSES: 'the log of a practice hill is shown to no witness.',
  HILL_DAY_ONE: 'a practice hill begins with its first start.',
  HILL_PRACTICE_URL: 'it names the practice hill of a real one.',
} as const;

function practiceProblems(s: Settings, config: Addresses): string[] {
  const parts = (Object.keys(partsOfProduction) as (keyof typeof partsOfProduction)[])
    .filter((name) => s[name] !== undefined && s[name] !== null)
    .map((name) => `${name} must be left out with HILL_ENV=practice: ${partsOfProduction[name]}`);
  const clock =
    s.HILL_CLOCK === 'real' ? ['HILL_CLOCK must be left out with HILL_ENV=practice: its days are short.'] : [];
  const local = (['baseUrl', 'authUrl'] as const).every((key) => isLoopback(new URL(config[key]).hostname));
  const addresses = (['BASE_URL', 'AUTH_URL'] as const)
    .filter((name) => !local && !isPublicAddress(s[name] ?? config.baseUrl))
    .map(
      (name) =>
        `${name} must be the public address of a practice hill: https, a public name, no port and no path, such as https://practice.example. (On loopback it serves this machine alone.)`,
    );
  return [...parts, ...clock, ...addresses];
}

/** Of whoever serves pages, or publishes what they refer to. */
const withOperator = ['start', 'migrate', 'web'];

/** People who pay know with whom. */
function operatorProblems(s: Settings, command: string): string[] {
  const operator = ['HILL_OPERATOR_NAME', 'HILL_OPERATOR_CONTACT'] as const;
  const terms = ['HILL_TERMS', 'HILL_PRIVACY', 'HILL_TERMS_VERSION'] as const;
  const missing = [...operator, ...terms].filter((name) => s[name] === null);
  if (!withOperator.includes(command) || missing.length === 0) return [];
  if (s.HILL_ENV === 'production' && (s.STRIPE_SECRET_KEY || s.STRIPE_WEBHOOK_SECRET))
    return [
      `${missing.join(', ')} must be set in production with the keys of Stripe: whoever pays has to know with whom, and on which terms.`,
    ];
  if (terms.some((name) => s[name] !== null))
    return [`${missing.join(', ')} must be set, too: terms go with the name and the contact of whose they are.`];
  return missing.length === 4 ? ['HILL_OPERATOR_NAME and HILL_OPERATOR_CONTACT go together: set both or neither.'] : [];
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

/** `npm start` is a worker, too. */
const serving = ['web', 'console', 'witness'];

/** Whoever takes a process that serves should not find the key of the log in it. */
function keyProblems(s: Settings, command: string): string[] {
  const secrets = ['HILL_SIGNING_SECRET', 'HILL_OLD_SIGNING_SECRET', 'HILL_LOG_KEY', 'HILL_OLD_LOG_KEY'] as const;
  const same = secrets.flatMap((name, n) =>
    secrets.slice(n + 1).flatMap((other) => (s[name] !== null && s[name] === s[other] ? [[name, other]] : [])),
  );
  return [
    ...same.map(([name, other]) => `${name} and ${other} are the same. Each secret is one of its own.`),
    ...(['HILL_LOG_KEY', 'HILL_OLD_LOG_KEY'] as const)
      .filter((name) => serving.includes(command) && s.HILL_ENV === 'production' && s[name] !== null)
      .map((name) => `${name} is for the worker alone: take it out of the settings of this process.`),
  ];
}

const commonProblems = (s: Settings, command: string): string[] => [
  ...(s.HILL_PRACTICE_URL && s.HILL_ENV === 'production' && !isPublicAddress(s.HILL_PRACTICE_URL)
    ? ['HILL_PRACTICE_URL must be the public address of the practice hill: https, a public name, no port and no path.']
    : []),
  ...(s.HILL_PRACTICE_URL && [s.BASE_URL, s.AUTH_URL].includes(s.HILL_PRACTICE_URL)
    ? ['HILL_PRACTICE_URL must be another address than that of this hill.']
    : []),
  ...(new Set([s.PORT, s.CONSOLE_PORT, s.METRICS_PORT]).size < 3
    ? ['PORT, CONSOLE_PORT and METRICS_PORT must differ.']
    : []),
  ...keyProblems(s, command),
  ...providerProblems(s, command),
  ...operatorProblems(s, command),
  ...(withMail.includes(command) && (s.HILL_SMTP_URL === null) !== (s.HILL_MAIL_FROM === null)
    ? ['HILL_SMTP_URL and HILL_MAIL_FROM go together: set both or neither.']
    : []),
];

function isPublicAddress(address: string): boolean {
  const { protocol, port, hostname, pathname } = new URL(address);
  return protocol === 'https:' && port === '' && pathname === '/' && isPublicName(hostname);
}

/**
 * One that a certificate can be for, that the public log can keep when the machine changes, and that is nobody's
 * network of his own.
 */
const isPublicName = (host: string): boolean =>
  host.includes('.') && net.isIP(host) === 0 && !host.startsWith('[') && !isLoopback(host);

/** A line for each. `command` is the one that starts. */
export const settingProblems = (s: Settings, config: Addresses, command: string): string[] => [
  ...(s.HILL_ENV === 'production'
    ? productionProblems(s, command)
    : s.HILL_ENV === 'practice'
      ? practiceProblems(s, config)
      : developmentProblems(s, config)),
  ...commonProblems(s, command),
];
