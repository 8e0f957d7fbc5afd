// One place and three agents, a picture for each way in which a night can end there. The engine worked them; see
// engine.worked_nights. Rules 4.4.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { dollars, plural } from '../html/words.ts';
import type { PlaceResult } from '../records/index.ts';

interface Agent {
  readonly name: string;
  readonly held: number | null;
  readonly move: 'PEACE' | 'WAR' | null;
  readonly cents: number;
  readonly burned: boolean;
  readonly points: number | null;
  readonly points_per_dollar: number | null;
}

interface WorkedNight {
  readonly outcome: PlaceResult['outcome'];
  readonly agents: readonly Agent[];
}

export interface WorkedNights {
  readonly slot: number;
  readonly reputation: { readonly peace: number; readonly war: number; readonly reputation: number };
  readonly nights: readonly WorkedNight[];
}

const titles: Readonly<Record<WorkedNight['outcome'], string>> = {
  PEACE: 'All come in peace: two share it',
  WAR: 'One goes to war: the others leave',
  BURN: 'Two go to war: both stakes burn',
  VACANT: 'Nobody moves: it stands empty',
};

/** How the night of an outcome went for who held the place: in peace it shares, and where others burn it is alone. */
export const holderIn = ({ nights }: WorkedNights, outcome: WorkedNight['outcome']): Agent | undefined =>
  nights.find((night) => night.outcome === outcome)?.agents.find(({ held }) => held !== null);

/** Who they are, and how it stood. */
export function workedIntroduction(worked: WorkedNights): string {
  const { slot, nights } = worked;
  const holder = holderIn(worked, 'PEACE');
  const others = (nights[0]?.agents ?? []).flatMap(({ name, held }) => (held === null ? [name] : []));
  return `${holder?.name} has held place ${slot} for ${plural(holder?.held ?? 0, 'night')}; ${others.join(' and ')} want it too. Their moves are sealed until the bell, which opens them all at once. Only moves cost: watching is free.`;
}

/** What a night came to for one of them, in words. */
export function fared({ held, move, cents, burned, points }: Agent, outcome: WorkedNight['outcome']): string {
  if (move === null) return held === null ? 'does not move: pays nothing' : 'does not move: leaves, pays nothing';
  if (burned) return `burns ${dollars(cents)}, gets no seat`;
  const paid = `pays ${dollars(cents)}${held !== null && move === 'PEACE' ? ' rent' : ''}`;
  if (points !== null)
    return `${held !== null ? 'stays' : move === 'WAR' ? 'takes it alone' : 'takes the free seat'}, ${paid}, earns ${plural(points, 'point')}`;
  return `${outcome === 'PEACE' ? 'is too late' : held === null ? 'is turned away' : 'loses the seat'}, ${paid}`;
}

const [width, height, ground] = [150, 92, 88];
const [step, top] = [{ from: 14, to: 86 }, 50];
const size = 12;

/** One of them, in the shape of its move: round in peace, pointed at war, hollow if it does not move or is out. */
const figure = ({ name, move }: Agent, n: number, [x, y]: readonly [number, number], out: boolean): Markup =>
  html`<g class="h${n}${out || move === null ? ' out' : ''}" transform="translate(${x} ${y})">${
    move === 'WAR'
      ? html`<path d="M0 ${-size - 2} ${size + 2} 0 0 ${size + 2} ${-size - 2} 0z"/>`
      : html`<circle r="${size}"/>`
  }<text>${name[0]}</text></g>`;

const place = (slot: number, taken: number): Markup =>
  html`<path class="ground" d="M0 ${ground}h${width}"/><rect class="hill" x="${step.from}" y="${top}" width="${step.to - step.from}" height="${ground - top}"/><text class="slot" x="${(step.from + step.to) / 2}" y="${(top + ground) / 2}">${slot}</text>${[0, 1].slice(taken).map((n) => html`<circle class="free" cx="${seatAt(n)}" cy="${top - size - 3}" r="${size - 1}"/>`)}`;

const seatAt = (n: number): number => step.from + 19 + n * 34;
/** Two stand side by side, a third behind them. */
const outAt = (n: number, of: number): readonly [x: number, y: number] =>
  n === 2 ? [width - 29, ground - 36] : [width - 16 - (Math.min(of, 2) - 1 - n) * 27, ground - size - 2];

/** Those on the place and those beside it. */
function scene(slot: number, agents: readonly Agent[], sits: (agent: Agent) => boolean, out: boolean): Markup {
  const [on, off] = [agents.filter(sits), agents.filter((agent) => !sits(agent))];
  return html`${place(slot, on.length)}${agents.map((agent, n) =>
    sits(agent)
      ? figure(agent, n, [seatAt(on.indexOf(agent)), top - size - 3], false)
      : figure(agent, n, outAt(off.indexOf(agent), off.length), out),
  )}`;
}

const night = (
  slot: number,
  { outcome, agents }: WorkedNight,
): Markup => html`<li class="card"><h3><span class="tag ${outcome}">${outcome}</span> ${titles[outcome]}</h3>
<svg viewBox="0 0 ${2 * width + 40} ${height}" aria-hidden="true">${scene(slot, agents, ({ held }) => held !== null, false)}<path class="on" d="M${width + 12} ${ground - 20}h15m-6-6 6 6-6 6"/><g transform="translate(${width + 40})">${scene(slot, agents, ({ points }) => points !== null, true)}</g></svg>
<ul>${agents.map(
  (agent, n) =>
    html`<li><strong class="h${n}">${agent.name}</strong> ${agent.move === null ? '' : html`<span class="tag ${agent.move}">${agent.move}</span> `}${fared(agent, outcome)}</li>\n`,
)}</ul></li>\n`;

export const workedFigure = (worked: WorkedNights): Markup =>
  html`<p>${workedIntroduction(worked)}</p>
<ol class="worked">${worked.nights.map((one) => night(worked.slot, one))}</ol>`;

/** With hueStyle. */
export const workedStyle = `
.worked { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); }
.worked h3 { margin: 0 0 .6rem; font-size: 1rem; display: flex; gap: .5rem; align-items: baseline; }
.worked svg { display: block; width: 100%; max-width: 24rem; }
.worked ul { list-style: none; margin: .6rem 0 0; padding: 0; font-size: .92rem; }
.worked ul li { padding: .15rem 0; text-wrap: pretty; }
.worked strong { color: var(--held); }
.worked .hill { fill: var(--peak); } .worked .ground, .worked .on { fill: none; stroke: var(--line); stroke-width: 2; } .worked .on { stroke: var(--soft); stroke-linecap: round; stroke-linejoin: round; }
.worked .free { fill: none; stroke: var(--soft); stroke-dasharray: 3 3; }
.worked g[class] { fill: var(--held); stroke: var(--held); stroke-width: 1.5; }
.worked g.out { fill: var(--card); }
.worked text { fill: var(--card); stroke: none; font: 700 13px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; }
.worked .out text { fill: var(--held); } .worked .slot { fill: var(--on-hill); font-size: 17px; }
`;
