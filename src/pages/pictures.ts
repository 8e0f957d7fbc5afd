// Gives the identities of a record the addresses of their icons, which contain the hashes of what is served there.
// Rules 11.3.

/** The file of an icon. It never shows anything else. */
export const iconFile = (hash: string): string => `/icon/${hash}.png`;

export interface Pictured {
  /** The address of its icon, if it has one. */
  readonly picture?: string;
}

type Shown = Record<string, unknown> & { accountId: string; picture?: string };

/** All objects in a record that show an identity with an icon. */
function* withIcon(value: unknown): Generator<Shown> {
  if (typeof value !== 'object' || value === null) return;
  const shown = value as Record<string, unknown>;
  if (shown.icon === true && typeof shown.accountId === 'string') yield shown as Shown;
  for (const part of Object.values(shown)) yield* withIcon(part);
}

/** `hashesOf` gives the hash of each account's icon; it is not asked if nobody in the record has one. */
export async function addPictures(
  record: unknown,
  hashesOf: (ids: readonly string[]) => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const shown = [...withIcon(record)];
  if (shown.length === 0) return;
  const hashes = await hashesOf([...new Set(shown.map(({ accountId }) => accountId))]);
  for (const identity of shown) {
    const hash = hashes[identity.accountId];
    if (hash) identity.picture = iconFile(hash);
  }
}
