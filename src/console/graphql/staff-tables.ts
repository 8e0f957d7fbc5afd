// console/graphql/staff-tables.ts · the schema is made of the tables that hill_staff may read, and knows of no other.
//
// PostGraphile leaves out what its role has no right to, behaviour by behaviour. This takes it out of what PostGraphile gets to see in the first
// place, sealed tables by their very names included, and with it the partitions, of which every bell makes more.
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

/** In place: PostGraphile holds on to these very arrays. */
function keep<T>(list: T[], wanted: (item: T) => boolean): void {
  list.splice(0, list.length, ...list.filter(wanted));
}
