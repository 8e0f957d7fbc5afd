// An agent that is given nothing but a base URL, and has nothing but fetch and the texts that it reads there: of a
// tool's answer it sees the text alone. It asks its human what it is told to ask, and gives them what it is told to
// give. Usage: node cold-start.mjs <base URL>; it says and asks in lines of JSON.
import readline from 'node:readline';

const human = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (what) => console.log(JSON.stringify(what));
const ask = async (name) => {
  say({ ask: name });
  return (await human.next()).value;
};

let calls = 0;
let wrongTurns = 0;
const http = async (url, init) => {
  calls += 1;
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok && !text.includes('authorization_pending')) wrongTurns += 1;
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

const [, base] = process.argv.slice(1);
const [guideAt] = /[^\s"'()<>]*\/llms\.txt/.exec(await http(base));
const guide = await http(new URL(guideAt, base));
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
    headers: {
      'Content-Type': types.json,
      Accept: 'application/json, text/event-stream',
      Authorization: authorization,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: calls, method: 'tools/call', params: { name, arguments: args } }),
  });
  const [{ text }] = result.content;
  if (result.isError) {
    wrongTurns += 1;
    throw new Error(text);
  }
  return text;
};
const read = await tool(first, {});
const [, name, args] = /(\w+) (\{.*\})/.exec(read) ?? [];
if (!name) throw new Error(`nothing to do: ${read}`);
// what is for its human stands before what comes then
const [, before, address] = /(A move is refused.*? (https?:\/\/\S+)) Then: /.exec(read) ?? [];
if (address) {
  say({ give: before, address });
  await human.next();
}
say({ done: name, receipt: await tool(name, JSON.parse(args)), calls, wrongTurns });
process.exit();
