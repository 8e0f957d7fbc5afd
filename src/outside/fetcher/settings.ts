// outside/fetcher/settings.ts · how this hill's fetchers are set: who asks, and in development that this machine may be reached too.
import type { Config } from '../../process/config.ts';
import type { FetcherSettings } from './index.ts';

export const fetcherSettings = ({ baseUrl, env }: Pick<Config, 'baseUrl' | 'env'>): FetcherSettings => ({
  userAgent: `Hill (${baseUrl})`,
  allowLoopback: env === 'development',
});
