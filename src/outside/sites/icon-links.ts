// The icons that a page names, the best first: what is drawn is 64 pixels wide.

export interface IconLink {
  readonly rel: string;
  /** As the page writes it: "16x16 32x32", "any", or nothing. */
  readonly sizes: string;
  readonly type: string;
  readonly url: URL;
}

/** What is drawn, and so what a page should offer: this many pixels, squared. */
export const iconPixels = 64;
/** Apple's devices ask for 180 pixels, and pages seldom say so. */
const applePixels = 180;
const mostTried = 2;

/**
 * The addresses to try in turn: a link that says that it is large enough, the icon for Apple's devices, then one that
 * does not say or is too small.
 */
export function bestIcons(links: readonly IconLink[]): string[] {
  const ranked = links.flatMap((link) => {
    const rank = rankOf(link);
    return rank === undefined ? [] : [{ rank, href: link.url.href }];
  });
  ranked.sort((a, b) => a.rank - b.rank); // stable: of equals the page's own order decides
  return [...new Set(ranked.map(({ href }) => href))].slice(0, mostTried);
}

/** Small is good; undefined if it is no icon that can be drawn. */
function rankOf({ rel, sizes, type, url }: IconLink): number | undefined {
  // SVG is a program and a document at once, so it is not drawn: see decisions 101.
  if (/svg/i.test(type) || /\.svgz?$/i.test(url.pathname)) return undefined;
  const rels = rel.toLowerCase().split(/\s+/);
  const apple = rels.some((one) => one === 'apple-touch-icon' || one === 'apple-touch-icon-precomposed');
  if (!apple && !rels.includes('icon')) return undefined;
  const said = [...sizes.matchAll(/(?<!\S)(\d{1,4})x\d{1,4}(?!\S)/gi)].map(([, width]) => Number(width));
  const enough = said.filter((size) => size >= iconPixels);
  if (enough.length > 0) return (apple ? 10_000 : 0) + Math.min(...enough);
  if (said.length > 0) return 40_000 - Math.max(...said);
  return apple ? 10_000 + applePixels : 30_000;
}
