// /sitemap.xml and its parts, for crawlers. Rules 10.2.
import { open } from '../http/open.ts';
import { Representation } from '../http/representation.ts';

/** Addresses of one part, as api_public.site_map gives them; the protocol allows 50,000. */
const partLength = 10_000;

export interface SiteMap {
  readonly last_night: number;
  readonly identities: number;
  readonly entries: readonly { readonly path: string; readonly lastmod: string | null }[];
}

const xml = (root: string, body: string) =>
  new Representation(
    'application/xml; charset=utf-8',
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${body}</${root}>\n`,
    { fields: open },
  );

/** Paths have slugs and numbers alone, so there is nothing to escape. */
export const siteMapPart = async (base: string, { entries }: SiteMap): Promise<Representation> =>
  xml(
    'urlset',
    entries
      .map(
        ({ path, lastmod }) =>
          `<url><loc>${base}${path}</loc>${lastmod === null ? '' : `<lastmod>${lastmod}</lastmod>`}</url>\n`,
      )
      .join(''),
  );

export const siteMapIndex = async (base: string, { last_night, identities }: SiteMap): Promise<Representation> => {
  const parts = (kind: string, n: number) =>
    Array.from(
      { length: Math.ceil(n / partLength) },
      (_, i) => `<sitemap><loc>${base}/sitemap/${kind}-${i + 1}.xml</loc></sitemap>\n`,
    );
  return xml(
    'sitemapindex',
    [...parts('pages', 1), ...parts('nights', last_night), ...parts('identities', identities)].join(''),
  );
};
