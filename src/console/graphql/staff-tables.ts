// Restricts the schema to the tables and columns that hill_staff may read.
//
// PostGraphile leaves out what its role has no right to, behaviour by behaviour. This removes it from what PostGraphile
// sees in the first place, including the names of sealed tables, and the partitions, of which every bell makes more.
import 'postgraphile';
import {
  entityPermissions,
  type Introspection,
  type PgAttribute,
  type PgClass,
} from 'postgraphile/graphile-build-pg/pg-introspection';

export const StaffTablesPlugin: GraphileConfig.Plugin = {
  name: 'StaffTablesPlugin',
  version: '1.0.0',
  before: ['smart-tags', 'PgFakeConstraintsPlugin'],
  gather: {
    hooks: {
      pgIntrospection_introspection(_info, { introspection }) {
        const whole = idsOf(introspection.classes.filter((table) => isWhole(introspection, table)));
        keep(introspection.attributes, (column) => whole.has(column.attrelid) || isGranted(introspection, column));
        const part = new Set(introspection.attributes.map(({ attrelid }) => attrelid));
        keep(introspection.classes, ({ _id }) => whole.has(_id) || part.has(_id));
        const kept = idsOf(introspection.classes);
        keep(introspection.constraints, (constraint) => constraint.conrelid === '0' || kept.has(constraint.conrelid));
        for (const table of introspection.classes)
          keep(table.getForeignConstraints(), (constraint) => kept.has(constraint.conrelid));
      },
    },
  },
};

const idsOf = (tables: readonly PgClass[]) => new Set(tables.map(({ _id }) => _id));

const isWhole = (introspection: Introspection, table: PgClass): boolean =>
  table.getNamespace()?.nspname !== 'hill' || (!table.relispartition && isGranted(introspection, table));

function isGranted(introspection: Introspection, entity: PgClass | PgAttribute): boolean {
  const staff = introspection.getCurrentUser();
  return staff !== undefined && entityPermissions(introspection, entity, staff, true).select === true;
}

/** In place, because PostGraphile keeps references to these arrays. */
function keep<T>(list: T[], wanted: (item: T) => boolean): void {
  list.splice(0, list.length, ...list.filter(wanted));
}
