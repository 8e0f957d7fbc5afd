// console/graphql/ruru-page.ts · Ruru's page: a bar above it with the ways around, and the usual questions as ready tabs in it.
import { createHash } from 'node:crypto';
import 'postgraphile';
import { html } from 'hono/html';
import 'postgraphile/grafserv/koa/v3';
import { nonceOf } from '../headers.ts';
import { questions } from '../questions.ts';
import { staffOf } from '../staff.ts';

/** What a request for Ruru's page brings along: the variables of each question, and the question to open. */
export interface Asked {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly question: string | null;
}

export const ruruPath = '/graphiql';
export const questionPath = (name: string) => `${ruruPath}?question=${name}`;

const style = `<style>
#hill-bar { box-sizing: border-box; height: 2.75rem; padding: 0 1rem; display: flex; gap: 1.25rem; align-items: center;
  font: 0.9375rem/1 system-ui, sans-serif; background: #12160f; color: #e8e9df; white-space: nowrap; }
#hill-bar a, #hill-bar summary { color: #8fcf9f; cursor: pointer; }
#hill-bar .who { margin-left: auto; overflow: hidden; text-overflow: ellipsis; }
#hill-bar form { margin: 0; }
#hill-bar button { font: inherit; color: inherit; background: none; border: 1px solid #2f372a; border-radius: 0.4rem; padding: 0.35rem 0.7rem; cursor: pointer; }
#hill-bar details { position: relative; }
#hill-bar ol { position: absolute; z-index: 10; top: 1.4rem; left: -1rem; width: min(34rem, 92vw); max-height: 80vh; overflow: auto; margin: 0; padding: 0.75rem 1rem 0.75rem 2.75rem;
  background: #1a1f17; border: 1px solid #2f372a; border-radius: 0.6rem; box-shadow: 0 1rem 3rem #0008; white-space: normal; line-height: 1.35; }
#hill-bar li { padding: 0.25rem 0; }
#hill-bar li a { color: #e8e9df; text-decoration: none; }
#hill-bar li a:hover { text-decoration: underline; }
#ruru-root { height: calc(100vh - 2.75rem) !important; }
@media (max-width: 40rem) { #hill-bar { gap: 0.8rem; padding: 0 0.6rem; } #hill-bar b, #hill-bar .who { display: none; } #hill-bar form { margin-left: auto; } }
</style>`;

const bar = (name: string) => html`<header id="hill-bar">
  <b>Hill · staff console</b> <a href="/">Look</a>
  <details><summary>Questions</summary><ol>${questions.map((question) => html`<li><a href="${questionPath(question.name)}">${question.words}</a></li>`)}</ol></details>
  <span class="who">${name}</span>
  <form method="post" action="/sign-out"><button>Sign out</button></form>
</header>`;

/** Other questions, or others ways to ask them, are put in anew; what staff wrote in tabs of their own stays. */
const edition = createHash('sha256').update(JSON.stringify(questions)).digest('hex').slice(0, 16);

/** This is no browser's code but for one function. */
interface Browser {
  readonly history: { replaceState(state: null, unused: '', url: string): void };
}

/** Runs before Ruru, which reads its tabs from the browser's storage. Where that is closed, Ruru begins empty. */
function seed({
  edition,
  tabs,
  question,
}: {
  edition: string;
  tabs: { id: string; query: string; variables: string }[];
  question: string | null;
}): void {
  try {
    const known = localStorage.getItem('hill:questions') === edition;
    if (known && !question) return;
    const stored = JSON.parse(localStorage.getItem('graphiql:tabState') ?? 'null') as { tabs: typeof tabs; activeTabIndex: number } | null;
    const own = (stored?.tabs ?? []).filter(
      ({ id, query }) => !id.startsWith('hill-') && query && !query.startsWith('# Welcome to GraphiQL'),
    );
    const ours = known ? (stored?.tabs ?? []).filter(({ id }) => id.startsWith('hill-')) : tabs;
    const asked = tabs.find(({ id }) => id === `hill-${question}`);
    if (asked) {
      const at = ours.findIndex(({ id }) => id === asked.id);
      if (at < 0) ours.unshift(asked);
      else ours[at] = asked;
    }
    const active = asked ?? ours[0];
    if (!active) return;
    localStorage.setItem('graphiql:tabState', JSON.stringify({ tabs: [...ours, ...own], activeTabIndex: ours.indexOf(active) }));
    localStorage.setItem('graphiql:query', active.query);
    localStorage.setItem('graphiql:variables', active.variables);
    localStorage.setItem('hill:questions', edition);
    // once: after a reload the tab has what staff wrote into it
    if (question) (globalThis as unknown as Browser).history.replaceState(null, '', '/graphiql');
  } catch {
    // Ruru has no storage either, then
  }
}

function tabsOf(variables: Asked['variables']) {
  return questions.map(({ name, operation, query }) => ({
    id: `hill-${name}`,
    title: operation,
    query,
    variables: JSON.stringify(variables[name], null, 2),
    headers: null,
    operationName: operation,
    response: null,
  }));
}

const seedScript = ({ variables, question }: Asked) =>
  `<script>(${seed.toString()})(${JSON.stringify({ edition, tabs: tabsOf(variables), question }).replaceAll('<', '\\u003c')})</script>`;

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
        parts.titleTag = '<title>Questions · Hill, staff console</title><link rel="icon" href="data:," />';
        parts.styleTags += style;
        parts.configScript = withNonce(seedScript(ctx.state.asked as Asked) + parts.configScript);
        parts.headerScripts = withNonce(parts.headerScripts);
        parts.bodyContent = `${bar(staff.name)}${parts.bodyContent}`;
        parts.bodyScripts = withNonce(parts.bodyScripts);
        parts.bodyInitScript = withNonce(parts.bodyInitScript);
        return next();
      },
    },
  },
};
