// Parses JSON from outside, with a limit to its depth: JSON.parse takes a value that is nested thousands deep, and
// recursive code then runs out of stack on it.

/** Ten times the depth of any body that is served here. */
const deepest = 64;

/** Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  if (tooDeep(text)) throw new SyntaxError(`JSON of more than ${deepest} levels`);
  return JSON.parse(text);
}

/** Whether brackets outside of strings are nested too deep. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string: its brackets do not count
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
