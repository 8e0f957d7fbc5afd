// console/graphql/staff-tables.ts · restricts the schema to the tables that hill_staff may read.
//
// PostGraphile leaves out what its role has no right to, behaviour by behaviour. This removes it from what PostGraphile sees in the first place,
// including the names of sealed tables, and the partitions, of which every bell makes more.
import 'postgraphile';
import { entityPermissions, type Introspection, type PgClass } from 'postgraphile/graphile-build-pg/pg-introspection';

export const StaffTablesPlugin: GraphileConfig.Plugin = {
  name: 'StaffTablesPlugin',
  version: '1.0.0',
  before: ['smart-tags', 'PgFakeConstraintsPlugin'],
  gather: {
    hooks: {
      pgIntrospection_introspection(_info, { introspection }) {
        keep(introspection.classes, (table) => mayRead(introspection, table));
        const kept = new Set(introspection.classes.map((table) => table._id));
        keep(introspection.attributes, (column) => kept.has(column.attrelid));
        keep(introspection.constraints, (constraint) => constraint.conrelid === '0' || kept.has(constraint.conrelid));
        for (const table of introspection.classes) keep(table.getForeignConstraints(), (constraint) => kept.has(constraint.conrelid));
      },
    },
  },
};

function mayRead(introspection: Introspection, table: PgClass): boolean {
  if (table.getNamespace()?.nspname !== 'hill') return true;
  const staff = introspection.getCurrentUser();
  return !table.relispartition && staff !== undefined && entityPermissions(introspection, table, staff, true).select === true;
}

/** In place, because PostGraphile keeps references to these arrays. */
function keep<T>(list: T[], wanted: (item: T) => boolean): void {
  list.splice(0, list.length, ...list.filter(wanted));
}
