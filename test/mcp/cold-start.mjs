// An agent that is given nothing but a base URL, and has nothing but fetch and what it reads there. It asks its human what it is told to ask, and gives
// them what it is told to give. Usage: node cold-start.mjs <base URL>; it says and asks in lines of JSON.
import readline from 'node:readline';

const human = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (what) => console.log(JSON.stringify(what));
const ask = async (name) => {
  say({ ask: name });
  return (await human.next()).value;
};

let calls = 0;
const http = async (url, init) => {
  calls += 1;
  const response = await fetch(url, init);
  const text = await response.text();
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
};

// What it knows by name: the fields of every answer, however deep, and what its human told it.
const known = {};
const learn = (answer) => {
  for (const [name, value] of Object.entries(answer ?? {})) {
    if (typeof value === 'object') learn(value);
    else known[name] = value;
  }
};
const fill = async (template) => {
  for (const [, name] of template.matchAll(/<(\w+)>/g)) known[name] ??= await ask(name);
  return template.replace(/<(\w+)>/g, (_, name) => known[name]);
};
const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

const guide = await http(`${process.argv[2]}/llms.txt`);
let mcp;
for (const [, step] of guide.matchAll(/^\d\. (.+)$/gm)) {
  const [, url, kind, body] = /^POST (\S+) (json|form) (\S+)/.exec(step) ?? [];
  const [, pending] = /again every <interval> seconds, while error is (\w+)/.exec(step) ?? [];
  if (url) {
    const request = { method: 'POST', headers: { 'Content-Type': types[kind] }, body: await fill(body) };
    let answer = await http(url, request);
    while (pending && answer.error === pending) {
      await new Promise((resolve) => setTimeout(resolve, known.interval * 1000));
      answer = await http(url, request);
    }
    if (answer.error) throw new Error(JSON.stringify(answer));
    learn(answer);
  } else if (step.startsWith('Give your human ')) {
    say({ give: await fill(step) });
    await human.next(); // until they say that it is done
  } else mcp = await fill(step);
}

const [, endpoint, authorization, first] = /^MCP (\S+) Authorization: (Bearer \S+) .*call the tool (\w+)/.exec(mcp);
const tool = async (name, args) => {
  const { result } = await http(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': types.json, Accept: 'application/json, text/event-stream', Authorization: authorization },
    body: JSON.stringify({ jsonrpc: '2.0', id: calls, method: 'tools/call', params: { name, arguments: args } }),
  });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
};
const { next } = await tool(first, {});
const [, name, args] = /(\w+) (\{.*\})/.exec(next) ?? [];
if (!name) throw new Error(`nothing to do: ${next}`);
say({ done: name, receipt: await tool(name, JSON.parse(args)), calls });
process.exit();
