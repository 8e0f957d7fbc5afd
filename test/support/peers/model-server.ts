// The endpoint of a language model that answers from a script, as OpenAI's chat completions or Anthropic's messages.
import { once } from 'node:events';
import http from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * What the model says next: words, which end its turn, or calls of tools. A call whose arguments are a text sends that
 * text.
 */
export type Line = string | { tool: string; args: object | string }[];

interface Asked {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface ModelServer {
  readonly url: string;
  readonly asked: Asked[];
}

/** Its last line is repeated for as long as it is asked. Closed when the test is over. */
export async function aModel(script: readonly Line[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const line = script[Math.min(asked.length, script.length - 1)] as Line;
    asked.push({ path: request.url as string, headers: request.headers, body: JSON.parse(text) });
    const spoken = request.url === '/v1/messages' ? messages(line, asked.length) : completion(line, asked.length);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(spoken));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked };
}

const completion = (line: Line, turn: number) => ({
  id: `completion-${turn}`,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: typeof line === 'string' ? 'stop' : 'tool_calls',
      message:
        typeof line === 'string'
          ? { role: 'assistant', content: line }
          : {
              role: 'assistant',
              content: null,
              tool_calls: line.map(({ tool, args }, at) => ({
                id: `call-${turn}-${at}`,
                type: 'function',
                function: { name: tool, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
              })),
            },
    },
  ],
});

const messages = (line: Line, turn: number) => ({
  id: `message-${turn}`,
  type: 'message',
  role: 'assistant',
  stop_reason: typeof line === 'string' ? 'end_turn' : 'tool_use',
  content:
    typeof line === 'string'
      ? [{ type: 'text', text: line }]
      : line.map(({ tool, args }, at) => ({ type: 'tool_use', id: `call-${turn}-${at}`, name: tool, input: args })),
});
