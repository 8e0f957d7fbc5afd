// All that a GraphQL schema can show, found by asking the schema itself: what is added to it later is looked at as
// well.
import {
  buildClientSchema,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'postgraphile/graphql';
import type { StaffConsole } from './console.ts';

export async function schemaOf(console: StaffConsole, cookie: string): Promise<GraphQLSchema> {
  return buildClientSchema(await console.data<IntrospectionQuery>(cookie, getIntrospectionQuery()));
}

/**
 * Answers by query. Each list of the schema, with all fields of its rows and of the rows that these lead to, in one
 * order or in each.
 */
export async function everything(
  console: StaffConsole,
  cookie: string,
  queries: readonly string[],
): Promise<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (const query of queries) {
    const answer = await console.graphql(cookie, query);
    if (answer.errors) throw new Error(`${query}\n${JSON.stringify(answer.errors, null, 2)}`);
    shown[query] = answer;
  }
  return shown;
}

/** The queries for `everything`; with the arguments of functions that do not answer without, by name. */
export function queriesOf(
  schema: GraphQLSchema,
  orders: 'one order' | 'each order',
  given: Readonly<Record<string, string>> = {},
): string[] {
  const root = schema.getQueryType() as GraphQLObjectType;
  return Object.values(root.getFields()).flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) {
      const args = given[field.name]?.slice(2);
      return [`{ ${field.name}${args ? `(${args})` : ''} }`];
    }
    if (!isConnection(field)) return []; // one row by its key: the lists have them all
    const node = fieldsOf(rowOf(field), 2);
    const inEachOrder = ordersOf(field);
    // A function is called once for all that it answers.
    if (!inEachOrder) return [`{ ${field.name}(first: 1000${given[field.name] ?? ''}) { nodes { ${node} } } }`];
    return inEachOrder
      .slice(0, orders === 'one order' ? 1 : undefined)
      .map(
        (order) =>
          `{ ${field.name}(first: 1000, orderBy: [${order}]) { totalCount pageInfo { startCursor endCursor hasNextPage } edges { cursor node { ${node} } } } }`,
      );
  });
}

const connection = /Connection$/;
const isConnection = (field: GraphQLField<unknown, unknown>) => connection.test(getNamedType(field.type).name);
const rowOf = (field: GraphQLField<unknown, unknown>): GraphQLObjectType => {
  const nodes = (getNamedType(field.type) as GraphQLObjectType).getFields().nodes;
  if (!nodes) throw new Error(`${field.name} has no nodes`);
  return getNamedType(nodes.type) as GraphQLObjectType;
};

/** The orders of a table's rows. Those of a function have the one that it gives them. */
function ordersOf(field: GraphQLField<unknown, unknown>): string[] | undefined {
  const orderBy = field.args.find(({ name }) => name === 'orderBy');
  if (!orderBy) return undefined;
  let { type } = orderBy;
  while (isNonNullType(type) || isListType(type)) type = type.ofType;
  if (!isEnumType(type)) throw new Error(`the order of ${field.name} is no enum`);
  return (type as GraphQLEnumType).getValues().map(({ name }) => name);
}

/** All fields of a type, with those of the rows that it leads to, so many steps deep. */
function fieldsOf(type: GraphQLObjectType, steps: number): string {
  return Object.values(type.getFields())
    .map((field) => {
      const named = getNamedType(field.type);
      if (isLeafType(named)) return field.name;
      if (!isObjectType(named)) throw new Error(`what is ${type.name}.${field.name}?`);
      if (steps === 1) return '';
      return isConnection(field)
        ? `${field.name}(first: 1000) { totalCount nodes { ${fieldsOf(rowOf(field), steps - 1)} } }`
        : `${field.name} { ${fieldsOf(named, steps - 1)} }`;
    })
    .join(' ');
}
