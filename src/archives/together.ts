// One reading for several readers, in step: nothing is read twice, and nothing waits in memory for the slowest.

/**
 * Gives each part to all readers before the next one is read. So all have to read at the same time. When one stops
 * before the end, or the source fails, all fail.
 */
export function together<T>(source: AsyncIterable<T>, readers: number): AsyncGenerator<T>[] {
  const parts = source[Symbol.asyncIterator]();
  let waiting: PromiseWithResolvers<IteratorResult<T>>[] = [];
  let stopped: Error | undefined;
  const stop = (why: Error) => {
    stopped ??= why;
    parts.return?.().catch(() => {}); // whose error this is has been thrown
    for (const { reject } of waiting.splice(0)) reject(stopped);
  };
  const next = (): Promise<IteratorResult<T>> => {
    const turn = Promise.withResolvers<IteratorResult<T>>();
    waiting.push(turn);
    if (stopped) stop(stopped);
    else if (waiting.length === readers) {
      const all = waiting;
      waiting = [];
      parts.next().then(
        (part) => {
          for (const { resolve } of all) resolve(part);
        },
        (error) => {
          waiting.push(...all);
          stop(error);
        },
      );
    }
    return turn.promise;
  };
  return Array.from({ length: readers }, async function* () {
    let done = false;
    try {
      for (;;) {
        const part = await next();
        if (part.done) break;
        yield part.value;
      }
      done = true;
    } finally {
      if (!done) stop(new Error('Another reader has stopped.'));
    }
  });
}
