// The database URL that a process of its own needs.

import { type Door, settingOf } from '../db/logins.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

export function loginUrl(config: Config, door: Door): string {
  const url = config.loginUrls[door];
  if (url) return url;
  throw new StartError(
    `${settingOf(door)} must be set: the URL of this process's own login. "npm run migrate" with the same setting creates it. (npm start runs everything in one process and needs none.)`,
  );
}
