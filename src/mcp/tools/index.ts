// Every tool, in the order of protocol 9.4. A new one is one file or folder beside this one, and one line here.
import type { Tool } from '../tool.ts';
import { announce } from './announce.ts';
import { askTheBell } from './ask-the-bell.ts';
import { exploreAndDebrief } from './explore-and-debrief/index.ts';
import { fund } from './fund.ts';
import { getHelp } from './get-help.ts';
import { leaderboard } from './leaderboard.ts';
import { listMyReports } from './list-my-reports.ts';
import { night } from './night.ts';
import { play } from './play.ts';
import { reportMissingCapability } from './report-missing-capability.ts';
import { setProfile } from './set-profile.ts';
import { status } from './status.ts';
import { subscribe } from './subscribe/index.ts';
import { verifyBadge } from './verify-badge.ts';
import { whoami } from './whoami.ts';

// biome-ignore lint/suspicious/noExplicitAny: each has types of its own; its schemas check arguments and results
const all: readonly Tool<any, any>[] = [
  // With scope hill:read
  whoami,
  getHelp,
  status,
  night,
  leaderboard,
  exploreAndDebrief,
  askTheBell,
  reportMissingCapability,
  listMyReports,
  // With scope hill:play
  play,
  announce,
  fund,
  subscribe,
  setProfile,
  verifyBadge,
];

export const tools = all as readonly Tool[];
