// A run as one HTML file that is readable alone: no script, no other file.
import fs from 'node:fs';
import { html, raw } from 'hono/html';
import { style } from '../html/style.ts';
import { dollars, listed } from '../html/words.ts';
import type { Gathered, Mean, Standing } from './gather.ts';
import type { Asked } from './options.ts';
import { counts, hues, largest, lines, means, meetings, places, type Series } from './plots.ts';
import type { Played } from './run.ts';
import { figure } from './summary.ts';
import { meetingsOf, mixOf } from './tournament.ts';

type Html = ReturnType<typeof html>;

export async function writeReport(file: string, asked: Asked, played: Played) {
  fs.writeFileSync(file, String(await pageOf(asked, played)));
}

const own = `
${style}
main > section { margin-top: 2rem; }
.key { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; padding: 0; margin: 0 0 .5rem; font-size: .9rem; }
.key i { display: inline-block; width: .8em; height: .8em; border-radius: .15em; margin-right: .4em; }
.plot .values text { fill: var(--ink); }
.scroll { overflow-x: auto; }
.figured td:first-child { min-width: 15rem; }
.figured .number { padding-left: .8rem; font-size: .92rem; }
`;

/** A page that is readable alone. */
export const page = (title: string, introduction: string, content: unknown) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(own)}</style></head><body>
<header><div><h1>${title}</h1><p class="soft">${introduction}</p></div></header>
<main>${content as Html}</main></body></html>`;

function pageOf(asked: Asked, played: Played) {
  const all = [...played.gathering.byLabel.values()];
  const [first] = all as [Gathered];
  return page(
    asked.tournament ? 'A tournament of strategies' : 'Strategies in the laboratory',
    introduction(asked, played),
    html`
${asked.tournament ? tournament(asked, played) : ''}
${asked.sweep ? sweep(asked, all) : ''}
${world(asked, first, played.players)}
<section><h2>How it was made</h2><p>${raw(made(asked))}</p></section>`,
  );
}

const introduction = ({ accounts, nights, seeds, dailyCapCents, maxStakeCents }: Asked, { plans }: Played): string =>
  `Each world is a hill of its own: ${accounts} accounts play ${nights} nights on its ten places, by the functions of a real hill. Each may spend ${dollars(dailyCapCents)} a day and stake ${dollars(maxStakeCents)} on one WAR. ${plans.length === 1 ? '' : `${plans.length} kinds of worlds, `}${seeds} ${seeds === 1 ? 'world' : 'worlds'}${plans.length === 1 ? '' : ' of each'}${seeds === 1 ? '.' : ', which differ in their dice alone. Whiskers hold the true mean in 19 of 20 cases.'}`;

const made = (asked: Asked): string =>
  `The same command makes the same tables, with any number of workers: <code>npm run lab -- ${escaped(commandOf(asked))}</code>. In each world the ledger, the settlements and the reputations were added up anew at the end, and nothing was wrong. What the model leaves out is in docs/laboratory.md.`;

const escaped = (text: string): string => String(html`${text}`);

/** The options that matter to the figures. */
const commandOf = (asked: Asked): string =>
  [
    asked.tournament ? `--tournament ${asked.tournament}` : '',
    asked.strategies ? `--strategies ${asked.strategies.join(',')}` : '',
    `--accounts ${asked.accounts} --nights ${asked.nights} --seeds ${asked.seeds}`,
    `--daily-cap ${asked.dailyCapCents} --max-stake ${asked.maxStakeCents}`,
    asked.evolve > 0 ? `--evolve ${asked.evolve}` : '',
    asked.evolve > 0 || asked.tournament ? `--point ${asked.pointCents}` : '',
    ...Object.entries(asked.set).map(([name, value]) => `--set ${name}=${value}`),
    asked.sweep
      ? `--sweep ${asked.sweep.name}=${asked.sweep.values[0]}..${asked.sweep.values.at(-1)}:${step(asked)}`
      : '',
  ]
    .filter((part) => part !== '')
    .join(' ');

const step = ({ sweep }: Asked): number => (sweep?.values[1] ?? 1) - (sweep?.values[0] ?? 0);

export const section = (heading: string, text: string, ...drawn: unknown[]) =>
  html`<section><h2>${heading}</h2><p class="lead">${text}</p><figure>${drawn as Html[]}</figure></section>`;

export const key = (series: readonly Series[]) =>
  html`<ul class="key">${series.map(({ name, hue }) => html`<li><i style="background:${hue}"></i>${name}</li>`)}</ul>`;

const barsOf = (standings: readonly Standing[], of: (standing: Standing) => Mean) =>
  [...standings].map((standing) => ({ name: standing.name, of: of(standing) })).sort((a, b) => b.of.mean - a.of.mean);

function world(asked: Asked, gathered: Gathered, players: Played['players']) {
  const standings = gathered.standings();
  const points = barsOf(standings, (s) => s.points);
  const cents = barsOf(standings, (s) => s.cents);
  const perDollar = barsOf(standings, (s) => s.perDollar);
  const label = gathered.label === '' ? '' : ` (${gathered.label})`;
  return html`
${section(`${points[0]?.name} earns most points${label}`, 'Points of an account in a night. Place 1 gives 10 points to whoever sits there, place 10 one; two who share a place halve them.', means('Points of an account in a night, by strategy', 'Points a night', points))}
${section(`${cents[0]?.name} spends most`, 'Cents that an account was charged in a night: rent of PEACE and stakes of WAR.', means('Cents of an account in a night, by strategy', 'Cents a night', cents))}
${section(`${perDollar[0]?.name} gets most for a dollar`, 'Points for each dollar that was consumed: what the efficiency board ranks.', means('Points for each dollar, by strategy', 'Points per dollar', perDollar))}
${shares(asked, gathered)}
${section('What places come to', `In each place, the share of nights: only PEACE, one WAR that takes it, two or more WAR that burn, or nobody. ${dollars(Math.round(gathered.places.reduce((sum, place) => sum + place.burned_cents, 0) / gathered.seeds))} burned in a world.`, outcomeKey(), places('Outcomes of each place in percent of nights', gathered))}
${section(
  'Rent by the days held',
  'How many dollars of rent an average world paid at each number of bells held. Rent begins at $3.00 and grows by 15 % a bell.',
  counts(
    'Rent paid in a world by days held',
    'Bells held before',
    'Dollars',
    gathered.rents.map(({ cents: paid }) => paid / 100 / gathered.seeds),
  ),
)}
${section(
  'How long stays last',
  'A stay goes on while an account keeps its seat from bell to bell.',
  counts(
    'Stays by their length in nights',
    'Nights',
    'Stays in a world',
    gathered.stays.map((count) => (count ?? 0) / gathered.seeds),
    1,
  ),
)}
${section(
  'The queue',
  'Of a hundred nights of an account: PEACE that found no seat on its place and joined the queue. The table says how many of them got a seat of a burned place from it.',
  means(
    'Moves in the queue by strategy',
    'Queued in 100 nights',
    barsOf(standings, (s) => hundred(s.queued)).filter(({ of }) => of.mean > 0),
  ),
)}
${everything(standings, players)}`;
}

const hundred = ({ mean, within }: Mean): Mean => ({ mean: 100 * mean, within: within === null ? null : 100 * within });

const outcomeKey = () =>
  html`<ul class="key">${['PEACE', 'WAR', 'BURN', 'VACANT'].map((outcome) => html`<li><i style="background:var(--${outcome.toLowerCase()})"></i>${outcome}</li>`)}</ul>`;

function shares({ evolve }: Asked, gathered: Gathered) {
  const of = evolve > 0 ? 'accounts' : 'points';
  const series = largest([...gathered.nightly.values()], of, evolve > 0 ? 1 : 30);
  const [most] = series;
  return section(
    evolve > 0
      ? `${most?.name} is played by ${(most?.values.at(-1) ?? 0).toFixed(0)} % of the accounts in the end`
      : `${most?.name} has ${(most?.values.at(-1) ?? 0).toFixed(0)} % of all points in the end`,
    evolve > 0
      ? `Every ${evolve} nights each account looks at another one, and takes over its strategy if that paid more.`
      : 'Shares of all points, of the thirty nights up to each, as the board counts them.',
    key(series),
    lines('Shares of strategies over the nights', 'Night', evolve > 0 ? '% of accounts' : '% of points', series),
  );
}

const everything = (standings: readonly Standing[], players: Played['players']) => html`
<section><h2>All figures</h2><div class="scroll"><table class="figured"><thead><tr><th>Strategy, and what it does</th>
${['Points a night', 'Cents a night', 'Points per $', 'Seated %', 'WAR %', 'Evicted %', 'Queued %', 'Served %'].map((name) => html`<th class="number">${name}</th>`)}</tr></thead><tbody>
${standings.map((s) => html`<tr><td><strong>${s.name}</strong><br><span class="soft">${players.find(({ name }) => name === s.name)?.way ?? ''}</span></td>${[figure(3)(s.points), figure(0)(s.cents), figure(2)(s.perDollar), ...[s.seated, s.wars, s.evicted, s.queued, s.served].map(figure(0, 100))].map((cell) => html`<td class="number">${cell}</td>`)}</tr>`)}
</tbody></table></div><p class="after soft">Of an account each night. A strategy that plays two places may count twice in a night.</p></section>`;

function tournament({ pointCents }: Asked, { gathering, players }: Played) {
  const names = players.map(({ name }) => name);
  const all = meetingsOf(gathering, names);
  const steps = mixOf(names, all, pointCents);
  const shown = steps.map((share) => ({ ...share, accounts: share.accounts.filter((_, n) => n % 15 === 0) }));
  const mix = largest(shown, 'accounts', 1);
  const lasting = mix.filter(({ values }) => (values.at(-1) ?? 0) >= 1);
  return html`
${section('Each against each', 'Half of the accounts play the one, half the other. A field is what an account that plays the strategy on the left earns in a night where the one above is the other half: points; the greener the more.', meetings('Points of each strategy against each', names, all))}
${section(`What would last: ${listed(lasting.map(({ name, values }) => `${name} ${(values.at(-1) ?? 0).toFixed(0)} %`))}`, `If strategies that do better than the mean grow (replicator dynamics), a point is worth ${pointCents} cents, and all begin with the same share. By the worlds of two strategies above.`, key(mix), lines('Shares of strategies in the replicator dynamics', 'Step', '% of accounts', mix))}`;
}

function sweep({ sweep: swept }: Asked, all: readonly Gathered[]) {
  const values = swept?.values ?? [];
  const name = swept?.name ?? '';
  const series = (of: (standing: Standing) => Mean): Series[] => {
    const names = (all[0] as Gathered).standings().map((standing) => standing.name);
    return names.slice(0, hues.length).map((name, n) => {
      const found = all.map((gathered) => of(gathered.standings().find((s) => s.name === name) as Standing));
      return {
        ...{ name, hue: hues[n] as string },
        ...{ values: found.map(({ mean }) => mean), within: found.map(({ within }) => within) },
      };
    });
  };
  const burns = all.map(
    ({ places: of, seeds }) => of.reduce((sum, { burned_cents }) => sum + burned_cents, 0) / 100 / seeds,
  );
  const points = series((s) => s.points);
  return html`
${section(`Points by ${name}`, `Points of an account in a night, where the constant ${name} of the rules is another number: the first ${points.length} strategies.`, key(points), lines(`Points by ${name}`, name, 'Points a night', points, values))}
${section(
  `Cents by ${name}`,
  'Cents of an account in a night.',
  key(points),
  lines(
    `Cents by ${name}`,
    name,
    'Cents a night',
    series((s) => s.cents),
    values,
  ),
)}
${section(`Burned by ${name}`, 'Dollars that burn in a world.', lines(`Dollars burned by ${name}`, name, 'Dollars', [{ name: 'burned', hue: 'var(--burn)', values: burns }], values))}`;
}
