// The MCP conformance suite against the started service: its scenarios for servers, in every revision that each is for.
// What does not apply is listed with the reason, and a scenario that the suite gains later fails here until somebody
// has looked at it.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { useBearerProxy } from '../support/peers/bearer-proxy.ts';

const suite = path.join(checkout, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const hill = useHill();
const mcp = useMcp(hill);
let token = '';
const proxy = useBearerProxy(mcp, () => token);

beforeAll(async () => {
  token = await mcp.token(await anAccount(hill, { credits: 5000 }));
});

const run = (args: string[]) =>
  new Promise<string>((resolve) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk;
      });
    child.once('close', () => resolve(said));
  });

const fixture = 'needs a tool, resource or prompt of the suite’s own example server; ours are those of protocol 9.4';
const asksBack = `asks the client something (sampling, elicitation, roots) in the middle of a call: no tool of the hill does. And it ${fixture}`;
const tasks = 'the extension "tasks" is not served: every call answers at once';

/** Scenarios that do not apply, by name or by what the name begins with. */
const doesNotApply: Readonly<Record<string, string>> = {
  'logging-set-level': 'no log messages are sent to clients, and the capability is not declared',
  'completion-complete': 'no argument has completions, and the capability is not declared',
  'tools-call-simple-text': fixture,
  'tools-call-image': fixture,
  'tools-call-audio': fixture,
  'tools-call-embedded-resource': fixture,
  'tools-call-mixed-content': fixture,
  'tools-call-with-logging': fixture,
  'tools-call-error': fixture,
  'tools-call-with-progress': `${fixture}; no call takes long enough to have progress`,
  'tools-call-sampling': asksBack,
  'tools-call-elicitation': asksBack,
  'json-schema-2020-12': fixture,
  'elicitation-': asksBack,
  'resources-read-text': fixture,
  'resources-read-binary': fixture,
  'resources-templates-read': fixture,
  'resources-subscribe': 'of revisions with sessions, in which the capability is not declared: decisions 167',
  'resources-unsubscribe': 'of revisions with sessions, in which the capability is not declared: decisions 167',
  'prompts-get-': fixture,
  'http-custom-header-server-validation': 'no argument of a tool is mirrored in a header',
  'tasks-': tasks,
  'input-required-result-': asksBack,
};

/**
 * Checks inside scenarios that do apply, which need a tool of the example server: the suite calls them not testable,
 * and counts them as failed.
 */
const notTestable: Readonly<Record<string, readonly string[]>> = {
  'server-stateless': [
    'sep-2575-server-rejects-undeclared-capability', // no tool needs a capability of the client
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream', // no answer is a stream
    'sep-2575-server-no-log-without-loglevel', // no tool logs to the client
  ],
};

const applies = (name: string) =>
  !Object.keys(doesNotApply).some((known) => (known.endsWith('-') ? name.startsWith(known) : name === known));

test('every scenario that applies passes', async () => {
  const listed = [...(await run(['list', '--server'])).matchAll(/^ +- (\S+)/gm)].map(([, name]) => name as string);
  expect(listed.length).toBeGreaterThan(60);
  for (const known of Object.keys(doesNotApply))
    expect(
      listed.some((name) => name.startsWith(known)),
      known,
    ).toBe(true);

  const said = await run(['server', '--url', proxy.url, '--suite', 'all', '--verbose']);

  const summary = new Map(
    [...said.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(([, name, passed, failed]) => [
      name as string,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  );
  expect([...summary.keys()].sort()).toEqual([...listed].sort());
  const applied = listed.filter(applies);
  expect(applied).toEqual(
    expect.arrayContaining([
      'server-initialize',
      'server-stateless',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'caching',
    ]),
  );
  for (const name of applied)
    expect([name, summary.get(name)?.failed], said).toEqual([name, notTestable[name]?.length ?? 0]);
});
