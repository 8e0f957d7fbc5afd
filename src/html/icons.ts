// The icons of the hill and of its tools, drawn here: no outside assets. Protocol 7.7.
import { peak } from './style.ts';

const outline = 'M1 29 13 7q3-5 6 0l12 22z';

/** The hill, as browsers show it beside the title of a page. */
export const hillIcon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='${peak}' d='${outline}'/></svg>`;

/** What is drawn on a tile, in lines on a square of 32. */
const strokes = {
  whoami: 'M16 7a4.5 4.5 0 1 0 .1 0zM7 26q1-9 9-9t9 9',
  get_help: 'M11 12q0-5 5-5t5 5q0 3-3 4.500t-2 4M16 25v.5',
  status: 'M7 26V18M13 26V8M19 26V13M25 26V21',
  night: 'M23 20A9.5 9.5 0 1 1 13 7a7.5 7.5 0 0 0 10 13z',
  leaderboard: 'M5 26h22M5 26v-7h7v7M12 26V9h8v17M20 26V15h7v11',
  explore_and_debrief: 'M14 6a7.5 7.5 0 1 0 .1 0zM19.5 19.5 26 26',
  ask_the_bell: 'M8 22q3-3 3-8a5 5 0 0 1 10 0q0 5 3 8zM14 25.500q2 2 4 0',
  report_missing_capability: 'M6 8h20v13H15l-5 5v-5H6zM16 11v4M16 18v.5',
  list_my_reports: 'M7 9h.5M7 16h.5M7 23h.5M12 9h13M12 16h13M12 23h13',
  play: 'M9 27V6M9 7h15l-4 5 4 5H9',
  announce: 'M6 13v6h4l10 6V7l-10 6zM24 13q2 3 0 6',
  fund: 'M16 6a10 10 0 1 0 .1 0zM19.5 12.500q-1-2-3.5-2t-3.5 2.5 3.5 3 3.5 3-3.5 2.5-3.5-2M16 8.500v2M16 21.500v2',
  subscribe: 'M8 25v.5M8 17q7.5 0 7.5 7.500M8 9.500q15 0 15 15',
  set_profile: 'M7 25l1-5L21 7l4 4L12 24zM18 10l4 4',
  verify_badge: 'M16 5l9 3v8q0 7-9 11-9-4-9-11V8zM12 16l3 3 5-6',
} as const;

/** On a tile of its own colour, a picture is seen in light and in dark. */
const tile = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${peak}"/>${inside}</svg>`;

/** Tiles, by the name of a tool; `hill` is the hill itself. */
export const icons: Readonly<Record<string, string>> = {
  hill: tile(`<path fill="#fff" transform="translate(4.8 4) scale(.7)" d="${outline}"/>`),
  ...Object.fromEntries(
    Object.entries(strokes).map(([name, d]) => [
      name,
      tile(
        `<path d="${d}" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>`,
      ),
    ]),
  ),
};
