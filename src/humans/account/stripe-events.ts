// What Stripe tells about payments. The body goes to the database as it came: the signature is verified there.
// Decisions 99.
import type Router from '@koa/router';
import type pg from 'pg';
import { call } from '../../db/call.ts';
import { Refusal, typed } from '../../db/errors.ts';
import { readBytes } from '../../http/read-body.ts';
import type { Logger } from '../../process/log.ts';

const most = 262_144;

export function stripeEvents(router: Router, db: pg.Pool, log: Logger): void {
  router.post('/stripe/events', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    try {
      const body = await readBytes(ctx.req, most);
      const { outcome, id, type } = await call<{ outcome: string; id: string; type: string }>(
        db,
        'api_human.take_stripe_event',
        {
          body,
          signature: ctx.get('Stripe-Signature'),
        },
      );
      log[outcome.startsWith('refused') ? 'error' : 'info']({ event: id, type, outcome }, 'Stripe told of a payment');
      ctx.body = { outcome };
    } catch (thrown) {
      const error = typed(thrown);
      // Stripe sends it again, for three days.
      if (!(error instanceof Refusal))
        log.error({ code: error.code, kind: error.kind }, 'an event of Stripe was not taken');
      ctx.status = error.status;
      ctx.body = { code: error.code, hint: error.hint };
    }
  });
}
