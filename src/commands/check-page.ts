// npm run check-page: /check as one file, which opens from a reader's own disk and checks any hill. Rules 20.14.
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { html, raw } from 'hono/html';
import { style } from '../html/style.ts';
import { checkBody, checkStyle } from '../pages/check.ts';
import { bytesOf, given, makeParts, scripts } from '../pages/check-parts.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

const gzip = promisify(zlib.gzip);
/** Of a file there is no header: the page says by itself that it loads nothing, and asks hills alone. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' blob: 'wasm-unsafe-eval'; worker-src blob:; connect-src http: https: data:; base-uri 'none'; form-action 'none'";

export async function run(_config: Config, [file, ...more]: string[]): Promise<number> {
  if (file === undefined || more.length > 0)
    throw new StartError('Say where the page is to be written: npm run check-page -- check.html');
  const all = await makeParts();
  const inside = (name: string, text: string) => `<script type="text/plain" id="part-${name}">${text}</script>\n`;
  const parts = [
    ...scripts.map((name) => inside(name, inline(all[name].bytes.toString()))),
    ...(await Promise.all(
      given.map(async (name) => inside(name, (await gzip(all[name].bytes, { level: 9 })).toString('base64'))),
    )),
  ];
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Check a hill</title>
<style>${raw(style + checkStyle)}</style>
</head>
<body>
<main>
${checkBody(null, all, { bytes: bytesOf(all) })}
</main>
${raw(parts.join(''))}<script>${raw(inline(all.script))}</script>
</body>
</html>
`;
  const at = path.resolve(file);
  await fs.writeFile(at, String(page));
  console.log(`${at} checks any hill, from the disk that it is on.`);
  return 0;
}

/** As a script of HTML may stand: nothing in it ends it. */
const inline = (script: string): string => script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');
