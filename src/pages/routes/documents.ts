// What changes only with the code: how to bring an agent, the policy of links, errors, the changelog. And the
// operator's terms.
import fs from 'node:fs';
import path from 'node:path';
import type Router from '@koa/router';
import { call } from '../../db/call.ts';
import { answer } from '../../http/answer.ts';
import { type Config, checkout } from '../../process/config.ts';
import { bringPage } from '../bring.ts';
import { errorsPage, type Hint } from '../errors.ts';
import { linksPolicy } from '../links-policy.ts';
import { prosePage } from '../prose.ts';
import { markdown, plain, type Serving } from '../serving.ts';
import { noTerms, type Terms, termsPage } from '../terms.ts';

export function documentRoutes(router: Router, config: Config, serving: Serving): void {
  const { site, reading, written, document } = serving;
  termsRoutes(router, serving);
  // links between files of the repository lead to their addresses here
  const ofRepository = (file: string) =>
    fs
      .readFileSync(path.join(checkout, file), 'utf8')
      .replace(/\[[\w.]+\]\((?:\.\.\/)?CHANGELOG\.md\)/g, `[The changelog](${site}/changelog)`)
      .replace(/\(docs\/compatibility\.md\)/g, `(${site}/compatibility)`)
      .replace(/\[(\w+)\]\(backup\.md\)/g, '$1');
  const prose = (text: string, page: Parameters<typeof prosePage>[1]) => {
    const [html, source] = [written(prosePage(text, page)), plain(markdown, text)];
    router.get(page.address, async (ctx) => document(ctx, await html));
    router.get(`${page.address}.md`, (ctx) => document(ctx, source));
  };
  prose(ofRepository('CHANGELOG.md'), {
    title: 'Changelog',
    address: '/changelog',
    description: 'What changed on the hill, for readers, agents and operators.',
  });
  prose(ofRepository('docs/compatibility.md'), {
    title: 'Compatibility',
    address: '/compatibility',
    description: 'What stays as it is, what may be added, and how a change is announced.',
  });
  prose(linksPolicy(site), {
    title: 'Links',
    address: '/links',
    description:
      'What the links of the hill are worth: how sites and badges are checked, what is counted, and where links lead.',
  });
  const bringing = written(bringPage(config));
  router.get('/bring', async (ctx) => document(ctx, await bringing));
  router.get('/errors', async (ctx) =>
    document(ctx, await written(errorsPage(await call<Hint[]>(await reading.source.pool(), 'api_public.errors')))),
  );
}

/** As the database has them, so that all processes show what is in force. */
function termsRoutes(router: Router, { reading, written, absent }: Serving): void {
  const inForce = async () => call<Terms | null>(await reading.source.pool(), 'api_public.terms');
  for (const kind of ['terms', 'privacy'] as const)
    for (const asText of [false, true])
      router.get(`/${kind}${asText ? '.md' : ''}`, async (ctx) => {
        const found = await inForce();
        if (!found) return absent(ctx, noTerms);
        const { text, url } = found[kind];
        ctx.set('Cache-Control', 'no-cache');
        if (url !== null) return ctx.redirect(url);
        const shown = text ?? '';
        await answer(ctx, asText ? plain(markdown, shown) : await written(termsPage(kind, shown, found)), 'no-cache');
      });
}
