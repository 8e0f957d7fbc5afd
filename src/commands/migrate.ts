// npm run migrate: updates the database to this version, and creates the serving logins that the settings name.

import { keepStaffKey } from '../console/index.ts';
import { warnOfOpenStatistics } from '../db/hardened.ts';
import { keepSettings } from '../db/kept-settings.ts';
import { doors, makeLogins } from '../db/logins.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { checkSettingsAsOwner, openHill } from '../db/open-hill.ts';
import { withOwnerDatabase } from '../db/owner-database.ts';
import type { Config } from '../process/config.ts';
import { makeLog } from '../process/log.ts';
import { signingSecret } from '../process/secret.ts';
import { readTerms } from '../process/terms.ts';
import { checkKeysAsOwner } from './check-keys.ts';

export async function run(config: Config): Promise<number> {
  const log = makeLog(config);
  if (config.env === 'production') signingSecret(config); // if it is missing, stop before anything is changed
  readTerms(config); // likewise a file that cannot be read
  await withOwnerDatabase(config, async (ownerUrl) => {
    await checkSettingsAsOwner(ownerUrl, config);
    await checkKeysAsOwner(config, ownerUrl); // with another secret, processes that run would be refused everything
    await prepareDatabase(ownerUrl);
    await openHill(ownerUrl, config);
    await keepSettings(config, ownerUrl);
    await warnOfOpenStatistics(ownerUrl, log);
    const named = doors.filter((door) => config.loginUrls[door]);
    await makeLogins(ownerUrl, config.loginUrls, named);
    if (config.loginUrls.console)
      log.info(`the key of the staff console is in ${await keepStaffKey(config, ownerUrl)}`);
    log.info(['the database is up to date', ...named.map((door) => `the ${door} login is ready`)].join('; '));
  });
  return 0;
}
