// No query reads a table of a million rows into the memory of this process: lists come in pages.
import 'postgraphile';
import { type ConnectionStep, constant, type FieldArgs, lambda, list, SafeError } from 'postgraphile/grafast';

const defaultPage = 100;
const largestPage = 1000;

const howMany = `${defaultPage} unless told, at most ${largestPage}`;

export const PagesPlugin: GraphileConfig.Plugin = {
  name: 'PagesPlugin',
  version: '1.0.0',
  after: ['PgFirstLastBeforeAfterArgsPlugin'],
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args(args, _build, { scope }) {
        const { first, last, ...rest } = args;
        if (!scope.isPgFieldConnection || !first) return args;
        // Whole new arguments: what applies them is the field's plan, below, which knows all of them.
        return {
          first: { type: first.type, description: `Only read the first \`n\` values of the set: ${howMany}.` },
          ...(last
            ? {
                last: {
                  type: last.type,
                  description: `Only read the last \`n\` values of the set: at most ${largestPage}.`,
                },
              }
            : {}),
          ...rest,
        };
      },
      GraphQLObjectType_fields_field(field, _build, { scope }) {
        const { plan } = field;
        if (!scope.isPgFieldConnection || !plan) return field;
        return {
          ...field,
          plan(...params) {
            const $connection = plan(...params);
            if ($connection) setPage($connection as ConnectionStep<never, never, never, never>, params[1]);
            return $connection;
          },
        };
      },
    },
  },
};

function setPage($connection: ConnectionStep<never, never, never, never>, args: FieldArgs): void {
  // The rows of a function are read forwards only: it has no such arguments.
  const backwards = args.getRaw('last') !== undefined;
  const $none = constant(null);
  const $asked = list([
    args.getRaw('first'),
    backwards ? args.getRaw('last') : $none,
    backwards ? args.getRaw('before') : $none,
  ]);
  $connection.setFirst(
    lambda($asked, ([first, last, before]) =>
      first == null && last == null && before == null ? defaultPage : within(first),
    ),
  );
  if (!backwards) return;
  $connection.setLast(
    lambda($asked, ([first, last, before]) =>
      first == null && last == null && before != null ? defaultPage : within(last),
    ),
  );
}

function within(n: number | null | undefined): number | null {
  if (n != null && n > largestPage)
    throw new SafeError(`A page has at most ${largestPage} values: read on with "after" or "before".`);
  return n ?? null;
}
