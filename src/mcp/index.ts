// mcp/index.ts · the play interface: POST /mcp on every host of the hill. Stateless, so any process can serve any call. Protocol 8.5, 9.1, 9.6.
import type http from 'node:http';
import type pg from 'pg';
import { type Args, call } from '../db/call.ts';
import { deposits } from '../db/deposits.ts';
import { Failure, Refusal, refusal, typed } from '../db/errors.ts';
import { addressOf } from '../http/address-limit.ts';
import { countedAddress } from '../http/counted-address.ts';
import type { Counters } from '../http/counters.ts';
import { fetcherSettings } from '../outside/fetcher/settings.ts';
import { webhookSealer, webhooks } from '../outside/webhooks.ts';
import { type Config, topUpsOf } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { unsealed } from '../process/tracing.ts';
import { linksOf } from '../records/links.ts';
import { type Called, callTool } from './call-tool.ts';
import { type ClaimState, howToBeClaimed, tellSteps } from './claim.ts';
import { allowance } from './door/allowance.ts';
import { type Answer, challenge, type Id, idOf, invalidRequest, refused, rpcError, stopping, tooMany } from './door/answers.ts';
import { type Bearer, bearers, type Signatures, tokenOf } from './door/bearer.ts';
import { readMessage } from './door/body.ts';
import { exchanges } from './door/exchange.ts';
import { gauge } from './door/gauge.ts';
import { isSealed, journal } from './door/journal.ts';
import { news } from './door/news.ts';
import { send } from './door/send.ts';
import { type Streaming, streams } from './door/streams.ts';
import { type Help, readHelp } from './help/index.ts';
import { offer, servers } from './protocol/server.ts';
import { receipts } from './receipts.ts';
import type { Caller, Human, Tool } from './tool.ts';
import { tools } from './tools/index.ts';

export interface McpDoor {
  /** In front of the router: answers a request to the endpoint; false if it is to another address. */
  serve(req: http.IncomingMessage, res: http.ServerResponse): boolean;
  /** From now on this process hears of changes: it may have missed some. */
  hear(): void;
  /** The hill has changed: see sql/reading/changes.sql. `night` is the one whose bell was published. */
  changed(change: string, lastNight: number | null): void;
  /** Ends all streams. */
  stop(): Promise<void>;
}

/** `signatures` are those of this hill's own tokens. */
export function mcpDoor(config: Config, db: pg.Pool, counters: Counters, log: Logger, metrics: Metrics, signatures: Signatures): McpDoor {
  const links = linksOf(config);
  const offered = offer(tools);
  const signs = receipts(config, db);
  const hooks = webhooks(fetcherSettings(config), webhookSealer(config));
  const bearerOf = bearers(signatures, config.clock === 'simulated');
  const { bus, changed, missed } = news();
  const open = streams();
  const exchange = exchanges(servers(links, offered), bus, (error) => log.debug({ type: error.name }, 'a message was not understood'));
  const allowed = allowance(db, config.limits.calls);
  const { called, failed } = journal(log);
  const measured = gauge(metrics);
  metrics.gauge('hill_streams', 'Streams on which agents listen for events.', '1', () => open.count);
  const origins = [...new Set([config.authUrl, config.baseUrl])].map((url) => new URL(url));
  const metadataOf = (host: string) =>
    `${(origins.find((url) => url.host === host.toLowerCase()) ?? (origins[0] as URL)).origin}/.well-known/oauth-protected-resource/mcp`;

  const topUps = topUpsOf(config);
  const deposit = deposits(db, config.depositLanes);
  const callerOf = (token: string, { account }: Bearer): Caller => ({
    call: <T>(name: `api_agent.${string}`, args?: Args): Promise<T> => call(db, name, { token, ...args }),
    deposit: (move) => deposit(account, token, move),
    receipts: signs,
    links,
    webhooks: hooks,
    topUps,
    tools,
  });

  const noToken = (metadata: string): Answer => {
    const error = refusal(
      'INVALID_TOKEN',
      'An access token is needed.',
      `${links.act.guide} says how to get one, with or without a browser.`,
    );
    return refused(error, null, { headers: challenge(metadata), data: { link: links.lift(error.code) } });
  };

  const badToken = (metadata: string, id: Id): Answer => {
    const message = 'The access token is unknown, expired, revoked, or not for this server.';
    const error = refusal('INVALID_TOKEN', message, `Renew it the way you got it, or start again: ${links.act.guide}`);
    return refused(error, id, { headers: challenge(metadata, 'invalid_token', message), data: { link: links.lift(error.code) } });
  };

  /** The answer to a token without the scope: how to get one with it. Throws if the token is not live, which matters first. */
  const lacksScope = async (metadata: string, id: Id, caller: Caller): Promise<Answer> => {
    const { claim } = await caller.call<{ claim: ClaimState | null }>('api_agent.whoami');
    const claimed = claim && howToBeClaimed(links, claim);
    const hint = claimed
      ? `No human has claimed you yet. Open a browser for your human and authorize with both scopes, or:\n${tellSteps(claimed.steps)}\nThe guide: ${links.act.guide}`
      : `Get a token with both scopes: exchange your newest identity assertion without naming a scope, or authorize again: ${links.act.guide}`;
    const error = refusal('INSUFFICIENT_SCOPE', 'This tool needs a token with the scope hill:play.', hint, { scope: 'hill:play' });
    return refused(error, id, {
      headers: challenge(metadata, 'insufficient_scope', error.message),
      data: { link: links.lift(error.code), ...(claimed ? { claim: claimed } : {}) },
    });
  };

  async function run(tool: Tool, args: unknown, human: Human, caller: Caller): Promise<Called> {
    const began = performance.now();
    const sealed = isSealed(tool.name);
    const { result, given, error } = await (sealed
      ? callTool(tool, args, caller, human)
      : unsealed(`tool ${tool.name}`, () => callTool(tool, args, caller, human)));
    const ms = performance.now() - began;
    called(tool.name, error?.code ?? 'ok', ms);
    measured.called(tool.name, sealed, error?.code ?? 'ok', ms);
    if (error instanceof Failure && error.status >= 500) failed(error);
    if (error) return { result, error };
    if (given) counters.read(tool.shows?.(given));
    return { result };
  }

  /** Answers a message. SQL sees the token once, in whatever is called first. Throws a Refusal if SQL does not accept it. */
  async function answer(
    req: http.IncomingMessage,
    message: object,
    bearer: Bearer,
    caller: Caller,
    metadata: string,
  ): Promise<Answer | Streaming> {
    const id = idOf(message);
    const wait = await allowed(bearer.client);
    if (wait > 0) return tooMany(wait, id);
    const wanted = toolCalled(message, offered.byName);
    if (wanted && !bearer.scopes.includes(wanted.scope)) return lacksScope(metadata, id, caller);

    const turn = await exchange(req.headers, message);
    switch (turn.wants) {
      case 'nothing':
        await caller.call('api_agent.check_token');
        return { ...turn.answer, open: true };
      case 'stream': {
        await caller.call('api_agent.check_token');
        if (open.stopping) return stopping(id);
        const isLive = () => caller.call('api_agent.check_token').then(yes, (thrown) => !(typed(thrown) instanceof Refusal));
        return open.begin({ account: bearer.account, address: countedAddress(addressOf(req, config.proxies)), isLive }, turn.open);
      }
      case 'help': {
        const help = readHelp(turn.topic, caller) as Promise<Help>;
        const [given] = await Promise.all([turn.reply(help), help]);
        return { ...given, open: true };
      }
      case 'tool': {
        const running = run(turn.tool, turn.args, turn.human, caller);
        const [answered, { error }] = await Promise.all([turn.reply(running.then(({ result }) => result)), running]);
        // as any limit of this address
        if (error?.code === 'rate_limited') return refused(error, id);
        const given = { ...answered, open: turn.tool.open ?? false };
        const seconds = error?.detail.retry_after_seconds;
        // the result says it as well; a client that looks only at headers finds it here
        return seconds === undefined ? given : { ...given, headers: { ...given.headers, 'Retry-After': String(seconds) } };
      }
    }
  }

  async function serve(req: http.IncomingMessage): Promise<Answer | Streaming> {
    if (req.method !== 'POST') return rpcError(405, invalidRequest, 'Only POST is served.', { headers: { Allow: 'POST' } });
    // A browser sends the origin of its page. Only the hill's own pages have business here, and other clients send none.
    const { origin } = req.headers;
    if (origin !== undefined && !origins.some((url) => url.origin === origin))
      return rpcError(403, invalidRequest, 'Requests from other sites are not served.');

    const metadata = metadataOf(req.headers.host ?? '');
    const token = tokenOf(req);
    if (token === undefined) return noToken(metadata);
    const failure = (thrown: unknown, id: Id): Answer => {
      const error = typed(thrown);
      if (error instanceof Refusal && error.oauth) return badToken(metadata, id);
      if (error instanceof Failure && error.status >= 500) failed(error);
      return refused(error, id);
    };
    try {
      const bearer = await bearerOf(token);
      if (!bearer) return badToken(metadata, null);
      const message = await readMessage(req);
      if ('status' in message) return message;
      return await answer(req, message.value, bearer, callerOf(token, bearer), metadata).catch((thrown) =>
        failure(thrown, idOf(message.value)),
      );
    } catch (thrown) {
      return failure(thrown, null);
    }
  }

  return {
    hear: missed,
    changed(change, lastNight) {
      if (change === 'night') measured.rung();
      changed(change, lastNight);
    },
    stop: open.stop,
    serve(req, res) {
      if (req.url !== '/mcp' && !req.url?.startsWith('/mcp?')) return false;
      serve(req)
        .then((given) => ('send' in given ? given.send(res).catch(() => res.destroy()) : send(req, res, given)))
        .catch((thrown) => {
          log.error({ type: thrown?.name }, 'an answer could not be sent');
          res.destroy();
        });
      return true;
    },
  };
}

const yes = () => true;

/** The tool that a message calls, if it calls one that exists. */
function toolCalled(message: object, byName: ReadonlyMap<string, Tool>): Tool | undefined {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && typeof params?.name === 'string' ? byName.get(params.name) : undefined;
}
