// The picture of the site: ten places over the last nights, a band for each stay, in the colour of who held it.
// Server-made SVG.
import { html, raw } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { dateOf } from '../html/days.ts';
import type { Markup } from '../html/layout.ts';
import { listed, plural } from '../html/words.ts';
import type { Identity, PlaceResult, Story } from '../records/index.ts';
import { called, calledIn } from './identity-link.ts';

type Via = 'holder' | 'peace' | 'war' | 'queue';

interface Place {
  readonly slot: number;
  /** Null for a place that was not open yet. */
  readonly outcome: PlaceResult['outcome'] | null;
  readonly seats: readonly (readonly [accountId: string, via: Via])[];
}

type Holder = Pick<Identity, 'accountId' | 'name' | 'slug' | 'house' | 'namesake'> & {
  readonly seats: number;
  readonly points: number;
};

/** See api_public.ribbon. */
export interface Ribbon {
  readonly day: number;
  readonly window_nights: number;
  /** Of the last of the nights. */
  readonly stories: readonly Story[];
  readonly nights: readonly { readonly day: number; readonly places: readonly Place[] }[];
  readonly holders: readonly Holder[];
}

/**
 * Colours for those with most points, on light and on dark: each 3:1 and more on a card. Red and orange are for war and
 * for burned stakes.
 */
const hues = [
  ['#2e6b45', '#62b581'],
  ['#3a6ea5', '#73a9de'],
  ['#7c57a8', '#b898e4'],
  ['#1f7f86', '#4dbcc0'],
  ['#ad4f7a', '#e58fb5'],
  ['#6f7722', '#b9c25a'],
  ['#86603c', '#cda076'],
  ['#454f73', '#9ba8d6'],
] as const;

const hue = (scheme: 0 | 1) => hues.map((pair, i) => `--h${i}: ${pair[scheme]};`).join(' ');

/** The colours alone. */
export const hueStyle = `
:root { ${hue(0)} --hx: #8a9183; }
@media (prefers-color-scheme: dark) { :root { ${hue(1)} --hx: #757d70; } }
${hues.map((_, i) => `.h${i} { --held: var(--h${i}); }`).join(' ')} .hx { --held: var(--hx); }
`;

export const ribbonStyle = `${hueStyle}
.ribbon .band { display: grid; grid-template: 16.5rem auto / 1.6rem minmax(0, 1fr); }
.ribbon ol.rows { list-style: none; margin: 0; padding: 0; display: grid; grid-template-rows: repeat(10, 1fr); align-items: center; font-size: .8rem; color: var(--soft); font-variant-numeric: tabular-nums; text-align: right; padding-right: .4rem; white-space: nowrap; }
.ribbon .weave { display: block; width: 100%; height: 100%; overflow: visible; }
.weave .lane { fill: color-mix(in oklab, var(--line) 45%, transparent); }
.weave .held { fill: var(--held); stroke: var(--card); stroke-width: 1.5; }
.weave .hx { fill: color-mix(in oklab, var(--hx) 18%, var(--card)); stroke: var(--hx); stroke-width: 1; }
.weave .hh { fill: color-mix(in oklab, var(--house) 22%, var(--card)); stroke: var(--house); stroke-width: 1; }
.weave .mark { stroke: var(--card); stroke-width: 1.2; }
.weave a rect:not(.cell) { fill: transparent; }
.weave a:hover rect:not(.cell) { fill: color-mix(in oklab, var(--ink) 12%, transparent); }
.ribbon .ticks { grid-column: 2; display: flex; justify-content: space-between; padding-top: .3rem; font-size: .8rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.key { list-style: none; margin: .6rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .9rem; }
.swatch { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: .2em; background: var(--held); }
.swatch.hx { background: color-mix(in oklab, var(--hx) 18%, var(--card)); border: 1px solid var(--hx); }
.swatch.hh { background: color-mix(in oklab, var(--house) 22%, var(--card)); border: 1px solid var(--house); }
.ribbon .key details { margin: 0; font-size: inherit; } .ribbon .key summary { padding: 0; }
.key svg { width: .95em; height: .95em; margin-right: .35em; vertical-align: -.12em; }
.sign-war { fill: var(--war); } .sign-burn { fill: var(--burn); }
.ribbon details { margin-top: .6rem; font-size: .92rem; }
.ribbon details ol { list-style: none; margin: .4rem 0 0; padding: 0; }
.ribbon details li { padding: .3rem 0; border-top: 1px solid var(--line); }
.ribbon .band.single { display: block; height: auto; }
.ribbon .band.single .weave { height: 3.4rem; }
.in-peace { --held: var(--peace); } .in-war { --held: var(--war); } .in-queue { --held: var(--burn); }
.weave .cell { fill: var(--held); stroke: var(--card); stroke-width: 1.5; }
.weave text { fill: var(--card); font: 600 13px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; pointer-events: none; }
.lost { fill: none; stroke: var(--soft); stroke-width: 1.5; } .lost.burned { fill: var(--burn); stroke: none; }
@media (max-width: 40rem) {
  .ribbon.card { padding-inline: .7rem; }
  .weave defs path { transform: scale(.62); }
  .weave text { font-size: 9px; }
  .ribbon .band { grid-template-rows: 13rem auto; grid-template-columns: 1.5rem minmax(0, 1fr); }
}
`;

/**
 * The class with the colour of each holder: hues for those with most points, the same from night to night as far as
 * possible.
 */
export function coloursOf({ holders }: Ribbon): ReadonlyMap<string, string> {
  const most = holders.filter(({ house }) => !house).slice(0, hues.length);
  const taken = new Set<number>();
  const own = new Map<string, string>();
  for (const { accountId } of most) {
    let n = Number.parseInt(accountId.slice(-6), 16) % hues.length;
    while (taken.has(n)) n = (n + 1) % hues.length;
    taken.add(n);
    own.set(accountId, `h${n}`);
  }
  return own;
}

/** The colour of an identity, beside its name. */
export const swatch = (colour: string | undefined): Markup | '' =>
  colour === undefined ? '' : html`<span class="swatch ${colour}" aria-hidden="true"></span>`;

const column = 10;
const row = 20;
const margin = 2;
const othersShown = 40;

const diamond = 'M0-6.500 5-0 0 6.500-5 0z';
const disc = 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z';
const sign = (kind: 'war' | 'burn') =>
  raw(
    `<svg class="sign-${kind}" viewBox="-7 -7 14 14" aria-hidden="true"><path d="${kind === 'war' ? diamond : disc}"/></svg>`,
  );

export function ribbonFigure(ribbon: Ribbon, clock: Clock): Markup | '' {
  const { nights, holders, window_nights: length } = ribbon;
  const [first, last] = [nights[0]?.day, nights.at(-1)?.day];
  const most = holders.reduce<Holder | undefined>(
    (best, one) => (best && best.seats >= one.seats ? best : one),
    undefined,
  );
  if (first === undefined || last === undefined || !most) return '';
  const own = coloursOf(ribbon);
  const names = new Map(holders.map((holder) => [holder.accountId, holder]));
  const described = nights.map(({ day, places }) => ({ day, words: inWords(places, names) }));
  const shown = holders.filter(({ accountId }) => own.has(accountId));
  const others = holders.filter(({ accountId, house }) => !own.has(accountId) && !house);
  return html`<figure class="ribbon card">
<div class="band" aria-hidden="true">
<ol class="rows">${Array.from({ length: 10 }, (_, i) => html`<li>${i + 1}</li>`)}</ol>
<svg class="weave" role="presentation" focusable="false"><defs><path id="sign-war" d="${diamond}"/><path id="sign-burn" d="${disc}"/></defs>
<svg viewBox="0 0 ${length * column} ${10 * row}" width="100%" height="100%" preserveAspectRatio="none">${bands(ribbon, own, names)}</svg>
${marks(ribbon)}
${described.map(
  ({ day, words }, i) =>
    html`<a href="/day/${day}" tabindex="-1"><rect x="${percent(i, length)}" width="${percent(1, length)}" height="100%"><title>Day ${day}\n${words.join('\n')}</title></rect></a>`,
)}
</svg>
<div class="ticks"><span>day ${first}, ${dateOf(first, clock)}</span><span>${nights.length < length ? `day ${first + length - 1}` : `day ${last}, last night`}</span></div>
</div>
<figcaption><p class="soft">The ten places after ${nights.length === 1 ? 'the first night' : `each of the last ${nights.length} nights`}: a band for each stay, two where a place is shared. ${called(most)} was there most: ${plural(most.seats, 'seat')}.</p>
<ul class="key">${shown.map(
    (holder) =>
      html`<li>${swatch(own.get(holder.accountId))}<a href="/identity/${holder.slug}">${called(holder)}</a> <span class="soft">${holder.points.toLocaleString('en-US')}</span></li>\n`,
  )}${
    others.length > 0
      ? html`<li><details><summary>${swatch('hx')}${plural(others.length, 'other')}</summary>${others.slice(0, othersShown).map((holder, i) => html`${i > 0 ? ', ' : ''}<a href="/identity/${holder.slug}">${called(holder)}</a>`)}${others.length > othersShown ? ` and ${plural(others.length - othersShown, 'more', 'more')}` : ''}</details></li>\n`
      : ''
  }${
    holders.some(({ house }) => house) ? html`<li>${swatch('hh')}the house</li>\n` : ''
  }<li>${sign('war')}taken by war</li>\n<li>${sign('burn')}stakes burned</li></ul>
<details><summary>The same in words</summary><ol>
${described.toReversed().map(({ day, words }) => html`<li><a href="/day/${day}">Day ${day}</a>: ${words.join('; ')}.</li>\n`)}
</ol></details></figcaption>
</figure>`;
}

const percent = (n: number, of: number) => `${Number(((n / of) * 100).toFixed(3))}%`;

/** Of each place who sat there, and how: "3 Ann by war". */
function inWords(places: readonly Place[], names: ReadonlyMap<string, Holder>): string[] {
  return places.map(({ slot, outcome, seats }) => {
    // isolated, as by <bdi>, which has no place in a title
    const who = listed(
      seats.map(([id]) => {
        const holder = names.get(id);
        return `\u2068${holder ? calledIn(holder) : ''}\u2069`;
      }),
    );
    if (outcome === null) return `${slot} not open yet`;
    return `${slot} ${who || 'nobody'}${outcome === 'WAR' ? ' by war' : outcome === 'BURN' ? ', stakes burned' : ''}`;
  });
}

interface Stay {
  readonly id: string;
  readonly lane: 'whole' | 'upper' | 'lower';
  readonly from: number;
  nights: number;
}

/** One path for each colour, of a box for each stay. Who stays on keeps its half of a shared place. */
function bands({ nights }: Ribbon, own: ReadonlyMap<string, string>, names: ReadonlyMap<string, Holder>): Markup[] {
  const drawn = new Map<string, string>();
  const draw = (slot: number, { id, lane, from, nights }: Stay) => {
    const colour = own.get(id) ?? (names.get(id)?.house ? 'hh' : 'hx');
    const [top, height] =
      lane === 'whole' ? [0, row - 2 * margin] : [lane === 'upper' ? 0 : row / 2 - margin, row / 2 - margin];
    const box = `M${from * column} ${(slot - 1) * row + margin + top}h${nights * column}v${height}h${-nights * column}z`;
    drawn.set(colour, (drawn.get(colour) ?? '') + box);
  };
  let lanes = '';
  for (let slot = 1; slot <= 10; slot++) {
    let stays: Stay[] = [];
    nights.forEach(({ places }, night) => {
      const place = places.find((one) => one.slot === slot);
      const ids = (place?.seats ?? []).map(([id]) => id);
      if (place && place.outcome !== null)
        lanes += `M${night * column} ${(slot - 1) * row + row / 2 - 0.5}h${column}v1h${-column}z`;
      const before = (lane: Stay['lane']) => stays.find((stay) => stay.lane === lane && ids.includes(stay.id))?.id;
      const upper = before('upper') ?? ids.find((id) => id !== before('lower'));
      const now = ids.map((id): Stay => {
        const lane = ids.length === 1 ? 'whole' : id === upper ? 'upper' : 'lower';
        const stay = stays.find((one) => one.id === id && one.lane === lane);
        if (stay) stay.nights += 1;
        return stay ?? { id, lane, from: night, nights: 1 };
      });
      for (const stay of stays) if (!now.includes(stay)) draw(slot, stay);
      stays = now;
    });
    for (const stay of stays) draw(slot, stay);
  }
  return [
    html`<path class="lane" d="${lanes}"/>`,
    ...[...drawn].map(
      ([colour, d]) => html`<path class="held ${colour}" vector-effect="non-scaling-stroke" d="${d}"/>`,
    ),
  ];
}

const marks = ({ nights, window_nights }: Ribbon): Markup[] =>
  nights.flatMap(({ places }, night) =>
    places
      .filter(({ outcome }) => outcome === 'WAR' || outcome === 'BURN')
      .map(({ slot, outcome }) => {
        const kind = outcome === 'WAR' ? 'war' : 'burn';
        return html`<use class="mark sign-${kind}" href="#sign-${kind}" x="${percent(night + 0.5, window_nights)}" y="${percent(slot - 0.5, 10)}"/>`;
      }),
  );

/** A night of one identity: the places it had, and whether it moved for none. */
export interface Stays {
  readonly day: number;
  readonly seats: readonly { readonly slot: number; readonly via: Via }[];
  readonly burned: boolean;
}

const signs: Readonly<Record<Via, string>> = {
  holder: 'in-peace',
  peace: 'in-peace',
  war: 'in-war',
  queue: 'in-queue',
};

/** One row of the picture: the places of one identity, night by night, coloured by how it came to sit there. */
export function ribbonRow(nights: readonly Stays[], from: number, length: number): Markup {
  return html`<div class="band single" aria-hidden="true">
<svg class="weave" role="presentation" focusable="false"><rect class="lane" width="100%" height="100%"/>
${nights.map(({ day, seats, burned }) => {
  const x = day - from;
  return html`<a href="/day/${day}" tabindex="-1"><rect x="${percent(x, length)}" width="${percent(1, length)}" height="100%"><title>Day ${day}: ${
    seats.length > 0
      ? `place ${listed(seats.map(({ slot }) => String(slot)))}`
      : burned
        ? 'its stake burned'
        : 'it moved, and has no seat'
  }</title></rect>${seats.map(
    ({ slot, via }, i) =>
      html`<rect class="cell ${signs[via]}" x="${percent(x, length)}" y="${percent(i, seats.length)}" width="${percent(1, length)}" height="${percent(1, seats.length)}"/><text x="${percent(x + 0.5, length)}" y="${percent(i + 0.5, seats.length)}">${slot}</text>`,
  )}${seats.length > 0 ? '' : html`<circle class="${burned ? 'lost burned' : 'lost'}" cx="${percent(x + 0.5, length)}" cy="50%" r="3.5"/>`}</a>`;
})}
</svg>
<div class="ticks"><span>day ${from}</span><span>day ${from + length - 1}</span></div>
</div>
<ul class="key"><li><span class="swatch in-peace"></span>in peace</li><li><span class="swatch in-war"></span>by war</li><li><span class="swatch in-queue"></span>by the queue</li>
<li><svg viewBox="-7 -7 14 14" aria-hidden="true"><circle class="lost" r="4"/></svg>no seat</li><li><svg viewBox="-7 -7 14 14" aria-hidden="true"><circle class="lost burned" r="4"/></svg>stake burned</li></ul>`;
}
