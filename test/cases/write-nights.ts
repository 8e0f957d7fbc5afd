// The case book for other implementations, a case a line: node test/cases/write-nights.ts > nights.jsonl
import { nightLines } from '../support/naive/case-book.ts';

process.stdout.write(nightLines());
