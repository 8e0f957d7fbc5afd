// The play interface: POST /mcp on every host of the hill. Stateless, so any process can serve any call. Protocol 8.5,
// 9.1, 9.6.
import type http from 'node:http';
import type pg from 'pg';
import { type Args, call } from '../db/call.ts';
import { type DepositMove, deposits } from '../db/deposits.ts';
import { Failure, Refusal, typed } from '../db/errors.ts';
import { addressOf } from '../http/address-limit.ts';
import { countedAddress } from '../http/counted-address.ts';
import type { Counters } from '../http/counters.ts';
import { fetcherSettings } from '../outside/fetcher/settings.ts';
import { webhooks } from '../outside/webhooks.ts';
import { type Config, topUpsOf } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { webhookSealer } from '../process/secret.ts';
import { unsealed } from '../process/tracing.ts';
import { linksOf } from '../records/links.ts';
import { type Called, callTool } from './call-tool.ts';
import type { ClaimState } from './claim.ts';
import { type Allowance, allowance } from './door/allowance.ts';
import {
  type Answer,
  type Id,
  idOf,
  invalidRequest,
  refused,
  rpcError,
  send,
  stopping,
  tooMany,
} from './door/answers.ts';
import { badToken, lacksScope, noToken } from './door/challenges.ts';
import { exchanges } from './door/exchange.ts';
import { isSealed, Journal } from './door/journal.ts';
import type { Exchange, Turn } from './door/library.ts';
import { news } from './door/news.ts';
import { type Bearer, bearers, readMessage, type Signatures, tokenOf } from './door/request.ts';
import { type Streaming, streams } from './door/streams.ts';
import { type Help, readHelp } from './help/index.ts';
import { offer, servers } from './protocol/server.ts';
import { receipts } from './receipts.ts';
import type { Caller, Human, Tool } from './tool.ts';
import { tools } from './tools/index.ts';

export interface McpParts {
  readonly config: Config;
  readonly db: pg.Pool;
  readonly counters: Counters;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Of this hill's own tokens. */
  readonly signatures: Signatures;
}

/** A message with a token that was signed here. */
interface Call {
  readonly req: http.IncomingMessage;
  readonly message: object;
  readonly id: Id;
  readonly bearer: Bearer;
  readonly caller: Caller;
  /** The address of the endpoint's metadata. */
  readonly metadata: string;
}

export class McpDoor {
  readonly #parts: McpParts;
  /** What all callers are given alike. */
  readonly #shared: Omit<Caller, 'call' | 'deposit'>;
  readonly #origins: readonly URL[];
  readonly #byName: ReadonlyMap<string, Tool>;
  readonly #exchange: Exchange;
  readonly #bearerOf: ReturnType<typeof bearers>;
  readonly #allowed: Allowance;
  readonly #deposit: DepositMove;
  readonly #journal: Journal;
  readonly #news = news();
  readonly #streams = streams();

  constructor(parts: McpParts) {
    const { config, db, log, metrics, signatures } = parts;
    const links = linksOf(config);
    const served = servers(links, offer(tools));
    this.#parts = parts;
    this.#shared = {
      receipts: receipts(config, db),
      links,
      webhooks: webhooks(fetcherSettings(config), webhookSealer(config)),
      topUps: topUpsOf(config),
      tools,
    };
    this.#origins = [...new Set([config.authUrl, config.baseUrl])].map((url) => new URL(url));
    this.#byName = served.byName;
    this.#exchange = exchanges(served, this.#news.bus, (error) =>
      log.debug({ type: error.name }, 'a message was not understood'),
    );
    this.#bearerOf = bearers(signatures, config.clock === 'simulated');
    this.#allowed = allowance(db, config.limits.calls);
    this.#deposit = deposits(db, config.depositLanes);
    this.#journal = new Journal(log, metrics);
    metrics.gauge('hill_streams', 'Streams on which agents listen for events.', '1', () => this.#streams.count);
  }

  /** In front of the router: answers a request to the endpoint; false if it is to another address. */
  serve(req: http.IncomingMessage, res: http.ServerResponse): boolean {
    if (req.url !== '/mcp' && !req.url?.startsWith('/mcp?')) return false;
    this.#receive(req)
      .then((answer) => ('send' in answer ? answer.send(res).catch(() => res.destroy()) : send(req, res, answer)))
      .catch((thrown) => {
        this.#parts.log.error({ type: thrown?.name }, 'an answer could not be sent');
        res.destroy();
      });
    return true;
  }

  /** From now on this process hears of changes: it may have missed some. */
  hear(): void {
    this.#news.missed();
  }

  /** The hill has changed: see sql/reading/changes.sql. `night` is the one whose bell was published. */
  changed(change: string, lastNight: number | null): void {
    if (change === 'night') this.#journal.bellRang();
    this.#news.changed(change, lastNight);
  }

  /** Ends all streams. */
  stop(): Promise<void> {
    return this.#streams.stop();
  }

  async #receive(req: http.IncomingMessage): Promise<Answer | Streaming> {
    if (req.method !== 'POST')
      return rpcError(405, invalidRequest, `Only POST is served. Read ${this.#shared.links.found.llms} first.`, {
        headers: { Allow: 'POST' },
      });
    // A browser sends the origin of its page. Only the hill's own pages have business here, and other clients send
    // none.
    const { origin } = req.headers;
    if (origin !== undefined && !this.#origins.some((url) => url.origin === origin))
      return rpcError(403, invalidRequest, 'Requests from other sites are not served.');

    const { links } = this.#shared;
    const metadata = this.#metadataOf(req.headers.host ?? '');
    const token = tokenOf(req);
    if (token === undefined) return noToken(links, metadata);
    let id: Id = null;
    try {
      const bearer = await this.#bearerOf(token);
      if (!bearer) return badToken(links, metadata, id);
      const read = await readMessage(req);
      if ('status' in read) return read;
      const message = read.value;
      id = idOf(message);
      return await this.#answer({ req, message, id, bearer, caller: this.#callerOf(token, bearer), metadata });
    } catch (thrown) {
      const error = typed(thrown);
      if (error instanceof Refusal && error.oauth) return badToken(links, metadata, id);
      if (error instanceof Failure && error.status >= 500) this.#journal.failed(error);
      return refused(error, id);
    }
  }

  /** On the host that was asked, if it is one of the hill's. */
  #metadataOf(host: string): string {
    const { origin } = this.#origins.find((url) => url.host === host.toLowerCase()) ?? (this.#origins[0] as URL);
    return `${origin}/.well-known/oauth-protected-resource/mcp`;
  }

  #callerOf(token: string, { account }: Bearer): Caller {
    return {
      ...this.#shared,
      call: <T>(name: `api_agent.${string}`, args?: Args): Promise<T> => call(this.#parts.db, name, { token, ...args }),
      deposit: (move) => this.#deposit(account, token, move),
    };
  }

  /** SQL sees the token once, in whatever is called first. Throws a Refusal if SQL does not accept it. */
  async #answer(call: Call): Promise<Answer | Streaming> {
    const { req, message, id, bearer, caller, metadata } = call;
    const wait = await this.#allowed(bearer.client);
    if (wait > 0) return tooMany(wait, id);
    const wanted = toolCalled(message, this.#byName);
    if (wanted && !bearer.scopes.includes(wanted.scope)) {
      // throws if the token is not live, which matters first
      const { claim } = await caller.call<{ claim: ClaimState | null }>('api_agent.whoami');
      return lacksScope(caller.links, metadata, id, claim);
    }
    const turn = await this.#exchange(req.headers, message);
    switch (turn.wants) {
      case 'nothing':
        await caller.call('api_agent.check_token');
        return { ...turn.answer, open: true };
      case 'help': {
        const help = readHelp(turn.topic, caller) as Promise<Help>;
        const [answer] = await Promise.all([turn.reply(help), help]);
        return { ...answer, open: true };
      }
      case 'stream':
        return this.#listen(call, turn);
      case 'tool':
        return this.#useTool(call, turn);
    }
  }

  async #listen(
    { req, id, bearer, caller }: Call,
    { open }: Extract<Turn, { wants: 'stream' }>,
  ): Promise<Answer | Streaming> {
    await caller.call('api_agent.check_token');
    if (this.#streams.stopping) return stopping(id);
    const isLive = () =>
      caller.call('api_agent.check_token').then(yes, (thrown) => !(typed(thrown) instanceof Refusal));
    const address = countedAddress(addressOf(req, this.#parts.config.proxies));
    return this.#streams.begin({ account: bearer.account, address, isLive }, open);
  }

  async #useTool(
    { id, caller }: Call,
    { tool, args, human, reply }: Extract<Turn, { wants: 'tool' }>,
  ): Promise<Answer> {
    const running = this.#run(tool, args, human, caller);
    const [answer, { error }] = await Promise.all([reply(running.then(({ result }) => result)), running]);
    // as any limit of this address
    if (error?.code === 'rate_limited') return refused(error, id);
    const seconds = error?.detail.retry_after_seconds;
    // the result says it as well; a client that looks only at headers finds it here
    const headers = seconds === undefined ? answer.headers : { ...answer.headers, 'Retry-After': String(seconds) };
    return { ...answer, headers, open: tool.open ?? false };
  }

  async #run(tool: Tool, args: unknown, human: Human, caller: Caller): Promise<Called> {
    const began = performance.now();
    const run = () => callTool(tool, args, caller, human);
    const called = await (isSealed(tool.name) ? run() : unsealed(`tool ${tool.name}`, run));
    const { given, error } = called;
    this.#journal.called(tool.name, error?.code ?? 'ok', performance.now() - began);
    if (error instanceof Failure && error.status >= 500) this.#journal.failed(error);
    if (given && !error) this.#parts.counters.read(tool.shows?.(given));
    return called;
  }
}

const yes = () => true;

/** The tool that a message calls, if it calls one that exists. */
function toolCalled(message: object, byName: ReadonlyMap<string, Tool>): Tool | undefined {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && typeof params?.name === 'string' ? byName.get(params.name) : undefined;
}
