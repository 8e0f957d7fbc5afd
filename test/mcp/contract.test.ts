// \df api_agent.* is the agents' contract: what the play interface calls, and nothing else. Protocol 9.1.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import { checkout } from '../../src/process/config.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill);
const folder = path.join(checkout, 'src', 'mcp');
const called = (file: string) =>
  [...fs.readFileSync(file, 'utf8').matchAll(/'api_agent\.(\w+)'/g)].map(([, name]) => name as string);
/** The one tool that names its function by an argument; and what src/db/deposits.ts calls. */
const elsewhere = ['explore', 'debrief', 'play', 'play_many'];

test('every function of the agents is called by the play interface, and every one that it calls is there', async () => {
  const functions = await hill.rows<{ name: string }>(
    "select distinct proname as name from pg_proc where pronamespace = 'api_agent'::regnamespace order by 1",
  );
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

  const asked = new Set([...elsewhere, ...files.flatMap((file) => called(path.join(folder, file)))]);
  const there = functions.map(({ name }) => name);

  expect([...asked].filter((name) => !there.includes(name))).toEqual([]);
  expect(there.filter((name) => !asked.has(name))).toEqual([]);
});

test('every tool is a file or a folder of its name, and says when it is to be called and what comes next', () => {
  const files = fs.readdirSync(path.join(folder, 'tools')).filter((file) => file !== 'index.ts');

  expect(files.map((file) => path.parse(file).name).sort()).toEqual(
    tools.map(({ name }) => name.replaceAll('_', '-')).sort(),
  );
  for (const { name, title, description, annotations } of tools) {
    expect(title.length, name).toBeGreaterThan(4);
    expect(description.length, name).toBeGreaterThan(120);
    expect(description.length, name).toBeLessThan(2000); // clients cut longer ones off
    expect(annotations.readOnlyHint && annotations.destructiveHint, name).toBe(false);
  }
});

test('tools and protocol know nothing of HTTP', () => {
  const files = ['tools', 'protocol', 'help'].flatMap((part) =>
    fs.readdirSync(path.join(folder, part), { recursive: true, encoding: 'utf8' }).map((file) => path.join(part, file)),
  );
  for (const file of [...files.filter((file) => file.endsWith('.ts')), 'tool.ts', 'call-tool.ts'])
    for (const [, from = ''] of fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/ from '([^']+)'/g))
      expect(from, file).not.toMatch(/^node:http|\/(http|door|web)\//);
});

test('every argument is described, and no other is taken', async () => {
  const client = await mcp.client(await mcp.token(await anAccount(hill)));
  for (const { name, inputSchema, outputSchema } of (await client.listTools()).tools) {
    expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
    // of no depth: the strict modes of function calling take nothing open
    JSON.parse(JSON.stringify(inputSchema), (_, value) => {
      if (value?.type === 'object') expect(value.additionalProperties, name).toBe(false);
      return value;
    });
    expect(outputSchema, name).toMatchObject({ type: 'object' });
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
      expect((schema as { description?: string }).description, `${name} ${argument}`).toBeTruthy();
  }
});
