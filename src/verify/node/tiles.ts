// The tiles of a tree of entries, made one after the other. C2SP tlog-tiles; RFC 6962, 2.1; rules 20.4.
import { concat } from '../../log/bytes.ts';
import { leafHash, nodeHash } from '../../log/proof.ts';
import type { Tile } from '../../log/tiles.ts';

export class Tiles {
  /** Of each level the hashes of the tile that is not full, the leaves first. */
  readonly #begun: Uint8Array[][] = [[]];
  readonly #numbers: number[] = [0];
  readonly #full: (tile: Tile, bytes: Uint8Array) => void;

  /** `full` is told of each tile when it is full. */
  constructor(full: (tile: Tile, bytes: Uint8Array) => void) {
    this.#full = full;
  }

  add(entry: Uint8Array): void {
    let hash = leafHash(entry);
    for (let level = 0; ; level++) {
      this.#begun[level] ??= [];
      this.#numbers[level] ??= 0;
      const begun = this.#begun[level] as Uint8Array[];
      begun.push(hash);
      if (begun.length < 256) return;
      this.#full({ level, tile: (this.#numbers[level] as number)++, width: 256 }, concat(...begun));
      this.#begun[level] = [];
      hash = rootOf(begun);
    }
  }

  /** Those that are not full, as the tree has them now. */
  *partial(): Generator<[Tile, Uint8Array]> {
    for (const [level, begun] of this.#begun.entries())
      if (begun.length > 0)
        yield [{ level, tile: this.#numbers[level] as number, width: begun.length }, concat(...begun)];
  }
}

/** Of a tile that is full. */
function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1)
    level = level.flatMap((hash, n) => (n % 2 === 0 ? [nodeHash(hash, level[n + 1] as Uint8Array)] : []));
  return level[0] as Uint8Array;
}
