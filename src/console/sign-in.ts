// The staff key opens a session, once; after that the browser has a cookie. from-site.ts is the other way in.
import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import type pg from 'pg';
import { Refusal } from '../db/errors.ts';
import { rule } from '../db/rules.ts';
import { readForm } from '../http/read-form.ts';
import { Attempts } from './attempts.ts';
import { showSignIn } from './sign-in-page.ts';
import { closeSession, findStaff, forgetSession, keepSession, openSession, sessionOf } from './staff.ts';

const wrongKeyDelayMs = 1_000;

export function signIn(pool: pg.Pool, attempts = new Attempts()): Koa.Middleware {
  return async (ctx) => {
    const seconds = attempts.wait();
    if (seconds > 0) {
      ctx.set('Retry-After', String(seconds));
      await showSignIn(ctx, 429, `Too many wrong keys. Try again in ${seconds} seconds.`);
      return;
    }
    const succeeded = attempts.begin();
    const form = await readForm(ctx);
    try {
      await keepSession(ctx, (session) => openSession(pool, form.get('key') ?? '', form.get('name') ?? '', session));
      succeeded();
      ctx.status = 303;
      ctx.redirect('/');
    } catch (error) {
      const code = error instanceof Refusal ? error.code : undefined;
      if (code === 'INVALID_TOKEN') {
        await sleep(wrongKeyDelayMs);
        await showSignIn(ctx, 401, 'This is not the staff key.');
      } else if (code === 'INVALID_ARGUMENT') {
        succeeded(); // the key was right
        await showSignIn(ctx, 400, `Give your name, in at most ${rule('staff_name_length')} characters.`);
      } else {
        succeeded();
        throw error;
      }
    }
  };
}

export function signOut(pool: pg.Pool): Koa.Middleware {
  return async (ctx) => {
    const session = sessionOf(ctx);
    if (session) await closeSession(pool, session);
    forgetSession(ctx);
    // what GraphiQL keeps in the browser; not cookies, which the site may have there, too
    ctx.set('Clear-Site-Data', '"storage"');
    ctx.status = 303;
    ctx.redirect('/');
  };
}

/** Without a live session there is the form at `/`, and nothing else. */
export function onlyStaff(pool: pg.Pool): Koa.Middleware {
  return async (ctx, next) => {
    const session = sessionOf(ctx);
    const staff = session && (await findStaff(pool, session));
    if (staff) {
      ctx.state.staff = staff;
      await next();
    } else if (ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      await showSignIn(ctx, 200);
    } else {
      ctx.status = 401;
      // As a GraphQL answer, since the caller is GraphQL: a console left open over night.
      ctx.body = {
        errors: [{ message: 'You are not signed in: load the page again.', extensions: { code: 'INVALID_TOKEN' } }],
      };
    }
  };
}
