// Every address of the public API, with its arguments. Rules 10.2.
import { boardsResources } from './boards.ts';
import { hillResources } from './hill.ts';
import { identitiesResources } from './identities.ts';
import { logResources } from './log.ts';
import { nightsResources } from './nights.ts';
import type { Resource } from './resource.ts';
import { statusResources } from './status.ts';
import { tournamentsResources } from './tournaments.ts';

export { identityMoves } from './identities.ts';
export { archive, nightFile, nightList } from './nights.ts';
export { operationId, type Resource, tags } from './resource.ts';

/** In the order of /openapi.json. */
export const resources: readonly Resource[] = [
  ...hillResources,
  ...nightsResources,
  ...logResources,
  ...boardsResources,
  ...tournamentsResources,
  ...identitiesResources,
  ...statusResources,
];
