// Settings of the environment that redirect or weaken other clients have no effect: in a process of its own, because
// Node reads them when it starts.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { checkout } from '../../../src/process/config.ts';
import { aCertificate } from '../../support/outside/certificates.ts';
import { anInternet } from '../../support/outside/internet.ts';

const child = `
  const { url, own, settings, sites, canary } = JSON.parse(process.env.GIVEN);
  const { guardedFetcher } = await import(own);
  const reach = ({ address, port }) => sites[address] ? { address: '127.0.0.1', port: sites[address] } : { address, port: canary };
  const told = async (what) => { try { return await what(); } catch (error) { return error.reason ?? error.name; } };
  const guarded = guardedFetcher({ ...settings, reach });
  console.log(JSON.stringify({
    good: await told(async () => (await guarded(url.good)).body.toString()),
    impostor: await told(async () => (await guarded(url.impostor)).body.toString()),
    loopback: await told(async () => (await guarded(url.loopback)).body.toString()),
    ...(process.env.CONTROL ? { control: await told(async () => (await fetch(url.control)).text()) } : {}),
  }));
`;

test('proxies, certificates that are not to be verified, and lenient parsers', async () => {
  const internet = await anInternet();
  onTestFinished(() => internet.close());
  const good = await internet.site('good', (_request, response) => response.end('from the site itself'));
  const impostor = await internet.rawSite(
    'impostor',
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')),
    await aCertificate(['other.test']),
  );
  const proxy = `http://127.0.0.1:${internet.canary.port}`;
  const { reach: _reach, ...settings } = internet.settings;
  const given = {
    own: path.join(checkout, 'src/outside/fetcher/index.ts'),
    url: {
      good: 'https://good.example/',
      impostor: 'https://impostor.example/',
      loopback: 'https://127.0.0.1/',
      control: 'http://93.184.215.200/',
    },
    settings,
    sites: { [good.address]: good.port, [impostor.address]: impostor.port },
    canary: internet.canary.port,
  };
  const env = {
    ...process.env,
    GIVEN: JSON.stringify(given),
    NODE_USE_ENV_PROXY: '1',
    ...Object.fromEntries(
      ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
        [name, proxy],
        [name.toUpperCase(), proxy],
      ]),
    ),
    no_proxy: '',
    NO_PROXY: '',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_OPTIONS: '--insecure-http-parser --no-warnings',
  };
  const run = async (more: object) =>
    JSON.parse(
      (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', child], { env: { ...env, ...more } }))
        .stdout,
    );

  expect(await run({})).toEqual({ good: 'from the site itself', impostor: 'tls', loopback: 'url_host' });
  expect(internet.canary.heard()).toBe(0);

  // The same environment does lead other clients to the proxy, where this Node knows of it.
  if (process.allowedNodeEnvironmentFlags.has('--use-env-proxy')) {
    expect(await run({ CONTROL: '1' })).toMatchObject({ control: 'secret' });
    expect(internet.canary.heard()).toBe(1);
  }
});
