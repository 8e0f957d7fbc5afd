// Every case of the book against the naive engine, whose agreement is worth something only if it knows the rules
// itself.
import { expect, test } from 'vitest';
import type { Night } from '../support/hill/night.ts';
import { readCaseBook } from '../support/naive/case-book.ts';
import { whyMalformed } from '../support/naive/malformed-night.ts';
import { resolveNaively } from '../support/naive/naive-engine.ts';

test.each(readCaseBook())('$number $title', ({ night, result }) => {
  if (result === null) expect(whyMalformed(night)).not.toBeNull();
  else expect(resolveNaively(night as Night)).toEqual(result);
});
