// Whatever code and documents cite has to be there: sections and entries of docs/, rows, files, functions, links.
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const roots = ['sql', 'src', 'test', 'bench', 'docs', 'README.md', 'CONTRIBUTING.md'];
const documents = ['rules', 'protocol', 'decisions'] as const;

export interface Text {
  readonly file: string;
  readonly text: string;
}

/** Everything that may cite, as text. */
function texts(from: readonly string[] = roots): Text[] {
  return from.flatMap((name) => {
    const at = path.join(root, name);
    if (!fs.existsSync(at)) return [];
    if (fs.statSync(at).isDirectory())
      return texts(
        fs
          .readdirSync(at)
          .filter((entry) => entry !== 'node_modules' && entry !== 'snapshots')
          .map((entry) => path.join(name, entry)),
      );
    return /\.(sql|ts|mjs|md|json|graphql|pgbench)$/.test(name)
      ? [{ file: name, text: fs.readFileSync(at, 'utf8') }]
      : [];
  });
}

/**
 * "rules 3.7", "protocol 9", "decisions 17", "row 45b": all that can be cited. Sections are headings with a number,
 * rows those of protocol 11.
 */
export function citable(): Set<string> {
  const found = new Set<string>();
  for (const name of documents) {
    const text = fs.readFileSync(path.join(root, 'docs', `${name}.md`), 'utf8');
    for (const [, number] of text.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)) found.add(`${name} ${number}`);
    if (name === 'protocol') for (const [, number] of text.matchAll(/^\| (\d+b?) \|/gm)) found.add(`row ${number}`);
  }
  return found;
}

// Within a citation a line may end, and a literal of SQL.
const gap = String.raw`(?:[ \t]*(?:'[ \t]*\n[ \t]*'|\n[ \t]*(?:--|//|\*|#)?)[ \t]*|[ \t]+)`;
const listOf = (number: string) => `${number}(?:(?:,${gap}(?:and${gap})?|${gap}(?:to|and)${gap})${number})*`;
const sections = listOf(String.raw`\d+(?:\.\d+)?(?![\w%]|\.\d)`);
const cited = new RegExp(String.raw`\b(${documents.join('|')})${gap}(${sections})`, 'gi');
const rowsCited = new RegExp(
  String.raw`\brows?${gap}(${listOf(String.raw`\d+b?(?!\w)`)})${gap}of${gap}protocol\b|\bprotocol${gap}\d+,${gap}rows?${gap}(${listOf(String.raw`\d+b?(?!\w)`)})`,
  'gi',
);
/** Forms that named documents which are not here. */
const gone = new RegExp(
  String.raw`\b(?:specification|design|decisions?${gap}section)${gap}\d+|\bspecification,${gap}(?:head|opening)|\bacceptance${gap}list${gap}of\b|\bprotocol,${gap}(?:choices|security${gap}list)`,
  'gi',
);

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
const flat = (found: string): string => found.replaceAll(new RegExp(gap, 'g'), ' ');

/** What a text cites that is not there, each as "line: what". */
export function danglingIn(text: string, known: ReadonlySet<string>): string[] {
  const missing: [number, string][] = [];
  const look = (at: number, list: string, name: (number: string) => string) => {
    for (const [number] of list.matchAll(/\d+(?:\.\d+)?b?/g)) {
      if (!known.has(name(number))) missing.push([at, `${name(number)} does not exist`]);
    }
  };
  for (const { index, 1: document = '', 2: list = '' } of text.matchAll(cited))
    look(index, list, (n) => `${document.toLowerCase()} ${n}`);
  for (const { index, 1: before, 2: after } of text.matchAll(rowsCited))
    look(index, before ?? after ?? '', (n) => `row ${n}`);
  for (const { index, 0: found } of text.matchAll(gone))
    missing.push([index, `"${flat(found)}" names no document of docs/`]);
  return missing.sort(([a], [b]) => a - b).map(([at, what]) => `${lineOf(text, at)}: ${what}`);
}

const inFiles = (files: readonly Text[], complain: (file: Text) => string[]): string[] =>
  files.flatMap((file) => complain(file).map((what) => `${file.file}:${what}`));

/** Citations that lead nowhere, in code and documents. */
export function citations(
  files: readonly Text[] = texts().filter(({ file }) => !file.startsWith('test/lint/')),
): string[] {
  const known = citable();
  return inFiles(files, ({ text }) => danglingIn(text, known));
}

/** What a command makes and git does not keep. */
const made: ReadonlySet<string> = new Set(['migrations/current.sql']);

const ofPeople = (): Text[] =>
  texts(['docs', 'README.md', 'CONTRIBUTING.md', 'test/cases']).filter(({ file }) => file.endsWith('.md'));

/** Files, folders and objects of SQL that documents name; a function is in the file that is said to have it. */
export function names(files: readonly Text[] = ofPeople()): string[] {
  const sql = texts(['sql', 'migrations'])
    .map(({ text }) => text)
    .join('\n');
  const defined = new Set(
    [...sql.matchAll(/\b(?:function|table|type|view|sequence) (?:if not exists )?([a-z_]+\.\w+)/g)].map(
      ([, name]) => name,
    ),
  );
  return inFiles(files, ({ text }) => [
    ...[
      ...text.matchAll(/(?<![\w./@-])(?:src|sql|test|docs|bench|migrations)\/[\w./-]*(?<![.])(?![\w*{<…-])/g),
    ].flatMap(({ index, 0: name }) =>
      made.has(name) || fs.existsSync(path.join(root, name)) ? [] : [`${lineOf(text, index)}: there is no ${name}`],
    ),
    ...[...text.matchAll(/(?<!\/\/)\b(?:engine|trusted|api_[a-z]+|hill|oauth)\.(?!sql)[a-z]\w+(?=[`(])/g)].flatMap(
      ({ index, 0: name }) =>
        defined.has(name) ? [] : [`${lineOf(text, index)}: nothing in sql/ or migrations/ defines ${name}`],
    ),
    ...[...text.matchAll(/`([a-z_]+\.\w+)`\s+(?:in\s+|\()`(sql\/[\w/]+\.sql)`/g)].flatMap(
      ({ index, 1: name = '', 2: file = '' }) =>
        fs.existsSync(path.join(root, file)) &&
        !new RegExp(`\\bfunction ${name}\\(`).test(fs.readFileSync(path.join(root, file), 'utf8'))
          ? [`${lineOf(text, index)}: ${file} does not define ${name}`]
          : [],
    ),
  ]);
}

/** As GitHub makes the anchor of a heading. */
const anchorsOf = (text: string): Set<string> => {
  const seen = new Map<string, number>();
  return new Set(
    [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => {
      const slug = title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
};

/** Links between documents, with their anchors. */
export function links(files: readonly Text[] = ofPeople()): string[] {
  return inFiles(files, ({ file, text }) =>
    [...text.matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].flatMap(({ index, 1: to = '', 2: anchor }) => {
      const target = to === '' ? file : path.join(path.dirname(file), to);
      const at = path.join(root, target);
      if (to !== '' && !fs.existsSync(at)) return [`${lineOf(text, index)}: there is no ${target}`];
      if (anchor === undefined || !target.endsWith('.md')) return [];
      const there = to === '' ? text : fs.readFileSync(at, 'utf8');
      return anchorsOf(there).has(anchor) ? [] : [`${lineOf(text, index)}: ${target} has no heading #${anchor}`];
    }),
  );
}
