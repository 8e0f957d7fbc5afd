// The doors of agents and humans, which take longer to load than all else that is served. Decisions 424.
import type Koa from 'koa';
import type pg from 'pg';
import type { Counters } from '../http/counters.ts';
import { humansDoor } from '../humans/index.ts';
import { McpDoor } from '../mcp/index.ts';
import { authorization } from '../oauth/authorize.ts';
import { oauthDoor } from '../oauth/index.ts';
import type { KeyRing } from '../oauth/keys.ts';
import { authorizationServer } from '../oauth/server.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';

export interface Doors {
  readonly keys: KeyRing;
  readonly playInterface: McpDoor;
  readonly oauth: Koa.Middleware;
  readonly humans: Koa.Middleware;
}

export function openDoors(config: Config, pool: pg.Pool, counters: Counters, log: Logger, metrics: Metrics): Doors {
  const server = authorizationServer(config, pool, log);
  const { keys, signer, resources } = server;
  return {
    keys,
    playInterface: new McpDoor({
      ...{ config, db: pool, counters, log, metrics },
      signatures: {
        read: (token) => signer.readAccessToken(token, resources),
        isPublished: (kid) => keys.isPublished(kid),
      },
    }),
    oauth: oauthDoor(server),
    humans: humansDoor(config, pool, log, authorization(server), metrics),
  };
}
