// Filters where staff look for something: by a time, by cents, by a text. What is sealed has no rows for staff, so no
// filter finds it; what a filter costs is bounded by the time of a statement.
import 'postgraphile';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';

/** Tables of hill. What functions return is asked for by their arguments. */
const filtered: ReadonlySet<string> = new Set([
  'accounts',
  'agents',
  'announcements',
  'audit_log',
  'code_attempts',
  'credit_orders',
  'moves',
  'payment_claims',
  'payment_events',
  'top_ups',
  'tournament_codes',
  'transfers',
]);

const isFiltered = ({ extensions }: { readonly extensions?: object | undefined }): boolean => {
  const { schemaName, name } = (extensions as { pg?: { schemaName?: string; name?: string } } | undefined)?.pg ?? {};
  return schemaName === 'hill' && name !== undefined && filtered.has(name);
};

const FiltersPlugin: GraphileConfig.Plugin = {
  name: 'FiltersPlugin',
  version: '1.0.0',
  schema: {
    entityBehavior: {
      // Also columns without an index: a page of these tables is found in time, or the statement ends. Conditions stay
      // as they are.
      pgCodecAttribute: {
        inferred: {
          after: ['postInferred'],
          provides: ['filters'],
          callback: (behavior, [codec, name]) => {
            const { codec: type, extensions } = codec.attributes[name] ?? {};
            return isFiltered(codec) && extensions?.isIndexed === false && !type?.isBinary
              ? [behavior, 'attribute:filterBy', '-condition:attribute:filterBy']
              : behavior;
          },
        },
      },
    },
    hooks: {
      GraphQLObjectType_fields_field_args: {
        after: ['PgConnectionArgFilterPlugin'],
        callback(args, _build, { scope: { isPgFieldConnection, pgFieldResource: resource } }) {
          const { filter, ...others } = args;
          return isPgFieldConnection && filter && !(resource && isFiltered(resource.codec)) ? others : args;
        },
      },
    },
  },
};

export const filtersPreset: GraphileConfig.Preset = {
  extends: [PostGraphileConnectionFilterPreset],
  plugins: [FiltersPlugin],
  disablePlugins: [
    // and, or, not; rows of other tables; functions: each could make one statement cost as much as many
    'PgConnectionArgFilterBackwardRelationsPlugin',
    'PgConnectionArgFilterComputedAttributesPlugin',
    'PgConnectionArgFilterCompositeTypeAttributesPlugin',
    'PgConnectionArgFilterForwardRelationsPlugin',
    'PgConnectionArgFilterLogicalOperatorsPlugin',
    'PgConnectionArgFilterRecordFunctionsPlugin',
  ] as (keyof GraphileConfig.Plugins)[],
  schema: {
    connectionFilterAllowedFieldTypes: ['BigInt', 'Datetime', 'Int', 'String'],
    connectionFilterAllowedOperators: [
      'isNull',
      'equalTo',
      'lessThan',
      'lessThanOrEqualTo',
      'greaterThan',
      'greaterThanOrEqualTo',
      'includesInsensitive',
      'startsWithInsensitive',
      'startsWith',
    ],
    // as with other arguments, null is left out
    connectionFilterAllowNullInput: true,
    connectionFilterAllowEmptyObjectInput: true,
    connectionFilterArrays: false,
    connectionFilterSetofFunctions: false,
  },
};
