// The settings: what each may be, and which may be in a file. docs/settings.md; rules 17.1.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import {
  choice,
  contact,
  databaseUrl,
  dayOne,
  fileOrAddress,
  limit,
  logLines,
  longSecret,
  mailFrom,
  mailOrContact,
  port,
  portNumber,
  portNumbers,
  smtpUrl,
  staffLimits,
  webUrl,
  witnessLines,
} from './setting-forms.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const settings = z.object({
  HILL_ENV: choice('development', 'production', 'practice'),
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
  HILL_CLOCK: z.enum(['real', 'simulated'], 'is not one of: real, simulated').optional(),
  HILL_DAY_ONE: dayOne,
  HILL_DEMO_DAY_SECONDS: z
    .string()
    .regex(/^\d{1,5}(\.\d+)?$/, 'is not a number of seconds')
    .transform(Number)
    .refine((n) => n >= 1 && n <= 86_400, 'is not a number of seconds between 1 and 86400')
    .default(180),
  HILL_DEMO_NIGHTS: z
    .string()
    .regex(/^\d{1,3}$/, 'is not a number of nights from 0 to 999')
    .transform(Number)
    .default(30),
  HILL_PRACTICE_URL: webUrl.nullable().default(null),
  HILL_PRACTICE_DAY_SECONDS: z
    .string()
    .regex(/^\d{2,5}$/, 'is not a number of seconds')
    .transform(Number)
    .refine((n) => n >= 10 && n <= 43_200, 'is not a number of seconds between 10 and 43200')
    .default(600),
  HILL_PRACTICE_KEEP_HOURS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'is not a number of hours from 1 to 9999')
    .transform(Number)
    .default(168),
  HILL_PRACTICE_MEGABYTES: z
    .string()
    .regex(/^[1-9]\d{1,6}$/, 'is not a number of megabytes from 10 to 9999999')
    .transform(Number)
    .default(5_000),
  HILL_SIGNING_SECRET: longSecret,
  HILL_OLD_SIGNING_SECRET: longSecret,
  HILL_LOG_KEY: longSecret,
  HILL_OLD_LOG_KEY: longSecret,
  HILL_CHECKPOINT: z
    .string()
    .refine((text) => path.isAbsolute(text), 'is not an absolute path')
    .nullable()
    .default(null),
  HILL_WITNESSES: witnessLines,
  HILL_WITNESS_LOGS: logLines,
  HILL_WITNESS_PORT: port(8082),
  HILL_PROXIES: z.string().regex(/^\d$/, 'is not a number from 0 to 9').transform(Number).default(0),
  HILL_SECURITY_CONTACT: contact,
  HILL_OPERATOR_NAME: z
    .string()
    .regex(/^[^\p{C}]{1,100}$/u, 'is not a name of 1 to 100 characters')
    .nullable()
    .default(null),
  HILL_OPERATOR_CONTACT: mailOrContact,
  HILL_TERMS: fileOrAddress,
  HILL_PRIVACY: fileOrAddress,
  HILL_TERMS_VERSION: z
    .string()
    .regex(/^[\w.-]{1,40}$/, 'is not a version of 1 to 40 letters, digits, dots and hyphens')
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
  HILL_STAFF_LIMITS: staffLimits('support=2000/10000/2000 manager=100000/500000/50000 owner=1000000/5000000/50000'),
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
  HILL_SMTP_URL: smtpUrl,
  HILL_MAIL_FROM: mailFrom,
  LOG_LEVEL: choice('info', 'trace', 'debug', 'warn', 'error'),
  HILL_LOG: z.enum(['pretty', 'json'], 'is not one of: pretty, json').nullable().default(null),
});

export type Settings = z.output<typeof settings>;

/**
 * The settings that hold a secret, a password in a URL included. Each can name a file instead, under its name with
 * _FILE.
 */
export const secretSettings: readonly string[] = Object.keys(settings.shape).filter((name) =>
  /(DATABASE_URL|DATABASE_REPLICA_URL|SMTP_URL|_SECRET|_KEY|_PASSWORD|_TOKEN)$/.test(name),
);

/** Adds to `problems` a line for each file that cannot be used. No line repeats what is in a file. */
export function secretsInFiles(named: Environment, problems: string[]): Environment {
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
/** Settings of tests and benchmarks. Where others play they are a mistake. */
const ofTests = /^HILL_(TEST|BENCH|CRASH)_|^HILL_SEED$/;

/** Without this, a misspelt setting would silently keep its default. */
export function unknownSettings(given: Environment): string[] {
  const known = [...Object.keys(settings.shape), ...secretSettings.map((name) => `${name}_FILE`)];
  return Object.keys(given)
    .filter((name) => name.startsWith('HILL_') && !known.includes(name) && !ofCompose.test(name))
    .filter((name) => (given.HILL_ENV ?? 'development') !== 'development' || !ofTests.test(name))
    .map((name) => `${name} is not a setting. Did you mean ${closest(name, known)}? Otherwise leave it out.`);
}
