// The configuration of PostGraphile: staff read everything that hill_staff may read, and write through api_staff.
import type pg from 'pg';
import { makePgService } from 'postgraphile/adaptors/pg';
import { getOperationAST } from 'postgraphile/graphql';
import 'postgraphile/grafserv/koa/v3';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import type { Logger } from '../../process/log.ts';
import { staffOf } from '../staff.ts';
import { CentsPlugin } from './cents.ts';
import { DescriptionsPlugin } from './descriptions.ts';
import { filtersPreset } from './filters.ts';
import { LookingPlugin, leavesTrace } from './looking.ts';
import { maskError } from './mask-error.ts';
import { NamesPlugin } from './names.ts';
import { PagesPlugin } from './pages.ts';
import { StaffTablesPlugin } from './staff-tables.ts';
import { TagsPlugin } from './tags.ts';

export const graphqlPath = '/graphql';
/** Of one statement of staff. */
const statementMs = 5_000;

export function staffPreset(pool: pg.Pool, log: Logger): GraphileConfig.Preset {
  return {
    extends: [PostGraphileAmberPreset, filtersPreset],
    plugins: [StaffTablesPlugin, NamesPlugin, TagsPlugin, PagesPlugin, LookingPlugin, CentsPlugin, DescriptionsPlugin],
    disablePlugins: [
      'SwallowErrorsPlugin', // half a schema must not be served
      // Staff write through api_staff alone. What protects the tables is that staff have no right on them; this keeps
      // the schema short.
      ...[
        'PgMutationCreatePlugin',
        'PgMutationUpdateDeletePlugin',
        'PgMutationPayloadEdgePlugin',
        'SubscriptionPlugin',
      ],
      // Rows have keys of their own; global node ids would only add a second name.
      ...[
        'NodePlugin',
        'AddNodeInterfaceToSuitableTypesPlugin',
        'NodeAccessorPlugin',
        'RegisterQueryNodePlugin',
        'PgTableNodePlugin',
      ],
      ...['PgNodeIdAttributesPlugin', 'NodeIdCodecBase64JSONPlugin', 'NodeIdCodecPipeStringPlugin', 'QueryQueryPlugin'],
    ] as (keyof GraphileConfig.Plugins)[],
    pgServices: [
      makePgService({
        pool,
        schemas: ['hill', 'api_staff'],
        pgSettingsForIntrospection: { role: 'hill_staff' },
        pubsub: false,
      }),
    ],
    // An argument without a default is required.
    gather: { pgStrictFunctions: true },
    grafserv: {
      graphqlPath,
      graphiql: false, // Hill has a page of its own for it
      graphiqlOnGraphQLGET: false,
      allowedRequestContentTypes: ['application/json'],
      websockets: false,
      maskError: maskError(log),
    },
    grafast: {
      explain: false,
      // Of a whole request, which may be many statements.
      timeouts: { planning: 2_000, execution: 2 * statementMs },
      context(request, args) {
        const ctx = request.koav3?.ctx;
        const staff = staffOf(ctx);
        const operation = args && getOperationAST(args.document, args.operationName)?.operation;
        if (ctx && operation === 'mutation') ctx.state.mutation = true;
        const writes = operation === 'mutation' || (args !== undefined && leavesTrace(args.document));
        return {
          pgSettings: {
            role: 'hill_staff',
            'hill.staff_session': staff.session,
            statement_timeout: `${statementMs}`,
            ...(writes ? {} : { transaction_read_only: 'on' }),
          },
        };
      },
    },
  };
}
