// The forms of values that settings have. A message says what a value is not, and never repeats it: it may be a
// password.
import path from 'node:path';
import { z } from 'zod';

/** As the host of a URL is written. */
export const isLoopback = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

export const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'is not a port number')
  .transform(Number)
  .refine((n) => n >= 1 && n <= 65535, 'is not a port number between 1 and 65535');
export const port = (byDefault: number) => portNumber.default(byDefault);

/** Several, separated by commas. */
export const portNumbers = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(portNumber))
  .nullable()
  .default(null);

export const webUrl = z.string().transform((text, problems) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
    return url.href.replace(/\/+$/, '');
  problems.addIssue('is not an http(s) URL without query, fragment or user name');
  return z.NEVER;
});

/** Where somebody can be written to. */
const isContact = (text: string): boolean =>
  URL.canParse(text) && /^(mailto|https):$/.test(new URL(text).protocol) && !/\s/.test(text);
export const contact = z.string().refine(isContact, 'is not a mailto: or https: address').nullable().default(null);

/** The same; a mail address may stand alone. */
export const mailOrContact = z
  .string()
  .transform((text) => (/^[^\s@:/?#]+@[^\s@:/?#]+$/.test(text) ? `mailto:${text}` : text))
  .refine(isContact, 'is not a mail address, nor a mailto: or https: address')
  .nullable()
  .default(null);

/** A text in a file, or somewhere else. */
export const fileOrAddress = z
  .string()
  .refine((text) => path.isAbsolute(text) || (URL.canParse(text) && new URL(text).protocol === 'https:'), {
    message: 'is neither an absolute path nor an https: address',
  })
  .nullable()
  .default(null);

// The message does not repeat the value, which may hold a password.
export const databaseUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) && new URL(text).pathname.length > 1,
    {
      message: 'is not a URL of the form postgres://user:password@host:port/database',
    },
  )
  .nullable()
  .default(null);

/** What keys are derived from. */
export const longSecret = z.string().min(32, 'must have at least 32 characters').nullable().default(null);

/** A mail server: without TLS on this machine alone, as `secure` or by STARTTLS anywhere else. */
export const smtpUrl = z
  .string()
  .transform((text, problems) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const parts = url && /^smtps?:$/.test(url.protocol) && !url.search && !url.hash && /^\/?$/.test(url.pathname);
    if (!parts || !url.hostname || Boolean(url.username) !== Boolean(url.password)) {
      problems.addIssue('is not a URL of the form smtps://user:password@host:port, or smtp:// for STARTTLS');
      return z.NEVER;
    }
    const secure = url.protocol === 'smtps:';
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (secure ? 465 : 587)),
      secure,
      loopback: isLoopback(url.hostname),
      login: url.username ? { user: decoded(url.username), pass: decoded(url.password) } : null,
    };
  })
  .nullable()
  .default(null);

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign that encodes nothing is itself
  }
};

/** A sender, as in RFC 5322 without quotes: "Hill <hill@hill.example>", or the address alone. */
export const mailFrom = z
  .string()
  .transform((text, problems) => {
    const [, name, named, alone] =
      /^(?:([\p{L}\p{N}][\p{L}\p{N} '.-]{0,59}) <([^<>]+)>|([^<> ]+))$/u.exec(text.trim()) ?? [];
    const address = named ?? alone ?? '';
    if (/^[\w.+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(address)) return { name: name ?? 'Hill', address };
    problems.addIssue('is not an address of mail such as hill@hill.example, or Hill <hill@hill.example>');
    return z.NEVER;
  })
  .nullable()
  .default(null);

export const dayOne = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text), {
    message: 'is not a date of the form YYYY-MM-DD',
  })
  .nullable()
  .default(null);

export const limit = (byDefault: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}\/[1-9]\d{0,5}$/, 'is not of the form requests/seconds, such as 300/3600')
    .default(byDefault)
    .transform((text) => {
      const [atMost, seconds] = text.split('/').map(Number) as [number, number];
      return { atMost, seconds };
    });

/** What a member of the staff may give, by role: see docs/settings.md. */
export const staffLimits = (byDefault: string) =>
  z
    .string()
    .regex(
      /^support=\d{1,10}(\/\d{1,10}){2} manager=\d{1,10}(\/\d{1,10}){2} owner=\d{1,10}(\/\d{1,10}){2}$/,
      'is not of the form support=order/day/alone manager=order/day/alone owner=order/day/alone, in cents',
    )
    .default(byDefault)
    .transform((text) =>
      text.split(' ').map((part) => {
        const [role = '', cents = ''] = part.split('=');
        const [order, day, alone] = cents.split('/').map(Number) as [number, number, number];
        return { role, order, day, alone };
      }),
    );

export const choice = <T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, `is not one of: ${values.join(', ')}`).default(values[0] as never);

const verifierKey = '[^\\s+]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]+=*';
/** Lines of a C2SP tlog-policy, which may also be separated by semicolons. */
const policyLines = (text: string): string[][] =>
  text
    .split(/[;\n]/)
    .map((line) => line.trim().split(/[ \t]+/))
    .filter(([word]) => word);
const witnessLine = new RegExp(`^witness \\S+ ${verifierKey} https?://[^\\s?#]+$`);
const logLine = new RegExp(`^log ${verifierKey}( \\S+)?$`);
/** With the two of the log itself, 16 signatures, which is what every reader of a note must take. */
const mostWitnesses = 14;
const isOnce = (values: readonly (string | undefined)[]): boolean => new Set(values).size === values.length;

/** To whom checkpoints are offered. */
export const witnessLines = z
  .string()
  .transform(policyLines)
  .refine((lines) => lines.every((words) => witnessLine.test(words.join(' '))), {
    message: 'has a line that is not of the form "witness name key url", as in a C2SP tlog-policy',
  })
  .refine((lines) => lines.length <= mostWitnesses, { message: `names more than ${mostWitnesses} witnesses` })
  .refine((lines) => [1, 2, 3].every((word) => isOnce(lines.map((words) => words[word]))), {
    message: 'has a name, a key or an address twice',
  })
  .nullable()
  .default(null);

/** Which logs a witness signs. */
export const logLines = z
  .string()
  .transform(policyLines)
  .refine((lines) => lines.every((words) => logLine.test(words.join(' '))), {
    message: 'has a line that is not of the form "log key", as in a C2SP tlog-policy',
  })
  .refine((lines) => isOnce(lines.map(([, key = '']) => key.split('+')[0])), { message: 'names a log twice' })
  .nullable()
  .default(null);
