// A tree that is built of its entries alone: no hash that a hill tells is needed. RFC 6962, 2.1.
import { createHash } from 'node:crypto';
import { leafHash, nodeHash } from '../log/proof.ts';

export class Tree {
  size = 0;
  /** Roots of full trees, the largest first, as the bits of the size have them. */
  readonly #full: Buffer[] = [];

  add(entry: Buffer): void {
    let hash = leafHash(entry);
    for (let n = this.size; n % 2 === 1; n = Math.floor(n / 2)) hash = nodeHash(this.#full.pop() as Buffer, hash);
    this.#full.push(hash);
    this.size += 1;
  }

  root(): Buffer {
    return (
      this.#full.reduceRight<Buffer | null>((right, left) => (right ? nodeHash(left, right) : left), null) ??
      createHash('sha256').digest()
    );
  }
}
