// test/cases/write-nights.ts · writes nights.jsonl, the case book for other implementations: node test/cases/write-nights.ts
import { writeFileSync } from 'node:fs';
import { nightLinesFile, readCaseBook, toNightLines } from '../support/naive/case-book.ts';

writeFileSync(nightLinesFile, toNightLines(readCaseBook()));
