// records/index.ts · the shapes of the public records, for the doors that show them and for /openapi.json. Rules 10.
// The database builds the records; nothing is computed here. Each subject has its file in records/; this one gives names and types.
import { z } from 'zod';
import { efficiencyEntry, efficiencyRecord, leaderboardEntry, leaderboardRecord, wallEntry, wallRecord } from './boards.ts';
import { act, docs, identity, next, occupant } from './fields.ts';
import { counterEntry, countersRecord, identitiesRecord, identityRecord, recordLine } from './identities.ts';
import { logRecord } from './log.ts';
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
} from './nights.ts';
import { rulesRecord } from './rules.ts';
import { statusRecord } from './status.ts';
import { tournamentBoards, tournamentEntry, tournamentRecord, tournamentsRecord } from './tournaments.ts';

export { efficiencyRecord, leaderboardRecord, wallRecord } from './boards.ts';
export { countersRecord, identitiesRecord, identityRecord } from './identities.ts';
export { type Log, logRecord } from './log.ts';
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
named.add(identity, { id: 'Identity' });
named.add(occupant, { id: 'Occupant' });
named.add(announcement, { id: 'Announcement' });
named.add(message, { id: 'Message' });
named.add(placeResult, { id: 'PlaceResult' });
named.add(nightPlace, { id: 'NightPlace' });
named.add(decision, { id: 'Decision' });
named.add(seated, { id: 'Seated' });
named.add(revealedMove, { id: 'Move' });
named.add(queueEntry, { id: 'QueueEntry' });
named.add(founders, { id: 'FoundersNights' });
named.add(hillRecord, { id: 'Hill' });
named.add(announcementsRecord, { id: 'Announcements' });
named.add(dayRecord, { id: 'Day' });
named.add(nightFigures, { id: 'NightFigures' });
named.add(daysRecord, { id: 'Days' });
named.add(leaderboardRecord, { id: 'Leaderboard' });
named.add(wallRecord, { id: 'Wall' });
named.add(efficiencyRecord, { id: 'Efficiency' });
named.add(rulesRecord, { id: 'Rules' });
named.add(identityRecord, { id: 'IdentityRecord' });
named.add(identitiesRecord, { id: 'Identities' });
named.add(recordLine, { id: 'RecordLine' });
named.add(leaderboardEntry, { id: 'LeaderboardEntry' });
named.add(wallEntry, { id: 'WallEntry' });
named.add(efficiencyEntry, { id: 'EfficiencyEntry' });
named.add(tournamentBoards, { id: 'TournamentBoards' });
named.add(tournamentEntry, { id: 'TournamentEntry' });
named.add(tournamentsRecord, { id: 'Tournaments' });
named.add(tournamentRecord, { id: 'Tournament' });
named.add(counterEntry, { id: 'CounterEntry' });
named.add(countersRecord, { id: 'Counters' });
named.add(statusRecord, { id: 'Status' });
named.add(logRecord, { id: 'Log' });
named.add(nightFile, { id: 'NightFile' });
named.add(docs, { id: 'Docs' });
named.add(act, { id: 'Act' });
named.add(next, { id: 'Next' });

type Links = '_docs' | '_act' | '_next';
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
export type Announcement = z.infer<typeof announcement>;
