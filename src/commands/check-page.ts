// npm run check-page: /check as one file, which opens from a reader's own disk and checks any hill. Rules 20.14.
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { html, raw } from 'hono/html';
import { style } from '../html/style.ts';
import { checkBody, checkStyle } from '../pages/check.ts';
import { makeParts } from '../pages/check-parts.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

const gzip = promisify(zlib.gzip);
/** Of a file there is no header: the page says by itself that it loads nothing, and asks hills alone. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' blob: 'wasm-unsafe-eval'; worker-src blob:; connect-src http: https: data:; base-uri 'none'; form-action 'none'";

export async function run(_config: Config, [file, ...more]: string[]): Promise<number> {
  if (file === undefined || more.length > 0)
    throw new StartError('Say where the page is to be written: npm run check-page -- check.html');
  const { script, worker, engine, pglite, initdb, data } = await makeParts();
  const wasm = { pglite: pglite.bytes, initdb: initdb.bytes, data: data.bytes };
  const parts = await Promise.all(
    Object.entries(wasm).map(
      async ([name, bytes]) =>
        `<script type="text/plain" id="part-${name}">${(await gzip(bytes, { level: 9 })).toString('base64')}</script>\n`,
    ),
  );
  const bytes = Object.values(wasm).reduce((sum, { length }) => sum + length, 0);
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
${checkBody(null, { bytes })}
</main>
<script type="text/plain" id="part-worker">${raw(inline(worker.bytes.toString()))}</script>
<script type="text/plain" id="part-engine">${raw(inline(engine.bytes.toString()))}</script>
${raw(parts.join(''))}<script>${raw(inline(script))}</script>
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
