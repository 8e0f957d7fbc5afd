// console/graphql/ruru-page.ts · Ruru's page, with the signed-in name and the sign-out button above it.
import 'postgraphile';
import { html } from 'hono/html';
import 'postgraphile/grafserv/koa/v3';
import { nonceOf } from '../headers.ts';
import { staffOf } from '../staff.ts';

const style = `<style>
#hill-bar { box-sizing: border-box; height: 2.5rem; padding: 0 1rem; display: flex; gap: 1rem; align-items: center; justify-content: flex-end;
  font: 0.875rem/1 system-ui, sans-serif; background: #1f2430; color: #eee; }
#hill-bar b { margin-right: auto; }
#hill-bar form { margin: 0; }
#hill-bar button { font: inherit; }
#ruru-root { height: calc(100vh - 2.5rem) !important; }
</style>`;

const bar = (name: string) => html`<header id="hill-bar">
  <b>Hill · staff console</b> <span>${name}</span>
  <form method="post" action="/sign-out"><button>Sign out</button></form>
</header>`;

export const RuruPagePlugin: GraphileConfig.Plugin = {
  name: 'RuruPagePlugin',
  version: '1.0.0',
  grafserv: {
    middleware: {
      ruruHTML(next, event) {
        const { htmlParts: parts, request } = event;
        const ctx = request.requestContext.koav3?.ctx;
        const staff = staffOf(ctx);
        if (!ctx) return next();
        // The Content-Security-Policy runs only scripts with this request's nonce.
        const withNonce = (scripts: string) => scripts.replaceAll('<script', `<script nonce="${nonceOf(ctx)}"`);
        parts.titleTag = '<title>Hill · staff console</title><link rel="icon" href="data:," />';
        parts.styleTags += style;
        parts.configScript = withNonce(parts.configScript);
        parts.headerScripts = withNonce(parts.headerScripts);
        parts.bodyContent = `${bar(staff.name)}${parts.bodyContent}`;
        parts.bodyScripts = withNonce(parts.bodyScripts);
        parts.bodyInitScript = withNonce(parts.bodyInitScript);
        return next();
      },
    },
  },
};
