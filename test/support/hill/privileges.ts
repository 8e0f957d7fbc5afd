// Who may do what, as a page for people: every role, every object, every verb; and which rows the policies leave.
import { doors } from '../../../src/db/logins.ts';
import type { Hill } from './hill.ts';

/**
 * The roles of the hill, in the order in which a reader meets them; logins by their door, for their names carry the
 * database's.
 */
const order = [
  'PUBLIC',
  'web login',
  'worker login',
  'console login',
  'hill_public',
  'hill_agent',
  'hill_human',
  'hill_staff',
  'hill_worker',
  'hill_oauth',
  'hill_dba',
  'hill_api',
  'hill_api_public',
  'hill_api_agent',
  'hill_api_human',
  'hill_api_staff',
  'hill_api_worker',
  'hill_api_oauth',
  'hill_owner',
  'hill_queue',
];

/**
 * What a role may do by itself and by what it inherits: as has_…_privilege sees it. PUBLIC is 0, and asked of the lists
 * themselves.
 */
let roles: string;

function askedOf(hill: Hill): string {
  const logins = doors.map((door) => `('${new URL(hill.url(door)).username}', '${door} login')`);
  return `
    select r.oid, r.rolname::text as name, coalesce(l.shown, r.rolname) as shown, r.rolcanlogin, r.rolinherit, r.rolbypassrls, r.rolsuper
      from pg_roles r left join (values ${logins.join(', ')}) l (login, shown) on l.login = r.rolname
     where l.login is not null or r.rolname like 'hill\\_%'`;
}

const bySchema = (schemas: readonly string[]) =>
  `n.nspname = any (array[${schemas.map((schema) => `'${schema}'`).join(', ')}])`;

export async function privilegesPage(hill: Hill): Promise<string> {
  roles = askedOf(hill);
  return [
    '# Who may do what',
    '',
    'Every role of the hill, every object, every verb, as PostgreSQL itself answers it; then the rows that row-level security leaves of each table. A test',
    'holds this page equal to the database: a change of rights shows as a change of this page, and is reviewed with it. To write it anew:',
    '`npx vitest run test/rls/privileges.test.ts -u`.',
    '',
    ...(await rolesPart(hill)),
    ...(await schemasPart(hill)),
    ...(await tablesPart(hill)),
    ...(await sequencesPart(hill)),
    ...(await functionsPart(hill)),
  ].join('\n');
}

const place = (role: string) => (order.includes(role) ? order.indexOf(role) : order.length);
const inOrder = <T extends { role: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => place(a.role) - place(b.role) || (a.role < b.role ? -1 : 1));

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
  '',
];

async function rolesPart(hill: Hill): Promise<string[]> {
  const rows = await hill.rows<{ role: string; login: boolean; rights: string; groups: string | null }>(`
    select r.shown as role, r.rolcanlogin as login, concat_ws(', ', case when r.rolsuper then 'superuser' end, case when r.rolbypassrls then 'bypasses row-level security' end) as rights,
           (select string_agg(g.rolname || case when m.inherit_option and m.set_option then ' (inherits, may become)' when m.inherit_option then ' (inherits)'
                                                when m.set_option then ' (may become)' else ' (administers)' end, ', ' order by g.rolname)
              from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid) as groups
      from (${roles}) r`);
  return [
    '## Roles',
    '',
    ...table(
      ['role', 'logs in', 'powers', 'member of'],
      inOrder(rows).map(({ role, login, rights, groups }) => [role, login ? 'yes' : '', rights, groups ?? '']),
    ),
  ];
}

async function schemasPart(hill: Hill): Promise<string[]> {
  const rows = await hill.rows<{ role: string; usage: string | null; create: string | null }>(`
    select r.shown as role, string_agg(n.nspname, ', ' order by n.nspname) filter (where has_schema_privilege(r.oid, n.oid, 'usage')) as usage,
           string_agg(n.nspname, ', ' order by n.nspname) filter (where has_schema_privilege(r.oid, n.oid, 'create')) as create
      from (${roles} union all select 0, 'public', 'PUBLIC', false, true, false, false) r (oid, name, shown)
     cross join pg_namespace n
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and (r.oid <> 0 or exists (select from aclexplode(n.nspacl) a where a.grantee = 0))
     group by 1`);
  return [
    '## Schemas',
    '',
    ...table(
      ['role', 'may look into', 'may make things in'],
      inOrder(rows)
        .filter(({ usage, create }) => usage || create)
        .map(({ role, usage, create }) => [role, usage ?? '', create ?? '']),
    ),
  ];
}

async function tablesPart(hill: Hill): Promise<string[]> {
  const rights = await hill.rows<{
    table: string;
    role: string;
    select: string | null;
    insert: string | null;
    update: string | null;
    rest: string | null;
  }>(`
    select c.oid::regclass::text as table, r.shown as role,
           ${(['select', 'insert', 'update'] as const)
             .map(
               (verb) => `case when has_table_privilege(r.oid, c.oid, '${verb}') then 'all'
                               else (select string_agg(k.attname, ', ' order by k.attnum) from pg_attribute k
                                      where k.attrelid = c.oid and k.attnum > 0 and not k.attisdropped and has_column_privilege(r.oid, c.oid, k.attnum, '${verb}')) end as ${verb}`,
             )
             .join(',\n')},
           concat_ws(', ', case when has_table_privilege(r.oid, c.oid, 'delete') then 'delete' end, case when has_table_privilege(r.oid, c.oid, 'truncate') then 'truncate' end,
                           case when has_any_column_privilege(r.oid, c.oid, 'references') then 'references' end,
                           case when has_table_privilege(r.oid, c.oid, 'trigger') then 'trigger' end, case when has_table_privilege(r.oid, c.oid, 'maintain') then 'maintain' end) as rest
      from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join (${roles}) r
     where c.relkind in ('r', 'p') and not c.relispartition and ${bySchema(['hill', 'oauth'])}
     order by 1`);
  const policies = await hill.rows<{
    table: string;
    role: string;
    name: string;
    verb: string;
    roles: string;
    using: string | null;
    check: string | null;
  }>(`
    select p.polrelid::regclass::text as table, '' as role, p.polname as name,
           case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end as verb,
           (select string_agg(r::regrole::text, ', ' order by r::regrole::text) from unnest(p.polroles) r) as roles,
           pg_get_expr(p.polqual, p.polrelid) as using, pg_get_expr(p.polwithcheck, p.polrelid) as check
      from pg_policy p order by 1, 3`);
  const part: string[] = [
    '## Tables',
    '',
    'A cell names the columns, or says all. The bell’s partitions carry no right but their owner’s.',
    '',
  ];
  for (const name of new Set(rights.map(({ table }) => table))) {
    part.push(`### ${name}`, '');
    part.push(
      ...table(
        ['role', 'select', 'insert', 'update', 'other'],
        inOrder(rights.filter((right) => right.table === name))
          .filter(({ select, insert, update, rest }) => select || insert || update || rest)
          .map(({ role, select, insert, update, rest }) => [
            role,
            select ?? '',
            insert ?? '',
            update ?? '',
            rest ?? '',
          ]),
      ),
    );
    const own = policies.filter((policy) => policy.table === name);
    part.push(
      ...(own.length === 0
        ? ['No policy: no row for anybody.', '']
        : table(
            ['policy', 'for', 'to', 'rows', 'new rows'],
            own.map(({ name, verb, roles, using, check }) => [name, verb, roles, using ?? '', check ?? '']),
          )),
    );
  }
  return part;
}

async function sequencesPart(hill: Hill): Promise<string[]> {
  const rows = await hill.rows<{ sequence: string; role: string; rights: string }>(`
    select c.oid::regclass::text as sequence, r.shown as role,
           concat_ws(', ', case when has_sequence_privilege(r.oid, c.oid, 'usage') then 'usage' end, case when has_sequence_privilege(r.oid, c.oid, 'select') then 'select' end,
                           case when has_sequence_privilege(r.oid, c.oid, 'update') then 'update' end) as rights
      from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join (${roles}) r
     where c.relkind = 'S' and ${bySchema(['hill', 'oauth'])} order by 1, 2`);
  return [
    '## Sequences',
    '',
    ...table(
      ['sequence', 'role', 'may'],
      rows.filter(({ rights }) => rights).map(({ sequence, role, rights }) => [sequence, role, rights]),
    ),
  ];
}

async function functionsPart(hill: Hill): Promise<string[]> {
  const rows = await hill.rows<{ schema: string; function: string; rights: string; callers: string[] }>(`
    select n.nspname as schema, p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as function,
           case when p.prosecdef then p.proowner::regrole::text else 'its caller' end as rights,
           array(select x.shown::text from (select r.shown, r.oid from (${roles}) r union all select 'PUBLIC', 0) x
                  where case x.oid when 0 then exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)
                                   else has_function_privilege(x.oid, p.oid, 'execute') end) as callers
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where ${bySchema(['engine', 'trusted', 'api_public', 'api_agent', 'api_human', 'api_staff', 'api_worker', 'api_oauth'])}
     order by n.nspname = 'engine', n.nspname, p.proname, 2`);
  const groups: [string, readonly string[]][] = [
    ['all API owners', order.filter((role) => /^hill_api(_|$)/.test(role))],
  ];
  const part: string[] = [
    '## Functions',
    '',
    'As whom each runs, and who may call it. The owner of a function may always call it, and is not named.',
    '',
  ];
  for (const schema of new Set(rows.map((row) => row.schema))) {
    part.push(`### ${schema}`, '');
    const cells = rows
      .filter((row) => row.schema === schema)
      .map(({ function: signature, rights, callers }) => {
        const owner = schema === 'engine' || schema === 'trusted' ? 'hill_owner' : `hill_${schema}`;
        let named = inOrder(callers.filter((role) => role !== owner).map((role) => ({ role }))).map(({ role }) => role);
        for (const [group, members] of groups)
          if (members.every((member) => member === owner || named.includes(member)))
            named = [group, ...named.filter((role) => !members.includes(role))];
        return [`\`${signature}\``, rights, named.join(', ')] as const;
      });
    part.push(...table(['function', 'runs as', 'may be called by'], schema === 'engine' ? withOthers(cells) : cells));
  }
  return part;
}

/** Of a schema that is granted as a whole: the functions of other rights, and all others in one row. */
function withOthers(cells: readonly (readonly [string, string, string])[]): (readonly string[])[] {
  const rightsOf = ([, runsAs, callers]: readonly [string, string, string]) => `${runsAs} | ${callers}`;
  const times = Map.groupBy(cells, rightsOf);
  const [most] = [...times.values()].sort((a, b) => b.length - a.length)[0] as [readonly [string, string, string]];
  return [...cells.filter((cell) => rightsOf(cell) !== rightsOf(most)), ['every other function', most[1], most[2]]];
}
