// An error at the start that the operator can correct.

/** Its message is printed without a stack: what is wrong and what to do, one line per problem. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The text of anything thrown. For connection errors Node leaves `message` empty and puts the causes into `errors`. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
