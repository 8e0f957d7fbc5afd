// pages/routes/documents.ts · what changes only with the code: how to bring an agent, the policy of links, errors, the source of the engine, the changelog.
import fs from 'node:fs';
import path from 'node:path';
import type Router from '@koa/router';
import { call } from '../../db/call.ts';
import { type Config, checkout } from '../../process/config.ts';
import { bringPage } from '../bring.ts';
import { errorsPage, type Hint } from '../errors.ts';
import { linksPage } from '../links.ts';
import { linksPolicy } from '../links-policy.ts';
import { markdown, plain, type Serving } from '../serving.ts';
import { sourcePage, sources } from '../source.ts';

export function documentRoutes(router: Router, config: Config, { site, reading, written, document }: Serving): void {
  for (const [address, file] of [
    ['/changelog.md', 'CHANGELOG.md'],
    ['/compatibility.md', 'docs/compatibility.md'],
  ] as const) {
    // links between files of the repository lead to their addresses here
    const text = fs
      .readFileSync(path.join(checkout, file), 'utf8')
      .replace(/\((?:\.\.\/)?CHANGELOG\.md\)/g, `(${site}/changelog.md)`)
      .replace(/\(docs\/compatibility\.md\)/g, `(${site}/compatibility.md)`)
      .replace(/\[(\w+)\]\(backup\.md\)/g, '$1');
    const told = plain(markdown, text);
    router.get(address, (ctx) => document(ctx, told));
  }
  const linksText = linksPolicy(site);
  const policy = plain(markdown, linksText);
  const policyPage = written(linksPage(linksText));
  router.get('/links.md', (ctx) => document(ctx, policy));
  router.get('/links', async (ctx) => document(ctx, await policyPage));
  const bringing = written(bringPage(config));
  router.get('/bring', async (ctx) => document(ctx, await bringing));
  router.get('/errors', async (ctx) =>
    document(ctx, await written(errorsPage(await call<Hint[]>(await reading.source.pool(), 'api_public.errors')))),
  );
  const sourceList = written(sourcePage());
  const files = new Map([...sources].map(([name, text]) => [name, plain('text/plain; charset=utf-8', text)]));
  router.get('/source', async (ctx) => document(ctx, await sourceList));
  router.get(/^\/source\/.+$/, (ctx, next) => {
    const file = files.get(ctx.path.slice('/source/'.length));
    return file === undefined ? next() : document(ctx, file);
  });
}
