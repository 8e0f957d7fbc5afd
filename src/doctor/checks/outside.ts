// Whom a hill depends on: Stripe, a mail server, and where humans sign in.
import { call } from '../../db/call.ts';
import { greet } from '../../outside/smtp.ts';
import { apiVersion, endpointsAt, eventTypes } from '../../outside/stripe.ts';
import { topUpsOf } from '../../process/config.ts';
import { messageOf } from '../../process/start-error.ts';
import { type Check, type Finding, fail, none, ok, Unseen, warn } from '../check.ts';
import type { Sight } from '../sight.ts';
import { ago, start } from '../ways.ts';

const timeoutMs = 8_000;

/** Nobody is asked where nothing is paid. */
const noStripe = ({ config }: Sight): Finding | undefined =>
  config.stripe
    ? undefined
    : none(topUpsOf(config) === 'sandbox' ? 'Stripe (play money)' : 'STRIPE_SECRET_KEY is not set here');

const endpoint: Check = {
  code: 'payments.endpoint',
  async look(sight) {
    const { stripe, baseUrl } = sight.config;
    if (!stripe) return noStripe(sight) as Finding;
    const url = `${baseUrl}/stripe/events`;
    let all: Awaited<ReturnType<typeof endpointsAt>>;
    try {
      all = await endpointsAt(stripe);
    } catch (error) {
      const { type } = error as { type?: string };
      if (type === 'StripePermissionError')
        throw new Unseen('the key of Stripe may not read webhook endpoints: give it that, or look in the dashboard');
      return type === 'StripeAuthenticationError'
        ? fail(
            'Stripe does not take STRIPE_SECRET_KEY',
            'STRIPE_SECRET_KEY=… of the dashboard, for every web and worker',
          )
        : fail(
            `Stripe cannot be asked (${type ?? messageOf(error)})`,
            'curl -sS https://api.stripe.com/healthcheck from this machine: let it through',
          );
    }
    const found = all.find((one) => one.url === url);
    if (!found) return fail(`Stripe has no webhook to ${url}`);
    if (found.status !== 'enabled') return fail(`Stripe has switched the webhook to ${url} off`);
    const events: readonly string[] = found.enabled_events;
    const missing = events.includes('*') ? [] : eventTypes.filter((type) => !events.includes(type));
    if (missing.length > 0) return fail(`Stripe's webhook does not send ${missing.join(', ')}`);
    return found.api_version !== null && found.api_version !== apiVersion
      ? warn(`Stripe's webhook is of version ${found.api_version} of the API, and this code of ${apiVersion}`)
      : ok('the webhook at Stripe is in order');
  },
  type: 'https://dashboard.stripe.com/webhooks: docs/operations.md#payments has the address, the events and the version',
};

const secretOfEvents: Check = {
  code: 'payments.secret',
  async look(sight) {
    if (!sight.config.stripe) return noStripe(sight) as Finding;
    const known = await sight.asOwner((owner) => call<boolean>(owner, 'trusted.stripe_key_set'));
    return known
      ? ok('its secret is in the database')
      : fail("the database does not know the secret of Stripe's webhook");
  },
  type: 'STRIPE_WEBHOOK_SECRET=whsec_… npm run migrate',
};

const listedHours = 1;

const events: Check = {
  code: 'payments.events',
  async look(sight) {
    const absent = noStripe(sight);
    const seen = await sight.asOwner(async (owner) => {
      const { rows } = await owner.query<{ last: Date | null; refused: number }>(
        `select max(e.taken_at) as last, count(*) filter (where e.outcome like 'refused%' and e.taken_at > now() - interval '7 days')::int as refused
           from hill.payment_events e`,
      );
      return rows[0];
    }, 'hill_dba');
    const listed = await sight.asOwner(async (owner) => {
      const { rows } = await owner.query<{ at: Date }>('select l.listed_until as at from hill.payment_listing l');
      return rows[0]?.at;
    }, 'hill_api_worker');
    if (absent && !seen?.last) return absent;
    if (!absent && listed && Date.now() - listed.getTime() > listedHours * 3_600_000)
      return fail(`Stripe's list of events was read ${ago(listed)}`, start(sight, 'worker'));
    const says = seen?.last ? `the last event came ${ago(seen.last)}` : 'no event came yet';
    return seen && seen.refused > 0
      ? warn(
          `${seen.refused === 1 ? '1 event of the last week was' : `${seen.refused} events of the last week were`} refused`,
        )
      : ok(says);
  },
  type: 'the page Money of the console; docs/runbook.md#payment-waits',
};

const waiting: Check = {
  code: 'payments.waiting',
  async look({ figures }) {
    const all = Object.entries((await figures()).waiting_payments).filter(([, n]) => n > 0);
    return all.length === 0
      ? ok()
      : warn(`payments wait for a person: ${all.map(([why, n]) => `${n} ${why}`).join(', ')}`);
  },
  type: 'the page Money of the console; docs/runbook.md#payment-waits',
};

const server: Check = {
  code: 'mail.server',
  async look({ config: { smtp } }) {
    if (!smtp) return none('mail (HILL_SMTP_URL is not set here)');
    const refused = await greet(smtp, timeoutMs);
    if (refused === null) return ok('the mail server lets in');
    return fail(
      refused.outcome === 'login'
        ? 'the mail server does not take the login of HILL_SMTP_URL'
        : `the mail server at ${smtp.host}:${smtp.port} cannot be used (${[refused.outcome, refused.status].filter(Boolean).join(', ')})`,
    );
  },
  type: 'nc -zv HOST PORT of HILL_SMTP_URL from this machine, and its login: docs/operations.md#mail',
};

const sent: Check = {
  code: 'mail.sent',
  async look(sight) {
    const [mails] = await sight.asOwner(async (owner) => {
      const { rows } = await owner.query<{ last: Date | null; refused: number; late: boolean }>(
        `select max(m.ended_at) filter (where m.ended_as = 'sent') as last,
                count(*) filter (where m.ended_as in ('refused', 'given_up') and m.ended_at > now() - interval '7 days')::int as refused,
                coalesce(bool_or(m.ended_at is null and m.made_at < now() - interval '1 hour'), false) as late
           from hill.mails m`,
      );
      return rows;
    }, 'hill_api_worker');
    if (!mails || (!mails.last && !mails.late && mails.refused === 0))
      return sight.config.smtp ? ok('none was sent yet') : none('no mail was sent');
    if (mails.late) return fail('mail has waited for more than an hour', start(sight, 'worker'));
    const says = `${mails.last ? `the last mail was taken ${ago(mails.last)}` : 'none was taken yet'}${mails.refused > 0 ? `; ${mails.refused} of a week came back or were given up` : ''}`;
    return mails.refused > 0 && !mails.last ? fail(says) : ok(says);
  },
  type: 'journalctl -u hill-worker | grep mail; docs/operations.md#mail',
};

const answers = async (address: string): Promise<string | undefined> => {
  try {
    const { status } = await fetch(address, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'User-Agent': 'Hill' },
    });
    return status < 500 ? undefined : `${new URL(address).host} answers with ${status}`;
  } catch (error) {
    return `${new URL(address).host} does not answer (${(error as { cause?: { code?: string } }).cause?.code ?? messageOf(error)})`;
  }
};

const providers: Check = {
  code: 'sign-in.providers',
  async look(sight) {
    const { config, setting } = sight;
    const { google, github } = config.providers;
    const addresses = [
      ...(google ? [`${google.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`] : []),
      ...(github ? [github.apiUrl] : []),
    ];
    if (addresses.length > 0) {
      const wrong = (await Promise.all(addresses.map(answers))).filter((one) => one !== undefined);
      return wrong.length > 0
        ? fail(wrong.join('; '))
        : ok(`${[google && 'Google', github && 'GitHub'].filter(Boolean).join(' and ')} answer`);
    }
    if (setting !== 'production') return none('sign-in with a provider');
    // The secrets are the webs' alone: the page says what they have.
    const page = await fetch(`${config.baseUrl}/sign-in`, { signal: AbortSignal.timeout(timeoutMs) })
      .then((answer) => answer.text())
      .catch((error: unknown) => {
        throw new Unseen(`${config.baseUrl}/sign-in does not answer (${messageOf(error)})`);
      });
    return page.includes('no provider is configured')
      ? fail('nobody can sign in: no provider is configured')
      : ok('the site offers one');
  },
  type: 'GOOGLE_CLIENT_ID=… and GOOGLE_CLIENT_SECRET=…, or those of GitHub, for every web: docs/operations.md#sign-in',
};

export const outside: readonly Check[] = [endpoint, secretOfEvents, events, waiting, server, sent, providers];
