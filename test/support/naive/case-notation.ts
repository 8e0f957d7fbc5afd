// The notation of the case book (test/cases/README.md): a block of lines becomes a night and its result.
import {
  type Charge,
  type Integer,
  type Night,
  type NightAccount,
  type NightMove,
  type NightResult,
  type Occupant,
  type Outcome,
  type QueueEntry,
  type SlotResult,
  toInteger,
} from '../hill/night.ts';

const ALL_PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Accounts that every case knows, oldest first. ann and fay are equal in reputation, and so are bob and cyd. */
const CAST = [
  anAccount('ann', 0.9, '2026-01-01'),
  anAccount('bob', 0.5, '2026-01-02'),
  anAccount('cyd', 0.5, '2026-01-03'),
  anAccount('dee', 0, '2026-01-04'),
  anAccount('eve', 1, '2026-01-05'),
  anAccount('fay', 0.9, '2026-01-06'),
];

/** A night and its whole result, or null for a night that is refused. */
export type Block = { night: Night; result: NightResult | null };

export function parseBlock(text: string): Block {
  const [above = '', below, ...rest] = text.split(/^---$/m);
  if (below === undefined || rest.length > 0) throw new Error('a block is a night, a line "---" and a result');
  const night = parseNight(linesOf(above));
  const lines = linesOf(below);
  const refused = lines.length === 1 && lines[0] === 'refused';
  return { night, result: refused ? null : parseResult(night, lines) };
}

function parseNight(lines: string[]): Night {
  const night: Night = { day: 12, open_slots: ALL_PLACES, accounts: [], holders: [], moves: [] };
  takeLines(lines, [
    [/^day (?<day>\d+)$/, ({ day }) => (night.day = integer(day))],
    [/^open:(?<places>[\d ,]*)$/, ({ places }) => (night.open_slots = (places?.match(/\d+/g) ?? []).map(Number))],
    [
      /^account (?<name>\S+): reputation (?<reputation>[\d.]+), since (?<since>\S+?)(?<house>, house)?$/,
      ({ name, reputation, since, house }) =>
        night.accounts.push(anAccount(word(name), Number(reputation), word(since), house !== undefined)),
    ],
    [
      /^(?<slot>\d+) is held by (?<account>\S+) for (?<days>\d+) days?$/,
      ({ slot, account, days }) =>
        night.holders.push({ slot: Number(slot), account: word(account), days_held: integer(days) }),
    ],
    [
      /^(?<account>\S+): (?<move>PEACE|WAR) on (?<slot>\d+)( for (?<stake>\d+))?(?<bare>, no stake)?(, at (?<at>[\d:.]+))?(, seq (?<seq>\d+))?$/,
      ({ account, move, slot, stake, bare, at, seq }) => {
        const place = night.moves.length + 1;
        night.moves.push({
          seq: seq === undefined ? place : integer(seq),
          account: word(account),
          slot: Number(slot),
          move: move as NightMove['move'],
          ...(bare === undefined && { stake_cents: integer(stake ?? '0') }),
          at: onTheDay(at ?? `10:00:${String(place).padStart(2, '0')}`),
        });
      },
    ],
  ]);
  const mentioned = new Set([...night.holders, ...night.moves].map((line) => line.account));
  night.accounts.unshift(...CAST.filter((account) => mentioned.has(account.account)));
  return night;
}

function parseResult(night: Night, lines: string[]): NightResult {
  const result: NightResult = { day: night.day, slots: ALL_PLACES.map(aVacantPlace), queue: [], charges: [] };
  takeLines(lines, [
    [
      /^(?<slot>\d+) (?<outcome>VACANT|PEACE|WAR|BURN) \((?<peace>\d+) peace, (?<war>\d+) war(, (?<burned>\d+) burned)?\): (?<seats>.+?)(; evicted (?<evicted>.+))?$/,
      ({ slot, outcome, peace, war, burned, seats, evicted }) => {
        result.slots[Number(slot) - 1] = {
          slot: Number(slot),
          outcome: outcome as Outcome,
          peace_count: Number(peace),
          war_count: Number(war),
          burned_cents: integer(burned ?? '0'),
          occupants: seats === 'nobody' ? [] : list(seats).map(parseOccupant),
          evicted: evicted === undefined ? [] : list(evicted),
        };
      },
    ],
    [
      /^queue: (?<entries>.+)$/,
      ({ entries }) => result.queue.push(...list(entries).map((entry) => parseEntry(night, entry))),
    ],
    [
      /^paid on (?<slot>\d+): (?<charges>.+)$/,
      ({ slot, charges }) =>
        result.charges.push(...list(charges).map((charge) => parseCharge(night, Number(slot), charge))),
    ],
  ]);
  return result;
}

function parseOccupant(text: string): Occupant {
  const { account, via, days, points } = match(
    /^(?<account>\S+) (?<via>holder|peace|war|queue) (?<days>\d+) days? (?<points>[\d.]+) points?$/,
    text,
  );
  return { account: word(account), days_held: integer(days), via: via as Occupant['via'], points: Number(points) };
}

function parseEntry(night: Night, text: string): QueueEntry {
  const { account, from, to } = match(/^(?<account>\S+) from (?<from>\d+)( to (?<to>\d+))?$/, text);
  const move = moveOf(night, word(account), Number(from));
  return {
    account: move.account,
    from_slot: move.slot,
    seq: move.seq,
    served_slot: to === undefined ? null : Number(to),
  };
}

function parseCharge(night: Night, slot: number, text: string): Charge {
  const { account, cents, burned } = match(/^(?<account>\S+) (?<cents>\d+)(?<burned> burned)?$/, text);
  const move = moveOf(night, word(account), slot);
  return { account: move.account, slot, move: move.move, cents: integer(cents), burned: burned !== undefined };
}

function moveOf(night: Night, account: string, slot: number): NightMove {
  const move = night.moves.find((candidate) => candidate.account === account && candidate.slot === slot);
  if (!move) throw new Error(`${account} has no move on ${slot}`);
  return move;
}

function aVacantPlace(slot: number): SlotResult {
  return { slot, outcome: 'VACANT', peace_count: 0, war_count: 0, burned_cents: 0, occupants: [], evicted: [] };
}

function anAccount(account: string, reputation: number, since: string, house = false): NightAccount {
  return { account, reputation, since: since.includes('T') ? since : `${since}T00:00:00Z`, house };
}

/** A time of the day on which all deposits of the book were made. */
function onTheDay(time: string): string {
  const [seconds, fraction = ''] = time.split('.');
  return `2026-03-01T${seconds}.${fraction.padEnd(6, '0')}Z`;
}

type Parts = Record<string, string | undefined>;

function takeLines(lines: string[], rules: [pattern: RegExp, take: (parts: Parts) => unknown][]): void {
  for (const line of lines) {
    const rule = rules.find(([pattern]) => pattern.test(line));
    if (!rule) throw new Error(`nothing is written like this: ${line}`);
    const [pattern, take] = rule;
    take(match(pattern, line));
  }
}

function match(pattern: RegExp, text: string): Parts {
  const found = pattern.exec(text);
  if (!found) throw new Error(`nothing is written like this: ${text}`);
  return found.groups ?? {};
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function list(text: string | undefined): string[] {
  return word(text).split(', ');
}

function integer(text: string | undefined): Integer {
  return toInteger(BigInt(word(text)));
}

function word(text: string | undefined): string {
  if (text === undefined) throw new Error('every pattern that has this part has it always');
  return text;
}
