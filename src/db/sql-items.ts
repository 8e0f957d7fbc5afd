// What sql/ defines, item by item: each function, policy, trigger and type, and the privileges of each table, with a
// hash of its statements. PostgreSQL's own parser tells which item a statement defines.
import { createHash } from 'node:crypto';
import v8 from 'node:v8';
import { StartError } from '../process/start-error.ts';
import { type Segment, shown } from './sql-folder.ts';

type Parse = typeof import('libpg-query').parseSync;
let loaded: Promise<Parse> | undefined;

/** Most processes find what they need kept, and never load it. */
async function loadParser(): Promise<Parse> {
  // The parser is WebAssembly. At its first few statements V8 would begin to optimise its largest functions, which
  // takes half a second of a core in every process that loads it; all of sql/ is parsed as fast without.
  v8.setFlagsFromString('--wasm-tiering-budget=1000000000');
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return parseSync;
}

async function parseSegments(segments: readonly Segment[]): Promise<Parsed[]> {
  loaded ??= loadParser();
  const parse = await loaded;
  return segments.flatMap((segment) => parseSegment(segment, parse));
}

export interface Statement {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The role that executes it, and owns what it creates; null for the login that loads. */
  readonly role: string | null;
  /** What it creates or changes: a grant may name several functions. */
  readonly items: readonly Item[];
}

type Kind = 'schema' | 'type' | 'function' | 'trigger' | 'policy' | 'privileges' | 'statement';

export interface Item {
  /** Such as "function engine.play", "policy own_read on hill.moves", "privileges of hill.moves". */
  readonly id: string;
  readonly kind: Kind;
  readonly name: string;
  /** The table, where there is one. */
  readonly on?: string | undefined;
  /** Whether it calls functions, which may need any table. */
  readonly calls?: boolean;
  /** Covers all of its statements, the functions that they call and the types that it is made of. */
  readonly hash: string;
}

export interface SqlItems {
  readonly items: ReadonlyMap<string, Item>;
  /** In the order of load.sql. */
  readonly statements: readonly Statement[];
}

/** A node of the parser's tree. */
type Tree = Readonly<Record<string, unknown>>;
type Names = readonly { readonly String: { readonly sval: string } }[];
interface Relation {
  readonly schemaname?: string;
  readonly relname: string;
}
/** What a statement defines: an item without its hash, and whether the statement creates it or adds to it. */
type Subject = Omit<Item, 'hash'> & { readonly makes: boolean };

export async function readItems(segments: readonly Segment[]): Promise<SqlItems> {
  const read: { parsed: Parsed; role: string | null; subjects: readonly Subject[] }[] = [];
  const texts = new Map<string, string[]>();
  const made = new Map<string, Subject>();
  const definers = new Map<string, string>();
  let role: string | null = null;
  for (const parsed of await parseSegments(segments)) {
    const [kind, node] = Object.entries(parsed.tree)[0] as [string, Tree];
    if (kind === 'VariableSetStmt' && node.name === 'role') {
      role = node.kind === 'VAR_RESET' ? null : parsed.text.replace(/^set local role\s+/i, '').trim();
      continue;
    }
    const at = `${shown(parsed.file)}:${parsed.line}`;
    const subjects = inSchema(parsed.text, made) ?? subjectsOf(kind, node, parsed.text);
    const definer = subjects?.find(({ id }) => wholeSchema.test(parsed.text) && definers.has(id));
    if (definer)
      throw new StartError(
        `${definers.get(definer.id)}: ${definer.name} runs with the rights of its owner, and its schema is granted as a whole.`,
      );
    if (!subjects)
      throw new StartError(
        `${at}: sql/ has no place for this statement (${kind}). Tables and one-time changes go into migrations/.`,
      );
    for (const subject of subjects) {
      if (subject.makes && made.get(subject.id)?.makes) throw new StartError(`${at}: ${subject.id} is defined twice.`);
      if (subject.makes || !made.has(subject.id)) made.set(subject.id, subject);
      if (subject.makes && isDefiner(node)) definers.set(subject.id, at);
      texts.set(subject.id, [...(texts.get(subject.id) ?? []), `${role}\n${parsed.text}`]);
    }
    read.push({ parsed, role, subjects });
  }

  const items = new Map<string, Item>();
  for (const { makes, ...subject } of made.values()) {
    const own = texts.get(subject.id) as string[];
    items.set(subject.id, {
      ...subject,
      hash: hash([
        own,
        subject.calls ? named('function', own, texts) : subject.kind === 'type' ? named('type', own, texts) : [],
      ]),
    });
  }
  const statements = read.map(({ parsed: { file, line, text }, role, subjects }) => ({
    ...{ file, line, text, role },
    items: subjects.map(({ id }) => items.get(id) as Item),
  }));
  return { items, statements };
}

/**
 * The texts of the functions or types that a text names, and of those that these name in turn: a changed type also
 * changes the types made of it.
 */
function named(kind: Kind, own: readonly string[], texts: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Map<string, readonly string[]>();
  const follow = (text: string) => {
    for (const [name] of text.matchAll(/\b[a-z_]+\.[a-z_]+\b/g)) {
      const more = texts.get(`${kind} ${name}`);
      if (!more || found.has(name)) continue;
      found.set(name, more);
      for (const text of more) follow(text);
    }
  };
  for (const text of own) follow(text);
  return [...found.values()].flat().sort();
}

interface Parsed {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly tree: Tree;
}

function parseSegment({ file, firstLine, text }: Segment, parser: Parse): Parsed[] {
  const bytes = Buffer.from(text);
  const lineAt = (byte: number) => firstLine + (bytes.subarray(0, byte).toString().match(/\n/g)?.length ?? 0);
  return parse(parser, text, (at) => `${shown(file)}:${lineAt(at)}`).map(
    ({ stmt, stmt_location: from = 0, stmt_len: length }) => {
      const whole = bytes.subarray(from, length ? from + length : undefined).toString();
      const statement = whole.replace(/^(?:\s+|--[^\n]*(?:\n|$))+/, '');
      const start = from + Buffer.byteLength(whole) - Buffer.byteLength(statement);
      return { file, line: lineAt(start), text: statement.trimEnd(), tree: stmt };
    },
  );
}

interface Raw {
  readonly stmt: Tree;
  /** In bytes. */
  readonly stmt_location?: number;
  readonly stmt_len?: number;
}

function parse(parser: Parse, text: string, place: (at: number) => string): readonly Raw[] {
  try {
    return (parser(text) as { stmts?: Raw[] }).stmts ?? [];
  } catch (error) {
    const { message, sqlDetails } = error as Error & { sqlDetails?: { cursorPosition?: number } };
    throw new StartError(`${place(sqlDetails?.cursorPosition ?? 0)}: ${message}.`, { cause: error });
  }
}

const wholeSchema = /\ball functions in schema (\w+)/;

/** The functions that a grant to a whole schema is part of: those above it. */
function inSchema(text: string, made: ReadonlyMap<string, Subject>): Subject[] | undefined {
  const [, schema] = wholeSchema.exec(text) ?? [];
  if (schema === undefined) return undefined;
  return [...made.values()]
    .filter(({ kind, name }) => kind === 'function' && name.startsWith(`${schema}.`))
    .map((f) => ({ ...f, makes: false }));
}

const isDefiner = ({ options }: Tree): boolean =>
  (
    (options ?? []) as readonly {
      readonly DefElem?: {
        readonly defname: string;
        readonly arg?: { readonly Boolean?: { readonly boolval?: boolean } };
      };
    }[]
  ).some(({ DefElem: option }) => option?.defname === 'security' && option.arg?.Boolean?.boolval === true);

/**
 * The same statement for some of its items: who grants to a whole schema would otherwise touch functions that have not
 * changed.
 */
export const restricted = (text: string, items: readonly Item[]): string =>
  text.replace(wholeSchema, () => `function ${items.map(({ name }) => name).join(', ')}`);

/** Undefined for a statement that sql/ may not contain. */
function subjectsOf(kind: string, node: Tree, text: string): Subject[] | undefined {
  switch (kind) {
    case 'CreateSchemaStmt':
      return [subject('schema', node.schemaname as string)];
    case 'CompositeTypeStmt':
      return [subject('type', relation(node.typevar as Relation))];
    case 'CreateEnumStmt':
      return [subject('type', dotted(node.typeName as Names))];
    case 'CreateFunctionStmt':
      return [subject('function', dotted(node.funcname as Names))];
    case 'CreatePolicyStmt':
      return [subject('policy', node.policy_name as string, relation(node.table as Relation))];
    case 'CreateTrigStmt':
      return [subject('trigger', node.trigname as string, relation(node.relation as Relation))];
    case 'GrantStmt':
      return granted(node);
    case 'CommentStmt':
      return [commented(node, text)];
    case 'AlterTableStmt':
      return [alone(text, relation(node.relation as Relation))];
    case 'AlterDefaultPrivilegesStmt':
      return [alone(text)];
    case 'DoStmt':
    case 'SelectStmt':
      return [{ ...alone(text), calls: true }];
    default:
      return undefined;
  }
}

const subject = (kind: Kind, name: string, on?: string): Subject => ({
  ...{ id: `${kind} ${name}${on ? ` on ${on}` : ''}`, kind, name, makes: true },
  ...(on ? { on } : {}),
});

/** A statement that is an item of its own. The same one may occur again for another role. */
const alone = (text: string, on?: string): Subject => ({
  ...{ id: `statement ${hash(text).slice(0, 22)}`, kind: 'statement', name: text.slice(0, 60), makes: false },
  ...(on ? { on } : {}),
});

function granted({ targtype, objtype, objects }: Tree): Subject[] | undefined {
  if (targtype !== 'ACL_TARGET_OBJECT') return undefined;
  const list = objects as readonly Tree[];
  const more = { makes: false } as const;
  if (objtype === 'OBJECT_FUNCTION')
    return list.map(({ ObjectWithArgs: object }) => ({
      ...subject('function', dotted((object as { objname: Names }).objname)),
      ...more,
    }));
  if (objtype === 'OBJECT_TABLE' || objtype === 'OBJECT_SEQUENCE')
    return list.map(({ RangeVar: object }) => {
      const name = relation(object as Relation);
      return { id: `privileges of ${name}`, kind: 'privileges', name, on: name, ...more };
    });
  if (objtype === 'OBJECT_SCHEMA')
    return list.map(({ String: object }) => {
      const name = (object as { sval: string }).sval;
      return { id: `privileges of ${name}`, kind: 'privileges', name, ...more };
    });
  return undefined;
}

/** A comment belongs to its object, if sql/ defines that. */
function commented({ objtype, object }: Tree, text: string): Subject {
  const { ObjectWithArgs: func, TypeName: type } = object as Record<string, Tree | undefined>;
  if (objtype === 'OBJECT_FUNCTION' && func)
    return { ...subject('function', dotted(func.objname as Names)), makes: false };
  const typeName = objtype === 'OBJECT_TYPE' && type ? dotted(type.names as Names) : undefined;
  if (typeName?.startsWith('engine.')) return { ...subject('type', typeName), makes: false };
  return alone(text);
}

const dotted = (names: Names): string => names.map(({ String: { sval } }) => sval).join('.');
const relation = ({ schemaname, relname }: Relation): string => (schemaname ? `${schemaname}.${relname}` : relname);
const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** What a function returns that takes nothing and is a literal: a number, or the text of an interval. */
export async function readConstants(segments: readonly Segment[]): Promise<Map<string, number | string>> {
  const constants = new Map<string, number | string>();
  for (const { file, line, tree } of await parseSegments(segments)) {
    const made = tree.CreateFunctionStmt as { funcname: Names; parameters?: unknown; sql_body?: Tree } | undefined;
    if (!made || made.parameters) continue;
    const name = dotted(made.funcname);
    const value = literal((made.sql_body?.ReturnStmt as { returnval?: Tree } | undefined)?.returnval);
    if (value === undefined) throw new StartError(`${shown(file)}:${line}: ${name} does not return a literal.`);
    constants.set(name, value);
  }
  return constants;
}

/** The parser leaves out an integer that is 0, and writes one of more than 32 bits as a float. */
function literal(node: Tree | undefined): number | string | undefined {
  const { arg } = (node?.TypeCast ?? {}) as { arg?: Tree };
  if (arg) return literal(arg);
  const { ival, fval, sval } = (node?.A_Const ?? {}) as {
    ival?: { ival?: number };
    fval?: { fval: string };
    sval?: { sval: string };
  };
  return ival ? (ival.ival ?? 0) : fval ? Number(fval.fval) : sval?.sval;
}

interface Argument {
  readonly FunctionParameter: {
    readonly name?: string;
    readonly mode: string;
    readonly argType: TypeName;
    readonly defexpr?: unknown;
  };
}
interface TypeName {
  readonly names: Names;
  readonly setof?: boolean;
  readonly arrayBounds?: readonly unknown[];
}

/** Each function with its arguments and result, in a form that a database's catalog can give as well. */
export async function readSignatures(segments: readonly Segment[]): Promise<Map<string, string>> {
  const modes: Readonly<Record<string, string>> = {
    FUNC_PARAM_OUT: 'o',
    FUNC_PARAM_INOUT: 'b',
    FUNC_PARAM_TABLE: 't',
    FUNC_PARAM_VARIADIC: 'v',
  };
  const typeOf = ({ names, arrayBounds }: TypeName) => `${arrayBounds ? '_' : ''}${names.at(-1)?.String.sval}`;
  const signatures = new Map<string, string>();
  for (const { tree } of await parseSegments(segments)) {
    const made = tree.CreateFunctionStmt as
      | { funcname: Names; parameters?: readonly Argument[]; returnType: TypeName }
      | undefined;
    if (!made) continue;
    const args = (made.parameters ?? []).map(({ FunctionParameter: { name, mode, argType, defexpr } }) =>
      [modes[mode], name, typeOf(argType), defexpr ? 'default' : undefined].filter(Boolean).join(' '),
    );
    const rows =
      made.returnType.setof ||
      (made.parameters ?? []).some(({ FunctionParameter: { mode } }) => mode === 'FUNC_PARAM_TABLE');
    signatures.set(dotted(made.funcname), `${args.join(', ')} -> ${rows ? 'setof ' : ''}${typeOf(made.returnType)}`);
  }
  return signatures;
}
