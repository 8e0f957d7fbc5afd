// A chat that shows views of MCP Apps: the extension's own bridge, and a page with the view in a sandboxed frame, under
// the policy that the extension has hosts make of what a server declares.
import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  getToolUiResourceUri,
  type McpUiHostCapabilities,
  type McpUiResourceMeta,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { BrowserContext, Frame, Page } from 'playwright-core';

export interface Shown {
  readonly page: Page;
  /** The document of the view. */
  readonly view: Frame;
  readonly bridge: AppBridge;
  /** The heights that the view asked for. */
  readonly heights: readonly number[];
  /** Every address that the page or the view asked for, beside the page itself; what its console said of errors. */
  readonly wrong: readonly string[];
  /** The tools that the view called. */
  readonly asked: readonly string[];
}

interface Options {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** What becomes of the calls of tools that a view makes: passed on, if not said otherwise. */
  readonly calls?: 'passed on' | 'refused' | 'not offered';
}

const address = 'http://chat.example/';

/** As the extension's specification has it for declared domains. */
function policyOf({ csp }: McpUiResourceMeta): string {
  const from = (domains: readonly string[] = []) => ["'self'", ...domains].join(' ');
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${from(csp?.resourceDomains)}`,
    `style-src 'unsafe-inline' ${from(csp?.resourceDomains)}`,
    `connect-src ${from(csp?.connectDomains)}`,
    `img-src data: ${from(csp?.resourceDomains)}`,
    `font-src ${from(csp?.resourceDomains)}`,
    `base-uri ${from(csp?.baseUriDomains)}`,
    `frame-src ${csp?.frameDomains?.join(' ') || "'none'"}`,
    "object-src 'none'",
  ].join('; ');
}

/** Calls a tool as a chat does, and shows its result in the tool's view. */
export async function show(
  context: BrowserContext,
  client: Client,
  tool: string,
  args: Record<string, unknown> = {},
  options: Options = {},
) {
  const { width = 700, theme = 'light', calls = 'passed on' } = options;
  const { tools } = await client.listTools();
  const listed = tools.find(({ name }) => name === tool);
  const uri = getToolUiResourceUri(listed ?? {});
  if (!listed || uri === undefined) throw new Error(`${tool} has no view`);
  const [content] = (await client.readResource({ uri })).contents;
  if (!content || !('text' in content)) throw new Error(`${uri} has no text`);

  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('dialog', (dialog) => wrong.push(dialog.message()));
  page.on('request', (request) => request.url() !== address && wrong.push(`asked for ${request.url()}`));
  await page.route(address, (route) =>
    route.fulfill({
      contentType: 'text/html',
      // a frame without an address of its own has the policy of its page
      headers: { 'Content-Security-Policy': policyOf((content._meta?.ui ?? {}) as McpUiResourceMeta) },
      body: `<!doctype html><html lang="en"><title>A chat</title><style>body { margin: 0; background: ${theme === 'dark' ? '#222' : '#fff'}; }
iframe { width: 100%; border: 0; }</style><main><iframe title="A view" sandbox="allow-scripts"></iframe></main></html>`,
    }),
  );

  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: (message) =>
      page.evaluate<void, JSONRPCMessage>((sent) => {
        const { frames } = globalThis as unknown as {
          frames: { postMessage(message: unknown, origin: string): void }[];
        };
        frames[0]?.postMessage(sent, '*');
      }, message),
  };
  await page.exposeFunction('heardFromView', (message: JSONRPCMessage) => transport.onmessage?.(message));
  await page.goto(address);
  await page.evaluate(`addEventListener('message', ({ source, data }) => {
    if (source !== frames[0]) return;
    if (data.method === 'ui/notifications/size-changed') document.querySelector('iframe').style.height = data.params.height + 'px';
    heardFromView(data);
  })`);

  const asked: string[] = [];
  const heights: number[] = [];
  const capabilities: McpUiHostCapabilities = calls === 'not offered' ? {} : { serverTools: {} };
  const bridge = new AppBridge(null, { name: 'a chat', version: '1' }, capabilities, {
    hostContext: { theme, displayMode: 'inline', toolInfo: { tool: listed }, containerDimensions: { width } },
  });
  const initialized = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()));
  bridge.addEventListener('sizechange', ({ height }) => height !== undefined && heights.push(height));
  bridge.oncalltool = ({ name, arguments: given = {} }) => {
    asked.push(name);
    if (calls === 'refused') return Promise.reject(new Error('the human said no'));
    return client.callTool({ name, arguments: given });
  };
  await bridge.connect(transport);
  const frame = page.locator('iframe');
  await frame.evaluate((element, html) => element.setAttribute('srcdoc', html), content.text);
  await initialized;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(await client.callTool({ name: tool, arguments: args }));
  const view = await (await frame.elementHandle())?.contentFrame();
  if (!view) throw new Error('the view has no frame');
  return { page, view, bridge, heights, wrong, asked } satisfies Shown;
}
