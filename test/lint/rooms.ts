// Each folder of src/ has its rule about imports in biome.json, and no file lies loose beside main.ts.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../../src/process/config.ts';

/** What is wrong, one a line. Takes the entries of src/ (folders end with "/") and the text of biome.json. */
export function roomsIn(entries: readonly string[], rules: string): string[] {
  return entries.flatMap((entry) => {
    if (!entry.endsWith('/'))
      return entry === 'main.ts' ? [] : [`src/${entry}: a file lies loose: put it into a folder`];
    const room = entry.slice(0, -1);
    const ruled = rules.includes(`"src/${room}/**"`);
    const forbidden = rules.includes(`"**/../${room}/**"`);
    return ruled && forbidden ? [] : [`src/${room}: biome.json does not say what it may import, and who may import it`];
  });
}

export function rooms(): string[] {
  const entries = fs
    .readdirSync(path.join(checkout, 'src'), { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  return roomsIn(entries, fs.readFileSync(path.join(checkout, 'biome.json'), 'utf8'));
}
