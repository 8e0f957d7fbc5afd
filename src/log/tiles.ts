// Paths of tiles and bundles, and which tiles a tree has. C2SP tlog-tiles; rules 20.4.

/** A tile of hashes, or a bundle of entries; width is 256 of a full one. */
export interface Tile {
  readonly level: number | 'entries';
  readonly tile: number;
  readonly width: number;
}

/** Under the log's own address, such as `tile/0/x001/067` and `tile/entries/273.p/112`. */
export function tilePath({ level, tile, width }: Tile): string {
  const groups = String(tile)
    .padStart(3 * Math.ceil(String(tile).length / 3), '0')
    .match(/.../g) as string[];
  const last = groups.pop();
  return `tile/${level}/${groups.map((group) => `x${group}/`).join('')}${last}${width < 256 ? `.p/${width}` : ''}`;
}

const form = /^tile\/(entries|[0-9]|[1-5][0-9]|6[0-3])\/((?:x[0-9]{3}\/){0,4}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** Null for a path that is not the one path of a tile. */
export function parseTilePath(path: string): Tile | null {
  const [, level, groups, width] = form.exec(path) ?? [];
  if (level === undefined || groups === undefined) return null;
  const found: Tile = {
    level: level === 'entries' ? level : Number(level),
    tile: Number(groups.replaceAll(/[x/]/g, '')),
    width: width === undefined ? 256 : Number(width),
  };
  return tilePath(found) === path ? found : null;
}

/** How many hashes a tile has in a tree of that size, or entries a bundle: 0 if it has none yet. */
export function widthIn(size: number, { level, tile }: Omit<Tile, 'width'>): number {
  const hashes = level === 'entries' ? size : Math.floor(size / 256 ** level);
  return Math.max(0, Math.min(256, hashes - 256 * tile));
}

/** The entries of a bundle: each stands after its length in two bytes. */
export function parseBundle<B extends Uint8Array>(bundle: B): B[] {
  const entries: B[] = [];
  for (let at = 0; at < bundle.length; ) {
    const [high = 0, low] = bundle.subarray(at, at + 2);
    const end = low === undefined ? Number.POSITIVE_INFINITY : at + 2 + 256 * high + low;
    if (end > bundle.length) throw new RangeError('A bundle ends within an entry.');
    entries.push(bundle.subarray(at + 2, end) as B);
    at = end;
  }
  return entries;
}
