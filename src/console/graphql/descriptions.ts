// Every field, argument and value says what it is, from the comments of the database: what has none of its own has that
// of the column of the same name, or a line "- name: …" in the comment of its function or type.
import 'postgraphile';
import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'postgraphile/graphql';

type Described = { description?: string | null | undefined };
type Told = (name: string) => string | null | undefined;

export const DescriptionsPlugin: GraphileConfig.Plugin = {
  name: 'DescriptionsPlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      finalize(schema) {
        describe(schema);
        return schema;
      },
    },
  },
};

/** A line of a list in a comment, by the name of an argument or of a value. */
const lineOf =
  (comment: string | null | undefined): Told =>
  (name) => {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const line = comment?.split('\n').find((one) => one.startsWith(`- ${snake}: `) || one.startsWith(`- ${name}: `));
    return line && capital(line.slice(line.indexOf(': ') + 2));
  };
const columnOf =
  (type: GraphQLNamedType | undefined): Told =>
  (name) =>
    isObjectType(type) ? type.getFields()[name]?.description : undefined;

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function fill(one: Described, name: string, ...ways: readonly Told[]): void {
  for (const way of ways) one.description ||= way(name);
}

function describe(schema: GraphQLSchema): void {
  const columnsLast: [GraphQLObjectType, Told][] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (isEnumType(type)) {
      const row = schema.getType(type.name.replace(/OrderBy$/, ''));
      for (const value of type.getValues()) fill(value, value.name, lineOf(type.description), orderOf(row));
    } else if (isInputObjectType(type)) {
      const row = schema.getType(type.name.replace(/(Condition|Filter)$/, ''));
      for (const field of Object.values(type.getFields())) fill(field, field.name, columnOf(row));
    } else if (isObjectType(type)) columnsLast.push([type, lineOf(type.description)]);
  }
  for (const [type] of columnsLast)
    for (const field of Object.values(type.getFields())) {
      const row = rowOf(getNamedType(field.type));
      // what a mutation gives back is described by its type
      if (type.name.endsWith('Payload')) fill(field, field.name, () => row.description);
      const about = [lineOf(field.description), columnOf(row)];
      for (const arg of field.args) fill(arg, arg.name, ...about);
      if (type === schema.getMutationType()) describeInput(schema, field.args, row, about);
    }
}

/** The rows of a connection, or what is given back itself. */
function rowOf(type: GraphQLNamedType): GraphQLNamedType {
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined;
  return nodes ? getNamedType(nodes.type) : type;
}

function describeInput(
  schema: GraphQLSchema,
  args: readonly GraphQLArgument[],
  payload: GraphQLNamedType,
  about: Told[],
) {
  const [input] = args.map(({ type }) => getNamedType(type)) as [GraphQLInputObjectType];
  const changed = Object.values((payload as GraphQLObjectType).getFields()).map(({ type }) => getNamedType(type));
  // a reason is what the audit log has
  for (const field of Object.values(input.getFields()))
    fill(field, field.name, ...about, ...changed.map(columnOf), columnOf(schema.getType('AuditEntry')));
}

/** CREATED_AT_DESC is by the column, and the column says what it is. */
const orderOf =
  (row: GraphQLNamedType | undefined): Told =>
  (name) => {
    const [, by = '', way] = /^(.+)_(ASC|DESC)$/.exec(name) ?? [];
    if (name === 'NATURAL') return 'In the order in which they are read.';
    const order = way === 'ASC' ? 'ascending' : 'descending';
    if (by === 'PRIMARY_KEY') return `By what tells one from another, ${order}.`;
    const column = by.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return by && `By \`${column}\`, ${order}. ${columnOf(row)(column) ?? ''}`.trimEnd();
  };
