// http/json.ts · JSON that somebody sent, no deeper than anybody needs: what goes through a value by calling itself runs out of stack on one that is nested
// thousands deep, and JSON.parse does not.

/** The deepest thing that is asked for here is a tenth of it. */
const deepest = 64;

/** Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  if (tooDeep(text)) throw new SyntaxError(`JSON of more than ${deepest} levels`);
  return JSON.parse(text);
}

/** Whether brackets, outside of quoted texts, are nested deeper than anybody needs. A query of GraphQL can be asked the same. */
export function tooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a text: brackets in it are none
        for (at += 1; at < text.length && text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at += 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > deepest) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
    }
  }
  return false;
}
