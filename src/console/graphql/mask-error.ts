// What GraphQL says of an error. Refusals of the hill keep their code, hint and detail. No other message of the
// database leaves this process or reaches its log, because it can repeat anything.
import { isSafeError } from 'postgraphile/grafast';
import { GraphQLError } from 'postgraphile/graphql';
import { Failure, fromDatabase, refusal } from '../../db/errors.ts';
import type { Logger } from '../../process/log.ts';

export const maskError =
  (log: Logger) =>
  (error: GraphQLError): GraphQLError => {
    const { originalError: cause, nodes, source, positions, path } = error;
    // GraphQL's own errors concern the query and its variables, which the caller knows.
    if (!cause || cause instanceof GraphQLError) return error;
    const typed = typedError(cause);
    if (typed instanceof Failure) log.error({ kind: typed.kind, path }, 'a query of the console failed');
    const { message, code, hint, detail } = typed;
    return new GraphQLError(message, {
      ...{ nodes: nodes ?? null, source, positions, path },
      extensions: { code, hint, ...(Object.keys(detail).length > 0 ? { detail } : {}) },
    });
  };

function typedError(cause: Error & { code?: string }) {
  if (isSafeError(cause)) return refusal('INVALID_ARGUMENT', cause.message, 'Correct the query.');
  if (cause.code === '57014')
    return refusal('INVALID_ARGUMENT', 'The query took longer than 5 seconds.', 'Ask for less of it at a time.');
  // Class 22, data exception: a value that its type does not accept.
  if (cause.code?.startsWith('22'))
    return refusal('INVALID_ARGUMENT', 'A value is not one that its type takes.', 'Correct the value.');
  return fromDatabase(cause);
}
