// Settings of this hill's fetchers: the User-Agent, in development access to loopback, and for practice to nothing.
import type { Config } from '../../process/config.ts';
import type { FetcherSettings } from './index.ts';

export const fetcherSettings = ({ baseUrl, env }: Pick<Config, 'baseUrl' | 'env'>): FetcherSettings => ({
  userAgent: `Hill (${baseUrl})`,
  allowLoopback: env === 'development',
  nowhere: env === 'practice',
});
