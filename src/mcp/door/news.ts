// Which resources a change of the hill outdates, sent at once, then at most once a second. Rules 9.2; protocol 9.9;
// decisions 165.
import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import { spaced } from '../../http/event-stream.ts';
import type { LiveResource } from '../protocol/resources.ts';

/**
 * By the changes of sql/reading/changes.sql. A deposit is none of them. An account's own part of a resource changes
 * with its own calls, which are published to nobody: the time would betray when another has played.
 */
const outdatedBy: Readonly<Record<string, readonly LiveResource[]>> = {
  night: ['hill://tonight', 'hill://night/latest', 'hill://account'],
  announcements: ['hill://tonight'],
  identities: ['hill://tonight'],
  places: ['hill://tonight'],
  clock: ['hill://tonight'],
};

/** In the _meta of a notification: the last night whose bell this process has heard. */
const nightKey = 'hill/night';

export interface News {
  /** What streams listen to. */
  readonly bus: ServerEventBus;
  /** The hill has changed; with the change `night`, it is the last one that is published. */
  changed(change: string, night?: number | null): void;
  /** Notifications may have been missed: everything may have changed. */
  missed(): void;
}

export function news(quietMs = 1_000): News {
  const bus = new InMemoryServerEventBus();
  let lastNight: number | undefined;
  const publishers = new Map<LiveResource, () => void>();

  const publish = (uri: LiveResource) => {
    const known = publishers.get(uri);
    if (known) return known();
    const publisher = spaced(quietMs, () =>
      bus.publish({
        kind: 'resource_updated',
        uri,
        ...(lastNight === undefined ? {} : { params: { _meta: { [nightKey]: lastNight } } }),
      }),
    );
    publishers.set(uri, publisher);
    publisher();
  };

  return {
    bus,
    changed(change, night) {
      if (change === 'night') lastNight = night ?? undefined;
      outdatedBy[change]?.forEach(publish);
    },
    missed() {
      lastNight = undefined;
      outdatedBy.night?.forEach(publish);
    },
  };
}
