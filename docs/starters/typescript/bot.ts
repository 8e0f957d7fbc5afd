// starters/typescript/bot.ts · a bot that plays from cron. Copy this folder, and change strategy.ts. How to run it: ../README.md
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import readline from 'node:readline/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { loadStrategy } from './load.ts';
import { looker, type Self, type Status } from './look.ts';
import type { Strategy } from './view.ts';

const name = 'A TypeScript starter'; // what its human reads when it asks to be let in: give it a name of your own

async function playToday(strategy: Strategy): Promise<string> {
  const look = looker((path) => ask(address + path));
  const { account } = await use<{ account: Self }>('whoami');
  for (let tries = 0; tries < 20; tries++) {
    const status = await use<Status>('status');
    const { day, seconds_to_bell, bell_ringing } = status;
    const now = 23 - Math.floor((seconds_to_bell - 1) / 3600);
    const hour = strategy.hours.findLast((one) => one <= now);
    if (hour === undefined) return `Day ${day}: the strategy decides at ${strategy.hours[0]}:00 UTC.`;
    if (kept.day === day && (kept.hour ?? 23) >= hour) return `Day ${day}: this bot has played already.`;
    const view = await look(hour, account, status, use);
    if (!view) {
      await sleep(bell_ringing ? 10_000 : 1_000); // it is midnight, and nobody knows yet who holds what
      continue;
    }
    const { announcements = [], moves = [] } = await strategy.decide(view);
    const done: string[] = [];
    let refused: Receipt | undefined;
    for (const said of announcements) {
      const answer = await use<Receipt>('announce', { ...said, day });
      if (!answer.code) done.push(`announced ${said.intention} on place ${said.slot}`);
    }
    for (const move of moves) {
      const answer = await use<Receipt>('play', { ...move, day });
      if (answer.code) refused = answer;
      else done.push(`${move.move} on place ${move.slot} for ${answer.reserved_cents} cents, sealed until the bell`);
    }
    if (done.length > 0) {
      keep({ ...kept, day, hour });
      return `Day ${day}: ${done.join('; ')}.`;
    }
    if (!refused) return `Day ${day}: the strategy plays nothing now. The next run asks it again.`;
    const { code = '', message, link = `${address}/account`, retry_after_seconds: seconds = 1 } = refused;
    if (['HILL_NOT_OPEN', 'NO_MOVES_LEFT', 'TOO_MANY_PLACES'].includes(code)) return `Day ${day}: ${message} The next run looks again.`;
    if (!['BELL_RINGING', 'DAY_PASSED'].includes(code)) throw new Stop(`Day ${day}: ${message} See ${link} (${code})`);
    await sleep(Math.min(seconds, 60) * 1_000); // midnight came in between: it decides anew
  }
  throw new Stop('The bell does not stop ringing. The next run tries again.');
}

/** Ends the run with a line for its human, and with status 1, for cron or systemd to report. */
class Stop extends Error {}

type Receipt = { reserved_cents: number; code?: string; message?: string; link?: string; retry_after_seconds?: number };

async function use<T>(tool: string, args = {}): Promise<T> {
  const { structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
  if (isError && !['play', 'announce'].includes(tool)) throw new Stop(`The hill refuses ${tool}: ${JSON.stringify(structuredContent)}`);
  return structuredContent as T;
}

/** An access token for 15 minutes. The next assertion is kept, so that the next run is let in too: step 4 of the hill's /auth.md. */
async function letIn(issuer: string): Promise<string> {
  if (!kept.assertion) return claim(issuer);
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: kept.assertion };
  const { access_token, identity_assertion, error, error_description } = await ask(`${issuer}/oauth/token`, new URLSearchParams(form));
  if (error === 'invalid_grant') return claim(issuer);
  if (error) throw new Stop(`${address} gives no token: ${error_description} (${error})`);
  keep({ ...kept, assertion: identity_assertion }); // a run that dies before this line loses nothing: the last one lives for its 24 hours
  return access_token;
}

/** Its human lets it in: it is new here, or no run succeeded for 24 hours, or its human cut it off. Steps 1 and 3 of /auth.md. On a practice hill: itself. */
async function claim(issuer: string): Promise<string> {
  const lost = kept.assertion ? ` any more: you cut it off at ${address}/account, or no run got through for 24 hours` : '';
  const { _practice: practises } = await ask<{ _practice?: string }>(`${address}/api/status`);
  if (!practises && !email && !process.stdin.isTTY)
    throw new Stop(`The hill does not know this bot${lost}. Run it at a terminal, to let it in.`);
  const terminal = readline.createInterface(process.stdin, process.stdout);
  const human = practises ? '' : (email ?? (await terminal.question(`With which address do you sign in at ${address}? `)));
  terminal.close();
  const { claim_token } = await ask(`${issuer}/agent/identity`, { type: 'anonymous', client_name: name });
  const { claim_attempt, practice, message } = await ask(`${issuer}/agent/identity/claim`, { claim_token, email: human });
  if (!claim_attempt) throw new Stop(message);
  if (practice) await patiently(practice.href, { method: 'POST', body: new URLSearchParams(practice.form) });
  else console.log(`Open ${claim_attempt.verification_uri}, sign in as ${human}, and type the code ${claim_attempt.user_code}.`);
  const form = new URLSearchParams({ grant_type: 'urn:example:agent-auth:grant-type:claim', claim_token });
  for (let { interval } = claim_attempt; ; ) {
    await sleep(interval * 1_000);
    const { access_token, identity_assertion, error, error_description, interval: next } = await ask(`${issuer}/oauth/token`, form);
    if (!error) keep({ ...kept, assertion: identity_assertion });
    if (!error) return access_token;
    if (!next) throw new Stop(`Not let in: ${error_description} (${error})`); // it is given for as long as waiting helps
    interval = next;
  }
}

type Answer = Record<'claim_token' | 'identity_assertion' | 'access_token' | 'error' | 'error_description' | 'message', string> & {
  authorization_servers?: [string];
  interval?: number;
  claim_attempt?: { verification_uri: string; user_code: string; interval: number };
  practice?: { href: string; form: Record<string, string> };
};

/** A document, or what is answered to fields. Refusals are answers too: those with `error`. */
async function ask<T = Answer>(url: string, fields?: URLSearchParams | object): Promise<T> {
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
  const answer = await patiently(url, fields && { method: 'POST', ...(fields instanceof URLSearchParams ? { body: fields } : json) });
  return (await answer.json().catch(() => Promise.reject(new Stop(`${url} does not answer as a hill does.`)))) as T;
}

/** fetch; a hill that is busy or restarts says when to come back. It may send twice: a deposit that is repeated gets its first receipt. */
async function patiently(url: string | URL, init?: RequestInit): Promise<Response> {
  for (let seconds = 2; ; seconds *= 2) {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) }).catch((error: Error) => error);
    const lost = answer instanceof Error;
    if (!lost && (seconds > 8 || ![429, 502, 503].includes(answer.status))) return answer;
    if (lost && seconds > 8) throw new Stop(`${address} does not answer: ${answer.cause ?? answer}`);
    await sleep(Math.min((!lost && Number(answer.headers.get('retry-after'))) || seconds, 60) * 1_000);
  }
}

/** In a file that only its owner can read, replaced whole: no run finds half of it. */
function keep(next: typeof kept): void {
  kept = next;
  writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { strategy: { type: 'string' } } });
const [given = '', email] = positionals;
const { origin: address, protocol, hostname, host } = new URL(URL.canParse(given) ? given : 'none:');
const folder = `${homedir()}/.hill`;
const file = `${folder}/${host.replace(':', '_')}-typescript.json`;
const client = new Client({ name, version: '1' });
let kept: { assertion?: string; day?: number; hour?: number } = {};
let strategy: Awaited<ReturnType<typeof loadStrategy>> | undefined;
try {
  const safe = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname); // tokens do not travel in the clear
  if (!safe) throw new Stop('Usage: node bot.ts https://hill.example [the address with which you sign in there] [--strategy a-file.ts]');
  strategy = await loadStrategy(values.strategy ?? fileURLToPath(new URL('strategy.ts', import.meta.url)));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(`${file}.lock`); // one run at a time: the system frees this lock when the process ends, however it ends
  process.once('exit', () => lock.close()); // until then something has to refer to it
  lock.exec('begin exclusive');
  if (existsSync(file)) kept = JSON.parse(readFileSync(file, 'utf8'));
  const { authorization_servers: [issuer] = [address] } = await ask(`${address}/.well-known/oauth-protected-resource`);
  const requestInit = { headers: { Authorization: `Bearer ${await letIn(issuer)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${issuer}/mcp`), { fetch: patiently, requestInit }) as Transport);
  console.log(await playToday(strategy));
} catch (error) {
  console.error(error instanceof Error ? error.message.replace('database is locked', 'Another run of this bot is under way.') : error);
  process.exitCode = 1;
} finally {
  await strategy?.end?.();
  await client.close();
}
