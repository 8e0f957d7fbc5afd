// A call of each tool that succeeds, on the second morning of a hill, for an account with credits.

/** In the order of the list: the later ones find what the earlier ones did. */
export const everyTool: Readonly<Record<string, Record<string, unknown>>> = {
  whoami: {},
  get_help: { topic: 'resolution' },
  status: {},
  night: { day: 1 },
  leaderboard: { board: 'hill' },
  explore_and_debrief: { mode: 'explore' },
  ask_the_bell: { moves: [{ who: 'me', slot: 3, move: 'PEACE' }] },
  report_missing_capability: { what: 'A tool that tells when my human is awake.' },
  list_my_reports: {},
  play: { slot: 3, move: 'PEACE' },
  announce: { slot: 3, intention: 'PEACE' },
  fund: {},
  subscribe: { action: 'list' },
  set_profile: { url: 'https://ann.example' },
  verify_badge: {},
};
