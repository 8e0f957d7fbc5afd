// The shapes of the public records, for the doors that show them and for /openapi.json. Rules 10. The database builds
// the records; nothing is computed here. Each subject has its file in records/; this one gives names and types.
import { z } from 'zod';
import {
  efficiencyEntry,
  efficiencyRecord,
  leaderboardEntry,
  leaderboardRecord,
  wallEntry,
  wallRecord,
} from './boards.ts';
import { act, docs, identity, next, occupant } from './fields.ts';
import { counterEntry, countersRecord, identitiesRecord, identityRecord, recordLine } from './identities.ts';
import { enginesRecord, logRecord } from './log.ts';
import {
  announcement,
  announcementsRecord,
  dayRecord,
  daysRecord,
  decision,
  founders,
  hillRecord,
  message,
  nightFigures,
  nightFile,
  nightPlace,
  placeResult,
  queueEntry,
  revealedMove,
  seated,
  story,
} from './nights.ts';
import { rulesRecord } from './rules.ts';
import { statusRecord } from './status.ts';
import { tournamentBoards, tournamentEntry, tournamentRecord, tournamentsRecord } from './tournaments.ts';

export { efficiencyRecord, leaderboardRecord, wallRecord } from './boards.ts';
export { countersRecord, identitiesRecord, identityRecord } from './identities.ts';
export { type Engines, enginesRecord, type Log, logRecord } from './log.ts';
export {
  announcement,
  announcementsRecord,
  dayRecord,
  daysRecord,
  hillRecord,
  queueEntry,
  revealedMove,
} from './nights.ts';
export { rulesRecord } from './rules.ts';
export { type Status, statusRecord, unavailable } from './status.ts';
export { tournamentRecord, tournamentsRecord } from './tournaments.ts';

/** Schemas with a name of their own in /openapi.json. */
export const named = z.registry<{ id: string }>();
const names = {
  Identity: identity,
  Occupant: occupant,
  Announcement: announcement,
  Message: message,
  PlaceResult: placeResult,
  NightPlace: nightPlace,
  Decision: decision,
  Seated: seated,
  Move: revealedMove,
  QueueEntry: queueEntry,
  Story: story,
  FoundersNights: founders,
  Hill: hillRecord,
  Announcements: announcementsRecord,
  Day: dayRecord,
  NightFigures: nightFigures,
  Days: daysRecord,
  Leaderboard: leaderboardRecord,
  Wall: wallRecord,
  Efficiency: efficiencyRecord,
  Rules: rulesRecord,
  IdentityRecord: identityRecord,
  Identities: identitiesRecord,
  RecordLine: recordLine,
  LeaderboardEntry: leaderboardEntry,
  WallEntry: wallEntry,
  EfficiencyEntry: efficiencyEntry,
  TournamentBoards: tournamentBoards,
  TournamentEntry: tournamentEntry,
  Tournaments: tournamentsRecord,
  Tournament: tournamentRecord,
  CounterEntry: counterEntry,
  Counters: countersRecord,
  Status: statusRecord,
  Log: logRecord,
  Engines: enginesRecord,
  NightFile: nightFile,
  Docs: docs,
  Act: act,
  Next: next,
};
for (const [id, schema] of Object.entries(names)) named.add(schema, { id });

type Links = '_practice' | '_docs' | '_act' | '_next';
/** Records as the database gives them: the door adds the links. */
export type Hill = Omit<z.infer<typeof hillRecord>, Links>;
export type Announcements = Omit<z.infer<typeof announcementsRecord>, Links>;
export type Day = Omit<z.infer<typeof dayRecord>, Links>;
/** The door adds the addresses of archives, too. */
export interface Days {
  readonly days: readonly { readonly archives: readonly { readonly sha256: string }[] }[];
  readonly next_cursor: string | null;
}
export type Leaderboard = Omit<z.infer<typeof leaderboardRecord>, Links>;
export type Wall = Omit<z.infer<typeof wallRecord>, Links>;
export type Efficiency = Omit<z.infer<typeof efficiencyRecord>, Links>;
export type Rules = Omit<z.infer<typeof rulesRecord>, Links | 'randomness'> & {
  randomness: Omit<z.infer<typeof rulesRecord>['randomness'], 'verifiable'>;
};
/** The door adds the page's address, too. */
export type TournamentEntry = Omit<z.infer<typeof tournamentEntry>, 'page'>;
export interface Tournaments {
  readonly day: number;
  readonly tournaments: readonly TournamentEntry[];
}
export interface Tournament {
  readonly day: number;
  readonly tournament: TournamentEntry;
  readonly next_cursor: string | null;
}
export type TournamentBoards = z.infer<typeof tournamentBoards>;
export type IdentityRecord = Omit<z.infer<typeof identityRecord>, Links>;
export type Identity = z.infer<typeof identity>;
export type PlaceResult = z.infer<typeof placeResult>;
export type Story = z.infer<typeof story>;
export type Announcement = z.infer<typeof announcement>;
