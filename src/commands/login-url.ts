// commands/login-url.ts · the login that one part of several processes must be given.

import { type Door, settingOf } from '../db/logins.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

export function loginUrl(config: Config, door: Door): string {
  const url = config.loginUrls[door];
  if (url) return url;
  throw new StartError(
    `${settingOf(door)} must be set: the URL of this part's own login, which "npm run migrate" makes if it has the same setting. (npm start runs all parts in one process.)`,
  );
}
