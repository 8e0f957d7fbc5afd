// The time zone of a test's database, for suites that are run again in another one than the server's.
import { afterAll } from 'vitest';

let zone: string | undefined;

/** Every hill of the test file that calls it is in a database of that time zone. */
export const inTimeZone = (name: string): void => {
  zone = name;
  afterAll(() => {
    zone = undefined; // the worker goes on with other files
  });
};

export const timeZone = (): string | undefined => zone;
