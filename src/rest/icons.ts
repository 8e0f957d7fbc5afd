// The icons of the hill and of its tools, as files that clients show. Protocol 7.7.
import fs from 'node:fs';
import path from 'node:path';
import { icons } from '../html/icons.ts';
import { openPicture as fields } from '../http/open.ts';
import { Representation } from '../http/representation.ts';

const png = new Representation('image/png', fs.readFileSync(path.join(import.meta.dirname, '..', 'html', 'hill.png')), {
  vary: null,
  fields,
});

/** By path. The PNG is drawn from the SVG of the same name; not every client shows SVG. */
export const iconFiles = new Map([
  ...Object.entries(icons).map(
    ([name, svg]) => [`/icons/${name}.svg`, new Representation('image/svg+xml', svg, { vary: null, fields })] as const,
  ),
  ['/icons/hill.png', png],
  // what browsers and feed readers ask for without being told
  ['/favicon.ico', png],
]);
