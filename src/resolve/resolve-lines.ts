// Passes lines of JSON to the engine and back as text: JavaScript never parses a number of a night.
import type pg from 'pg';
import type { Line } from './lines.ts';

export interface Resolved {
  /** One line for each input line. */
  readonly text: string;
  /** How many of them are refusals. */
  readonly refused: number;
}

interface Answer {
  readonly result: string | null;
  readonly code: string;
  readonly message: string;
}

/**
 * Yields results in order, each as soon as it is ready: whoever writes the nights may wait for one result before
 * sending the next night. As many batches are in progress as the engine has connections, and no more are read
 * meanwhile.
 */
export async function* resolveLines(engine: pg.Pool, batches: AsyncGenerator<Line[]>): AsyncGenerator<Resolved> {
  const atWork: Promise<Resolved>[] = [];
  let reading: Promise<IteratorResult<Line[], void>> | null = batches.next();
  try {
    for (;;) {
      const [first] = atWork;
      const next: Promise<IteratorResult<Line[], void>> | null = atWork.length < engine.options.max ? reading : null;
      if (!first && !next) return;
      const event = await Promise.race(
        [first?.then((resolved) => ({ resolved })), next?.then((read) => ({ read }))].filter(
          (one) => one !== undefined,
        ),
      );
      if ('resolved' in event) {
        atWork.shift();
        yield event.resolved;
      } else if (event.read.done) {
        reading = null;
      } else {
        const resolved = resolveBatch(engine, event.read.value);
        resolved.catch(() => {}); // thrown when its turn comes
        atWork.push(resolved);
        reading = batches.next();
      }
    }
  } finally {
    reading?.catch(() => {}); // nobody waits for it any more
  }
}

async function resolveBatch(engine: pg.Pool, lines: Line[]): Promise<Resolved> {
  const readable = lines.filter(({ text }) => text !== null);
  // Lines contain no newline, so they are sent as one text, unchanged.
  const { rows } = await engine.query<Answer>({
    name: 'resolve lines',
    text: `select r.result, r.code, r.message
             from string_to_table($1, chr(10)) with ordinality l (line, place) cross join lateral engine.resolve_line(l.line) r
            order by l.place`,
    values: [readable.map(({ text }) => text).join('\n')],
  });
  let refused = 0;
  let next = 0;
  const texts = lines.map(({ number, text }) => {
    const answer = text === null ? notUtf8 : (rows[next++] as Answer);
    if (answer.result !== null) return `${answer.result}\n`;
    refused += 1;
    return `${JSON.stringify({ error: { line: number, code: answer.code, message: answer.message } })}\n`;
  });
  return { text: texts.join(''), refused };
}

const notUtf8: Answer = { result: null, code: 'INVALID_JSON', message: 'the line is not UTF-8' };
