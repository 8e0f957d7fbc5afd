// A tree that is built of its entries alone: no hash that a hill tells is needed. RFC 6962, 2.1.
import { sha256 } from '../log/bytes.ts';
import { leafHash, nodeHash } from '../log/proof.ts';

export class Tree {
  size = 0;
  /** Roots of full trees, the largest first, as the bits of the size have them. */
  readonly #full: Uint8Array[] = [];

  add(entry: Uint8Array): void {
    let hash = leafHash(entry);
    for (let n = this.size; n % 2 === 1; n = Math.floor(n / 2)) hash = nodeHash(this.#full.pop() as Uint8Array, hash);
    this.#full.push(hash);
    this.size += 1;
  }

  root(): Uint8Array {
    return (
      this.#full.reduceRight<Uint8Array | null>((right, left) => (right ? nodeHash(left, right) : left), null) ??
      sha256()
    );
  }
}
