// process/start-error.ts · a start that failed for a reason the operator can do something about.

/** Its message is shown as it is, without a stack: what is wrong and the way out, one line for each problem. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The text of whatever was thrown; for connection errors Node leaves `message` empty and puts the causes into `errors`. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
