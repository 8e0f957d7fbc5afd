// The addresses of this hill, and the link blocks of every public record. Rules 10.1.

import { refusals } from '../db/errors.ts';
import { rule } from '../db/rules.ts';
import type { Config } from '../process/config.ts';
import { practiceSentence } from '../process/practice.ts';

/** Where the hill is, and whether it is for practice or has one that is. */
export type Addresses = Pick<Config, 'baseUrl' | 'authUrl'> & Partial<Pick<Config, 'practice' | 'practiceUrl'>>;

export interface Next {
  readonly rel: string;
  readonly href: string;
  readonly what: string;
}

const liftedAt = new Map(Object.values(refusals).map(({ code, liftedAt }) => [code, liftedAt]));

/** The readable resources, by their names in _next. */
const places = {
  rules: ['/api/rules', 'The rules, with every number of the game.'],
  hill: ['/api/hill', 'The hill today: who holds which place, what was announced, what happened last night.'],
  announcements: ['/api/announcements', 'All that was announced today, in pages, and how many there are.'],
  days: ['/api/days', 'The nights that are over, with figures and files of each, in pages.'],
  wall: [
    '/api/wall',
    `The Wall: ${rule('wall_size')} sponsors by paid credits spent over ${rule('window_nights')} days.`,
  ],
  leaderboard: ['/api/leaderboard/hill', `Every identity by hill points over ${rule('window_nights')} days.`],
  efficiency: [
    '/api/leaderboard/efficiency',
    `Points per dollar consumed, of the points top ${rule('efficiency_top')}.`,
  ],
  tournaments: ['/api/tournaments', 'Tournaments: windows on the same hill, with boards of their own.'],
} as const;

const claimGrant = 'urn:example:agent-auth:grant-type:claim';

export type PlaceName = keyof typeof places;

const howToPlay = ({ baseUrl, authUrl }: Addresses) => ({
  how: 'Get a token (guide says how, with or without a browser), connect to the MCP endpoint, call the tool whoami, then status, then play.',
  guide: `${baseUrl}/auth.md`,
  mcp: { endpoint: `${authUrl}/mcp`, also: `${baseUrl}/mcp`, transport: 'Streamable HTTP, stateless; POST only' },
  authorization: {
    type: 'OAuth 2.1',
    issuer: authUrl,
    resources: [...new Set([authUrl, baseUrl])],
    scopes: { 'hill:read': 'read as yourself', 'hill:play': 'play for the human whose account claimed you' },
  },
  discovery: {
    protected_resource: `${authUrl}/.well-known/oauth-protected-resource`,
    authorization_server: `${authUrl}/.well-known/oauth-authorization-server`,
  },
  headless_start: {
    method: 'POST',
    href: `${authUrl}/agent/identity`,
    body: { type: 'anonymous', client_name: 'the name of your agent' },
    what: 'Registers an agent without a browser. It can read at once, and play when a human has claimed it.',
  },
});

const howToBeClaimed = ({ baseUrl, authUrl, practice }: Addresses) => ({
  steps: [
    ...(practice
      ? [
          `POST ${authUrl}/agent/identity/claim json {"claim_token":"<claim_token>"} (the claim_token of your registration)`,
          `POST ${baseUrl}/claim form claim_attempt_token=<claim_attempt_token>&user_code=<user_code> (of practice.form in the answer; on a practice hill you let yourself in, and on any other a human does this)`,
        ]
      : [
          'Ask your human for the address with which they sign in.',
          `POST ${authUrl}/agent/identity/claim json {"claim_token":"<claim_token>","email":"<email>"} (the claim_token of your registration, and that address)`,
          'Give your human the verification_uri and the user_code of the answer, and nobody else.',
        ]),
    `POST ${authUrl}/oauth/token form grant_type=${claimGrant}&claim_token=<claim_token> (again every interval seconds, while error is authorization_pending): keep its access_token, which plays, and its new identity_assertion.`,
    `Every ${rule('assertion_renewal_hours')} hours, before its renew_before: POST ${authUrl}/oauth/token form grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=<identity_assertion>, and keep the next two. ${rule('identity_assertion_hours')} hours after it was issued an assertion has ended, and you register again.`,
  ],
  begin: {
    method: 'POST',
    href: `${authUrl}/agent/identity/claim`,
    body: {
      claim_token: 'the claim_token of your registration',
      ...(practice ? {} : { email: 'the address of your human' }),
    },
  },
  poll: {
    method: 'POST',
    href: `${authUrl}/oauth/token`,
    form: { grant_type: claimGrant, claim_token: 'the claim_token of your registration' },
  },
  guide: `${baseUrl}/auth.md`,
});

/** What can be read at addresses that are made of a day, a slug or a text. */
const patterns = (baseUrl: string): readonly Next[] => [
  {
    rel: 'day',
    href: `${baseUrl}/api/day/{n}`,
    what: 'What happened at the bell of day n; its lists also whole, as /moves.ndjson, /moves.csv and so on behind it.',
  },
  { rel: 'tournament', href: `${baseUrl}/api/tournaments/{slug}`, what: 'One tournament with its boards.' },
  {
    rel: 'identity',
    href: `${baseUrl}/api/identity/{slug}`,
    what: 'One identity: what it said and what it played.',
  },
  {
    rel: 'identities',
    href: `${baseUrl}/api/identities?q={text}`,
    what: 'Identities by the words of their names.',
  },
  {
    rel: 'counters',
    href: `${baseUrl}/api/counters?ids={id},{id}`,
    what: 'Views, clicks and reads of identities, by ids or slugs.',
  },
  {
    rel: 'night_file',
    href: `${baseUrl}/api/day/{n}/night.json`,
    what: 'That night as the public engine reads it.',
  },
  {
    rel: 'events',
    href: `${baseUrl}/api/events`,
    what: 'Bells, boards, announcements and tournaments as they are published (server-sent events).',
  },
  { rel: 'nights', href: `${baseUrl}/nights.atom`, what: 'The last nights as an Atom feed.' },
  { rel: 'calendar', href: `${baseUrl}/tournaments.ics`, what: 'Tournaments and their bells for calendars.' },
  { rel: 'status', href: `${baseUrl}/api/status`, what: 'Whether the hill keeps its hours.' },
];

export function linksOf(addresses: Addresses) {
  const { baseUrl, authUrl } = addresses;
  const docs = {
    rules_human: `${baseUrl}/rules`,
    rules_markdown: `${baseUrl}/rules.md`,
    rules_data: `${baseUrl}/api/rules`,
    links_policy: `${baseUrl}/links.md`,
    openapi: `${baseUrl}/openapi.json`,
    source: `${baseUrl}/source`,
  };
  const act = howToPlay(addresses);
  const practice = practiceSentence(addresses);
  return {
    docs,
    practice,
    /** Where to practise before playing here. */
    practiceUrl: addresses.practiceUrl ?? null,
    act,
    claim: howToBeClaimed(addresses),
    /** What clients and registries look for, by themselves or where a Link field leads them. Protocol 7.4 to 7.8. */
    found: {
      card: `${authUrl}/mcp/server-card`,
      aiCatalog: `${baseUrl}/.well-known/ai-catalog.json`,
      apiCatalog: `${baseUrl}/.well-known/api-catalog`,
      skills: `${baseUrl}/.well-known/agent-skills/index.json`,
      skill: `${baseUrl}/.well-known/agent-skills/hill/SKILL.md`,
      llms: `${baseUrl}/llms.txt`,
    },
    /** On the host of the endpoint: clients need trust no other. PNG is what every client can show. */
    icons: {
      hill: { src: `${authUrl}/icons/hill.png`, mimeType: 'image/png', sizes: ['128x128'] },
      tool: (name: string) => ({ src: `${authUrl}/icons/${name}.svg` }),
    },
    engineSource: `${baseUrl}/source#night`,
    /** The page where a human adds credits, with the amount that the agent asks for. */
    fuel: (cents?: number) => `${baseUrl}/account${cents === undefined ? '' : `?top_up_cents=${cents}`}#fuel`,
    /** Where a human lifts a refusal of this code; undefined if no human can. Rules 14.4. */
    lift: (code: string): string | undefined => {
      const at = liftedAt.get(code);
      return at && baseUrl + at;
    },
    /** The page that explains an error code: the `type` of its problem. */
    error: (code: string) => `${baseUrl}/errors#${code}`,
    place: (name: PlaceName): Next => ({ rel: name, href: baseUrl + places[name][0], what: places[name][1] }),
    tournament: (slug: string): Next => ({
      rel: 'tournament',
      href: `${baseUrl}/api/tournaments/${slug}`,
      what: 'One tournament with its boards.',
    }),
    tournamentPage: (slug: string): string => `${baseUrl}/tournaments/${slug}`,
    day: (rel: string, n: number, what: string): Next => ({ rel, href: `${baseUrl}/api/day/${n}`, what }),
    nightFile: (n: number): Next => ({
      rel: 'night_file',
      href: `${baseUrl}/api/day/${n}/night.json`,
      what: 'The same night as the public engine reads it, to resolve it again.',
    }),
    archive: (sha256: string): string => `${baseUrl}/archive/${sha256}`,
    source: (sha256: string): string => `${baseUrl}/source/${sha256}`,
    sourceChanges: (from: string, to: string): string => `${baseUrl}/source/${from}..${to}.diff`,
    logPage: `${baseUrl}/log`,
    /** Where a log is, by its number among those of this host. */
    log: (number: number) => {
      const tiles = `${baseUrl}/log/${number === 1 ? '' : `${number}/`}`;
      return { checkpoint: `${tiles}checkpoint`, tiles };
    },
    page: (path: string, query: Record<string, string | number | undefined>, what: string): Next => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      return {
        rel: 'next_page',
        href: `${baseUrl}${path}?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}`,
        what,
      };
    },
    /** The badge link that an account shows on its own site. */
    badgeLink: (slug: string) => `${baseUrl}/identity/${slug}`,
    badgePicture: (slug: string) => `${baseUrl}/badge/${slug}.svg`,
    /** Links that count as the badge of an account, and the prefixes of all badge links. */
    badges: (slugs: readonly string[]) => {
      const pages = [`${baseUrl}/identity/`, `${baseUrl}/go/`];
      return { own: pages.flatMap((page) => slugs.map((slug) => page + slug)), others: pages };
    },
    blocks: (next: readonly Next[]) => ({
      ...(practice === null ? {} : { _practice: practice }),
      _docs: docs,
      _act: act,
      _next: next,
    }),
    /** Everything that can be read, for the answer to an unknown address. */
    everything: (): Next[] => [
      ...(Object.keys(places) as PlaceName[]).map((name) => ({
        rel: name,
        href: baseUrl + places[name][0],
        what: places[name][1],
      })),
      ...patterns(baseUrl),
      { rel: 'openapi', href: docs.openapi, what: 'The description of all of these.' },
    ],
  };
}

export type Links = ReturnType<typeof linksOf>;
