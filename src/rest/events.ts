// GET /api/events: what is published, as it is published, to everybody who listens. Rules 10.16; decisions 260-262.
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { Failure, refusal } from '../db/errors.ts';
import type { ReadingSource } from '../db/reading.ts';
import { addressOf } from '../http/address-limit.ts';
import { Broadcast } from '../http/broadcast.ts';
import { countedAddress } from '../http/counted-address.ts';
import { goodbyeMs, heartbeatMs, Room, spaced, streamFields } from '../http/event-stream.ts';
import type { Config } from '../process/config.ts';
import type { Metrics } from '../process/metrics.ts';
import { outsideRequests } from '../process/request.ts';
import { linksOf } from '../records/links.ts';
import type { NightBrief } from '../records/night-brief.ts';

export const eventsPath = '/api/events';

/**
 * What api_public.events counts: night, boards, day, tournament, standings, announcements. The same in every process,
 * and after a restart.
 */
type Position = readonly number[];

interface Published {
  readonly position: Position;
  readonly bells: readonly NightBrief[];
  readonly boards: number | null;
  readonly tournaments: readonly { readonly slug: string }[];
  readonly announcements: readonly Announced[];
}

interface Announced {
  readonly day: number;
  readonly slot: number;
  readonly occupant: { readonly accountId: string };
}

export interface Events {
  serve(ctx: Koa.Context): Promise<void>;
  /** From now on this process hears of changes: it may have missed some. */
  hear(): void;
  /** The hill has changed: see sql/reading/changes.sql. */
  changed(change: string): void;
  /** Ends all streams. */
  stop(): Promise<void>;
}

/** A position looks like 12.12.13.2.12.40. */
const wellFormed = /^\d{1,9}(\.\d{1,9}){5}$/;
/** What a position counts. A deposit changes none of it. */
const counted: ReadonlySet<string> = new Set(['night', 'boards', 'announcements', 'tournaments', 'clock']);
const most = { address: 256, process: 16_384 };
const times = { quietMs: 1_000, heartbeatMs, goodbyeMs };
/** Clients come back after this time: not all at once when a process stops. */
const retryMs = () => 2_000 + Math.floor(Math.random() * 4_000);

export function readAlong(
  config: Config,
  source: ReadingSource,
  metrics: Metrics,
  limits = most,
  given = times,
): Events {
  const room = new Room<'address'>('listeners', limits);
  const read = reader(source);
  const textOf = teller(config);
  const front = new Front(read, (published) => {
    const text = textOf(published);
    if (text) broadcast.send(text);
  });
  const refresh = async () => {
    await front.looking?.catch(() => {});
    if (front.stale && room.count > 0) await front.look().catch(() => {}); // looked again at the next change, or heartbeat
  };
  const soon = spaced(given.quietMs, () => void refresh());
  const broadcast = new Broadcast(() => front.stale && soon(), given);
  metrics.gauge('hill_listeners', 'Readers that listen at /api/events.', '1', () => room.count);

  const between = new LRUCache<string, Promise<string>>({ max: 32 });
  const missed = (after: string, upto: Position): Promise<string> => {
    const key = `${after}>${upto.join('.')}`;
    const known = between.get(key);
    if (known) return known;
    const asked = read(after.split('.').map(Number), upto).then(textOf);
    between.set(key, asked);
    asked.catch(() => between.delete(key));
    return asked;
  };

  return {
    async serve(ctx) {
      const last = ctx.get('Last-Event-ID').trim();
      if (last !== '' && !wellFormed.test(last))
        throw refusal(
          'INVALID_ARGUMENT',
          'Last-Event-ID is not the id of an event.',
          'Give back the last id as it was sent, or listen without one.',
          { argument: 'Last-Event-ID' },
        );
      // For the balancer, which has other processes; an address has too many everywhere.
      if (broadcast.stopping || room.full) throw new Failure('UNAVAILABLE');
      if (ctx.method === 'HEAD') {
        ctx.set(streamFields);
        ctx.status = 200;
        return;
      }
      const leave = room.enter({ address: countedAddress(addressOf(ctx.req, config.proxies)) });
      const { res } = ctx;
      res.once('close', leave);
      try {
        if (front.stale || !front.here) await front.look();
        const from = front.here;
        if (!from) throw new Failure('UNAVAILABLE');
        const listener = broadcast.join(res);
        const first = last === '' ? hello(from) : last === from.join('.') ? '' : await missed(last, from);
        ctx.set(streamFields);
        ctx.respond = false; // Koa would end the answer
        res.statusCode = 200;
        listener.begin(`retry: ${retryMs()}\n\n${first}`);
      } catch (error) {
        res.off('close', leave);
        leave();
        throw error;
      }
    },
    hear() {
      front.stale = true;
      soon();
    },
    changed(change) {
      if (!counted.has(change)) return;
      front.stale = true;
      soon();
    },
    stop: () => broadcast.stop(),
  };
}

type Read = (after?: Position, upto?: Position) => Promise<Published>;

/** From where readers read: once something is sent it can be read in this process. */
const reader =
  (source: ReadingSource): Read =>
  async (after, upto) => {
    const { record, current } = await source.read<Published>('api_public.events', {
      after: after?.map(String),
      upto: upto?.map(String),
    });
    if (!current) throw new Failure('UNAVAILABLE', new Error('the replica is behind'));
    return record;
  };

/** Reads on for all who listen, and tells what is new. */
class Front {
  /** How far all who listen have been sent. */
  here: Position | undefined;
  /** Whether there may be something after that. */
  stale = true;
  /** The look that is under way. */
  looking: Promise<void> | undefined;
  /** Announcements that were sent, of those that the database returns again because they may have been late. */
  readonly #announced = new LRUCache<string, true>({ max: 2_000 });
  readonly #read: Read;
  readonly #tell: (published: Published) => void;

  constructor(read: Read, tell: (published: Published) => void) {
    this.#read = read;
    this.#tell = tell;
  }

  look(): Promise<void> {
    this.looking ??= outsideRequests(async () => {
      this.stale = false;
      try {
        const from = this.here;
        const published = await this.#read(from);
        this.here = published.position;
        if (from)
          this.#tell({ ...published, announcements: published.announcements.filter((one) => this.#isNew(one)) });
      } catch (error) {
        this.stale = true;
        throw error;
      } finally {
        this.looking = undefined;
      }
    });
    return this.looking;
  }

  #isNew({ day, slot, occupant }: Announced): boolean {
    const which = `${day} ${slot} ${occupant.accountId}`;
    return !this.#announced.has(which) && this.#announced.set(which, true) !== undefined;
  }
}

const write = (event: string, data: object, id?: Position) =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n${id ? `id: ${id.join('.')}\n` : ''}\n`;

const hello = (at: Position) => {
  const [night, boards, day, , , announcements] = at;
  return write('position', { night, boards, day, announcements }, at);
};

/** Only the last of several events has an id: who was cut off between two of them is sent all of them again. */
function teller(config: Config): (published: Published) => string {
  const links = linksOf(config);
  return ({ position, bells, boards, tournaments, announcements }) => {
    const all: [string, object][] = [
      ...bells.map((night): [string, object] => [
        'bell',
        { ...night, page: `${config.baseUrl}/day/${night.day}`, href: links.day('day', night.day, '').href },
      ]),
      ...(boards === null
        ? []
        : [['boards', { day: boards, href: links.place('leaderboard').href }] as [string, object]]),
      ...tournaments.map((one): [string, object] => ['tournament', { ...one, href: links.tournament(one.slug).href }]),
      ...announcements.map((one): [string, object] => ['announcement', one]),
    ];
    return all.map(([event, data], i) => write(event, data, i === all.length - 1 ? position : undefined)).join('');
  };
}
