// Whom a reader trusts to have seen a log: how many of which witnesses, as a C2SP tlog-policy says it. Rules 20.33.
import { parseVerifierKey, type Verifier } from '../log/note.ts';
import { StartError } from '../process/start-error.ts';

export interface Policy {
  /** Keys of logs. */
  readonly logs: readonly Verifier[];
  readonly witnesses: readonly Verifier[];
  /** Whether these of them are enough. */
  enough(signed: ReadonlySet<Verifier>): boolean;
}

/** Throws a StartError for what is not of the form. */
export function parsePolicy(text: string): Policy {
  const logs: Verifier[] = [];
  const witnesses: Verifier[] = [];
  /** Witnesses and groups by their names: none is defined by what comes after it, so none by itself. */
  const parts = new Map<string, Policy['enough']>();
  let quorum: Policy['enough'] | undefined;
  for (const [n, line] of text.split('\n').entries()) {
    const wrong = (why: string) =>
      new StartError(`The policy is not of its form (C2SP tlog-policy), line ${n + 1}: ${why}.`);
    const [word, ...words] = line.trim().split(/\s+/);
    const keyOf = (key: string | undefined, asLog: boolean): Verifier => {
      try {
        const verifier = parseVerifierKey(key ?? '');
        if ((verifier.type === 'ed25519') === asLog) return verifier;
      } catch {
        // said below
      }
      throw wrong(`there is no key of a ${asLog ? 'log' : 'witness'}`);
    };
    const define = (name: string | undefined, enough: Policy['enough']) => {
      if (!name || name === 'none' || parts.has(name)) throw wrong('a name is missing, or there twice');
      parts.set(name, enough);
    };
    const part = (name: string): Policy['enough'] => {
      const known = parts.get(name);
      if (!known) throw wrong(`${name} is not defined before`);
      return known;
    };
    if (!word || word.startsWith('#')) continue;
    if (word === 'log' && words.length <= 2) logs.push(keyOf(words[0], true));
    else if (word === 'witness' && words.length <= 3) {
      const witness = keyOf(words[1], false);
      witnesses.push(witness);
      define(words[0], (signed) => signed.has(witness));
    } else if (word === 'group') {
      const [name, most = '', ...members] = words;
      const all = members.map(part);
      const least = most === 'any' ? 1 : most === 'all' ? all.length : /^[1-9]\d*$/.test(most) ? Number(most) : 0;
      if (least < 1 || least > all.length) throw wrong('a group has no number of members that it can have');
      define(name, (signed) => all.filter((enough) => enough(signed)).length >= least);
    } else if (word === 'quorum' && words.length === 1 && !quorum)
      quorum = words[0] === 'none' ? () => true : part(words[0] as string);
    else throw wrong('it is none of log, witness, group and one quorum');
  }
  if (!quorum) throw new StartError('The policy has no quorum (C2SP tlog-policy).');
  return { logs, witnesses, enough: quorum };
}
