// test/support/hill/zone.ts · the time zone of a test's database, for suites that are run again in another one than the server's.
let zone: string | undefined;

/** Every hill that a test file uses from here on is in a database of that time zone. To be called before the hill is. */
export const inTimeZone = (name: string): void => {
  zone = name;
};

export const timeZone = (): string | undefined => zone;
