// The providers that are configured, in the order in which they are offered.
import type { Config } from '../../process/config.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import type { Provider } from './provider.ts';

export const providersOf = ({ providers }: Pick<Config, 'providers'>): Provider[] => [
  ...(providers.google ? [google(providers.google)] : []),
  ...(providers.github ? [github(providers.github)] : []),
];
