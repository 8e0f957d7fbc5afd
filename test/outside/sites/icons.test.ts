// Icons from hostile sites: whatever bytes they are made of, nothing breaks, and what comes back was drawn here.
// HILL_TEST_ICONS says how many malformed files are tried, for those who want more than 8; HILL_SEED repeats a run.
// Rules 11.3.
import type http from 'node:http';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Drawn, draw } from '../../../src/outside/sites/drawing.ts';
import { bestEntry, type Entry } from '../../../src/outside/sites/ico.ts';
import { iconOf } from '../../../src/outside/sites/icon.ts';
import { anInternet, type Internet } from '../../support/outside/internet.ts';
import { aBitmap, aGif, anIco, aPicture, aPng, goodPictures, malformed } from '../../support/outside/pictures.ts';
import { randomFrom, seed } from '../../support/random.ts';

/** The types of a PNG's chunks, which must fill it to its last byte. */
function chunksOf(png: Buffer): string[] {
  const types: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) types.push(png.toString('latin1', at + 4, at + 8));
  return types;
}

/** What was drawn, as its reader sees it: two of its pixels, 8 bits RGBA, right and left of the middle. */
async function pixelsOf(png: Buffer): Promise<{ left: number[]; right: number[] }> {
  expect(png.subarray(0, 29).toString('hex'), 'the head that the database asks for').toBe(
    '89504e470d0a1a0a0000000d4948445200000040000000400806000000',
  );
  expect(chunksOf(png)).toEqual(['IHDR', 'IDAT', 'IEND']);
  expect(png.length).toBeLessThanOrEqual(20_000);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([64, 64, 4]);
  const at = (x: number) => [...data.subarray((32 * 64 + x) * 4, (32 * 64 + x) * 4 + 4)];
  return { left: at(16), right: at(48) };
}

const drawn = async (bytes: Buffer): Promise<Buffer> => {
  const result = await draw(bytes);
  expect(result).toHaveProperty('png');
  return (result as Extract<Drawn, { png: Buffer }>).png;
};

describe('a picture', async () => {
  const colour = [0xc0, 0x20, 0x40];
  // of the bitmaps one is drawn; the others are unpacked below, without a process for each
  const kinds = Object.entries(await goodPictures('#c02040')).filter(
    ([kind]) => !/bitmap of (1|4|24|32) bits/.test(kind),
  );
  test.each(kinds)('%s is drawn anew', async (kind, bytes) => {
    const { left, right } = await pixelsOf(await drawn(bytes));
    for (const [i, value] of colour.entries())
      expect(Math.abs((left[i] as number) - value), kind).toBeLessThanOrEqual(3);
    expect(left[3]).toBe(255);
    expect(right[3], 'the mask of a bitmap').toBe(kind.includes('bitmap') ? 0 : 255);
  });

  test.each([1, 4, 8, 24, 32] as const)('in a bitmap of %i bits is unpacked', (depth) => {
    const entry = bestEntry(anIco([{ width: 48 }], aBitmap(48, depth, '#c02040')), 64);
    const { pixels, ...size } = entry as Extract<Entry, { pixels: Buffer }>;
    expect(size).toEqual({ width: 48, height: 48 });
    const row = Buffer.concat([
      ...Array(24).fill(Buffer.from('c02040ff', 'hex')),
      ...Array(24).fill(Buffer.from('c0204000', 'hex')),
    ]);
    expect(pixels.equals(Buffer.concat(Array(48).fill(row)))).toBe(true);
  });

  test('keeps its proportions, on a clear ground', async () => {
    const { left, right } = await pixelsOf(await drawn(await aPicture('#0000ff', 10, 400).png().toBuffer()));
    expect([left[3], right[3]]).toEqual([0, 0]);
  });

  test('of an ICO is the smallest that is large enough', async () => {
    const [small, fit, large] = [
      aBitmap(16, 32, '#ff0000'),
      aBitmap(64, 24, '#00ff00'),
      await aPicture('#0000ff', 256).png().toBuffer(),
    ];
    const from = 6 + 3 * 16;
    const entries = [
      { width: 16, from, size: small.length },
      { width: 256, from: from + small.length, size: large.length },
      { width: 64, from: from + small.length + large.length, size: fit.length },
    ];
    const { left } = await pixelsOf(await drawn(anIco(entries, Buffer.concat([small, large, fit]))));
    expect(left).toEqual([0, 255, 0, 255]);
  });
});

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script><rect width="64" height="64"/></svg>';

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  [
    'a PNG of 50,000 by 50,000 pixels',
    () => aPng(50_000, 50_000, Buffer.alloc(6_251 * 1_000), { depth: 1, colour: 0 }),
    'too_large',
  ],
  [
    'a PNG as large as it may be, interlaced',
    () => aPng(2_048, 2_048, Buffer.alloc(2_048 * 2_048 * 8 + 9_000), { depth: 16, interlaced: 1 }),
    'drawn',
  ],
  ['a PNG that is a line', () => aPng(1, 4_194_304, Buffer.alloc(8_388_608), { colour: 0 }), 'too_large'],
  ['a GIF of 10,000 frames', () => aGif(1, 1, 10_000), 'drawn'],
  ['a GIF of 10,000 frames of 2,000 by 2,000 pixels', () => aGif(2_000, 2_000, 10_000), 'drawn'],
  ['a GIF of 60,000 by 60,000 pixels', () => aGif(60_000, 60_000, 10), 'too_large'],
  [
    'an ICO with a thousand entries',
    async () =>
      anIco(
        Array.from({ length: 1_000 }, (_, i) => ({ width: i })),
        await aPicture('red').png().toBuffer(),
      ),
    'drawn',
  ],
  [
    'an ICO whose entries lie beyond its end',
    () =>
      anIco(
        Array.from({ length: 1_000 }, () => ({ width: 64, from: 4e9 })),
        Buffer.alloc(500),
      ),
    'cannot_be_drawn',
  ],
  [
    'an ICO in an ICO',
    async () => anIco([{ width: 64 }], anIco([{ width: 64 }], await aPicture('red').png().toBuffer())),
    'cannot_be_drawn',
  ],
  ['an SVG', () => Buffer.from(svg), 'not_an_image'],
  ['an SVG in an ICO', () => anIco([{ width: 64 }], Buffer.from(svg)), 'cannot_be_drawn'],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'not_an_image'],
  ['a TIFF', () => aPicture('red').tiff().toBuffer(), 'not_an_image'],
  ['ten megabytes of nothing', () => Buffer.alloc(10_000_000), 'not_an_image'],
  ['nothing at all', () => Buffer.alloc(0), 'not_an_image'],
])('%s', async (_, make, result) => {
  const made = await draw(await make());
  if ('png' in made) await pixelsOf(made.png);
  expect('png' in made ? 'drawn' : made.failed).toBe(result);
});

test('malformed files are refused, or drawn as far as they can be read', async () => {
  const random = randomFrom(seed);
  const good = Object.values(await goodPictures());
  const files = Array.from({ length: Number(process.env.HILL_TEST_ICONS ?? 8) }, () => malformed(random, good));
  const two = pLimit(2);
  const ends = await Promise.all(
    files.map((bytes) =>
      two(async () => {
        const result = await draw(bytes);
        if (!('png' in result)) return result.failed;
        await pixelsOf(result.png);
        expect(result.png.includes('FOREIGN')).toBe(false);
        return 'drawn';
      }),
    ),
  );
  for (const end of ends)
    expect(['drawn', 'not_an_image', 'too_large', 'cannot_be_drawn'], `HILL_SEED=${seed}`).toContain(end);
  if (process.env.HILL_TEST_ICONS)
    console.log(
      seed,
      Object.entries(Object.groupBy(ends, (end) => end)).map(([end, all]) => `${end}: ${all.length}`),
    );
});

describe('a site', () => {
  let internet: Internet;
  let red: Buffer;
  beforeAll(async () => {
    [internet, red] = await Promise.all([anInternet(), aPicture('#ff0000').png().toBuffer()]);
  });
  afterAll(() => internet.close());

  let sites = 0;
  const is = (type: string, body: Buffer | string) => (_: http.IncomingMessage, response: http.ServerResponse) =>
    void response.writeHead(200, { 'Content-Type': type }).end(body);
  /** A site whose page names `/icon`; what is not given is a 404. */
  const aSite = async (paths: Record<string, http.RequestListener>) => {
    sites += 1;
    const { name } = await internet.site(`icons-${sites}`, (request, response) => {
      const found = paths[request.url ?? ''];
      if (found) found(request, response);
      else response.writeHead(404, { 'Content-Type': 'text/html' }).end('Not here');
    });
    return `https://${name}/`;
  };
  const found = async (paths: Record<string, http.RequestListener>, named = ['icon']) => {
    const page = await aSite(paths);
    const reached = internet.reached.length;
    const icon = await iconOf(
      internet.fetch,
      page,
      named.map((path) => new URL(path, page).href),
    );
    expect(internet.canary.heard()).toBe(0);
    return {
      result: icon.result,
      left: icon.image && (await pixelsOf(icon.image)).left,
      connections: internet.reached.length - reached,
    };
  };
  const redLeft = [255, 0, 0, 255];

  test.each<[string, Record<string, http.RequestListener>, string, readonly number[] | null]>([
    [
      'with the icon that its page names',
      { '/icon': (q, r) => is('image/png; charset=binary', red)(q, r) },
      'drawn',
      redLeft,
    ],
    [
      'with a favicon.ico alone',
      { '/favicon.ico': (q, r) => is('image/vnd.microsoft.icon', anIco([{ width: 96 }], red))(q, r) },
      'drawn',
      redLeft,
    ],
    [
      'whose named icon is damaged, and whose favicon.ico is not',
      { '/icon': is('image/png', 'damaged'), '/favicon.ico': (q, r) => is('image/x-icon', red)(q, r) },
      'drawn',
      redLeft,
    ],
    [
      'whose icon is a page in disguise',
      { '/icon': is('image/png', '<!doctype html><script>alert(1)</script>') },
      'not_an_image',
      null,
    ],
    ['whose icon is an SVG in disguise', { '/icon': is('image/png', svg) }, 'not_an_image', null],
    ['whose icon is an SVG', { '/icon': is('image/svg+xml', svg) }, 'not_an_image', null],
    ['that answers everything with a page', { '/favicon.ico': is('text/html', '<p>Hello') }, 'no_icon', null],
    ['whose icon has ten megabytes', { '/icon': is('image/png', Buffer.alloc(10_000_000)) }, 'too_large', null],
    ['whose icon is not there', {}, 'status', null],
    [
      'whose icon leads to this machine',
      { '/icon': (_, r) => void r.writeHead(302, { Location: 'https://127.0.0.1/icon.png' }).end() },
      'url_not_allowed',
      null,
    ],
    [
      'whose icon leads in circles',
      { '/icon': (_, r) => void r.writeHead(302, { Location: '/icon' }).end() },
      'status',
      null,
    ],
  ])('%s', async (what, paths, result, left) => {
    const named = what.includes('favicon.ico alone') || what.includes('everything') ? [] : ['icon'];
    expect(await found(paths, named)).toMatchObject({ result, left });
  });

  test('names an icon on another host, which is fetched under the same guard', async () => {
    const cdn = await aSite({ '/a.png': (q, r) => is('image/png', red)(q, r) });
    expect(await found({}, [`${cdn}a.png`])).toMatchObject({ result: 'drawn', left: redLeft });
    internet.dns.tell('inside.example', ['10.0.0.1']);
    for (const inside of [
      'https://inside.example/a.png',
      'https://127.0.0.1/a.png',
      'https://[::1]/a.png',
      'https://169.254.169.254/a.png',
    ])
      expect(['unreachable', 'url_not_allowed']).toContain((await found({}, [inside])).result);
  });

  test('that lets its icon drip is left after five seconds', async () => {
    const began = performance.now();
    const drip: http.RequestListener = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' }).flushHeaders();
      const drips = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(drips));
    };
    expect(await found({ '/icon': drip })).toMatchObject({ result: 'unreachable' });
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
