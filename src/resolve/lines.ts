// Splits a stream into numbered lines as they arrive. Node's readline would also split at U+2028 inside a string.

export interface Line {
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Null if its bytes are not UTF-8. */
  readonly text: string | null;
}

const newline = 0x0a;

/**
 * Yields lines as soon as a piece of input completes them, without the blank ones: whoever writes to the pipe may wait
 * for a result.
 */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let number = 0;
  let begun: Buffer[] = []; // a line of many pieces is joined once, at its end
  const take = (lines: Line[]) => {
    number += 1;
    const text = decode(Buffer.concat(begun), number === 1);
    begun = [];
    if (text === null || !/^[ \t\r]*$/.test(text)) lines.push({ number, text });
  };
  for await (const piece of input) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      begun.push(piece.subarray(start, end));
      take(lines);
      start = end + 1;
    }
    begun.push(piece.subarray(start));
    if (lines.length > 0) yield lines;
  }
  const lines: Line[] = [];
  take(lines);
  if (lines.length > 0) yield lines;
}

// A byte order mark is allowed at the head of the file only.
const head = new TextDecoder('utf-8', { fatal: true });
const further = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer, first: boolean): string | null {
  try {
    return (first ? head : further).decode(bytes);
  } catch {
    return null;
  }
}
