// What is seen of requests: an id, a latency, a span. Nothing of one that may be a deposit or a withdrawal. Decisions
// 115-117.
import type http from 'node:http';
import { streamType } from '../http/event-stream.ts';
import type { Metrics, Tally } from '../process/metrics.ts';
import { answer, idOf, parentOf } from '../process/request.ts';
import { beginSpan, failSpan } from '../process/tracing.ts';

type Door = 'reading' | 'pages' | 'oauth' | 'humans';

/**
 * Addresses on which moves are deposited, withdrawn or looked at by their own account. How often they are asked is
 * sealed, whatever is asked.
 */
const sealed = /^\/(mcp|account)([/?]|$)/;
/** Asked by timers. */
const health = /^\/(healthz|livez|readyz)([/?]|$)/;
const doors: readonly (readonly [Door, RegExp])[] = [
  ['reading', /^\/(api|openapi\.json|llms\.txt|server\.json|icons)([/?]|$)/],
  ['oauth', /^\/(oauth|agent|\.well-known|auth\.md)([/?]|$)/],
  ['humans', /^\/(sign-in|sign-out|claim|authorize|consent)([/?]|$)/],
];

const doorOf = (url: string): Door | undefined => {
  if (sealed.test(url) || health.test(url)) return undefined;
  return doors.find(([, addresses]) => addresses.test(url))?.[0] ?? 'pages';
};

export function observer(metrics: Metrics): {
  /** A read was answered from memory. It has no id: nothing is logged of it, and caches would keep it for others. */
  fromMemory(began: number): void;
  /** Has a request answered that is not in memory. */
  observe(req: http.IncomingMessage, res: http.ServerResponse, serve: () => void): void;
} {
  const latency = metrics.histogram(
    'hill_http_request_duration_seconds',
    'Time to answer, by door (memory: served without a door) and class of status. Without /mcp and /account, which are sealed.',
  );
  const memory: Tally = latency.of({ door: 'memory', status: '2xx' });
  return {
    fromMemory(began) {
      memory.observe((performance.now() - began) / 1_000);
    },
    observe(req, res, serve) {
      const began = performance.now();
      const url = req.url ?? '';
      const door = doorOf(url);
      const id = idOf(req.headers);
      res.setHeader('X-Request-Id', id);
      const span = door && beginSpan(`${req.method} ${door}`, parentOf(req.headers.traceparent));
      if (door)
        res.once('close', () => {
          // how long somebody listens is no latency
          if (res.getHeader('Content-Type') !== streamType)
            latency.of({ door, status: statusOf(res) }).observe((performance.now() - began) / 1_000);
          span?.setAttributes({ 'hill.request_id': id, 'http.response.status_code': res.statusCode });
          if (res.statusCode >= 500) failSpan(span);
          span?.end();
        });
      answer({ id, sealed: door === undefined, span }, serve);
    },
  };
}

const statusOf = ({ statusCode, writableFinished }: http.ServerResponse): string =>
  !writableFinished ? 'gone' : statusCode === 429 ? '429' : `${Math.trunc(statusCode / 100)}xx`;
