// Runs wrk: a load from another process, with requests of its own.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const wrk = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .map((dir) => `${dir}/wrk`)
    .find((file) => fs.existsSync(file));

/**
 * Lua that ends a run of 0 seconds after a few hundred answers: enough to see that it works. wrk itself counts in whole
 * seconds.
 */
export const few = 'heard = (heard or 0) + 1; if heard == 300 then wrk.thread:stop() end';

/** wrk's own length of a run of so many seconds. */
export const lasting = (seconds: number): string => `-d${Math.max(1, seconds)}s`;

export interface Call {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * POSTs the calls in turn, each once, over so many connections. Answers per second, where `seconds` is not 0; throws if
 * one was not 200, or said that it is an error.
 */
export async function callsPerSecond(
  url: string,
  calls: readonly Call[],
  connections: number,
  seconds: number,
): Promise<number> {
  const program = wrk();
  if (!program) throw new Error('wrk is not installed: apt-get install wrk');
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-wrk-'));
  try {
    const { headers = {} } = calls[0] as Call;
    fs.writeFileSync(path.join(dir, 'calls'), calls.map(({ token = '', body }) => `${token}\t${body}\n`).join(''));
    fs.writeFileSync(
      path.join(dir, 'calls.lua'),
      `local made, at = {}, 0
function init()
  for line in io.lines(${JSON.stringify(path.join(dir, 'calls'))}) do
    local token, body = line:match("^(.-)\\t(.*)$")
    local headers = ${lua({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers })}
    if token ~= "" then headers["Authorization"] = "Bearer " .. token end
    made[#made + 1] = wrk.format("POST", nil, headers, body)
  end
end
function request()
  at = at % #made + 1
  return made[at]
end
function response(status, headers, body)
  if status ~= 200 or body:find('"isError":true', 1, true) or body:find('"error":', 1, true) then
    print("REFUSED " .. status .. " " .. body)
    wrk.thread:stop()
  end
  ${seconds === 0 ? few : ''}
end
`,
    );
    const { stdout } = await promisify(execFile)(program, [
      '-t1',
      `-c${connections}`,
      lasting(seconds),
      '-s',
      path.join(dir, 'calls.lua'),
      url,
    ]);
    const found = /^Requests\/sec: +([\d.]+)/m.exec(stdout)?.[1];
    const refused = /^REFUSED .*/m.exec(stdout)?.[0] ?? /Non-2xx.*|Socket errors.*/.exec(stdout)?.[0];
    if (!found || refused) throw new Error(`wrk ${url}: ${refused ?? stdout}`);
    return Number(found);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

const lua = (fields: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    .join(', ')} }`;
