// An account that has done everything that an account can do: a row in every table that can have one.
import { randomBytes, randomUUID } from 'node:crypto';
import { attemptOf, type OAuth, succeeded } from '../doors/oauth.ts';
import { type Account, anAccount, call, type Hill } from './index.ts';
import { mailTo } from './mail.ts';
import { signIn } from './sign-in.ts';
import { publish } from './terms.ts';
import { aCode, aTournament, enter, redeem } from './tournaments.ts';

/** What nobody may find any more once the account is closed. */
export const person = {
  email: 'annabel.personal@mail.example',
  subject: 'subject-of-annabel',
  name: 'Annabel Personal',
  slug: 'annabel-personal',
  url: 'https://site-of-annabel.example/',
  mail: 'notices.of.annabel@mail.example',
  hook: 'https://hooks.annabel.example/',
  said: 'greetings from annabel',
} as const;

export interface FullLife extends Account {
  /** What its agent holds by the authorization server. */
  readonly assertion: string;
}

/**
 * From day 1 to the fourth day, on which it has moves and an announcement of tonight. Bob, who plays too, is the
 * second.
 */
export async function aFullLife(hill: Hill, door: OAuth): Promise<{ annabel: FullLife; bob: Account }> {
  const web = hill.as('web');
  const vouched = { provider: 'google', subject: person.subject, email: person.email };
  const bob = await anAccount(hill, { name: 'Bob', credits: 9000 });

  const registration = await door.register(`${person.name} bot`);
  const claim = succeeded(await door.claim(registration.claim_token, person.email));
  const { account_id: id, session } = await signIn(web, vouched);
  const approved = await door.approve(session, attemptOf(claim), claim.claim_attempt.user_code);
  const { access_token, identity_assertion } = succeeded(await door.poll(registration.claim_token));
  // another agent has asked for the same human, and waits
  succeeded(await door.claim((await door.register('Another bot')).claim_token, person.email));
  // the clock of these days goes on, and a token would not last so long
  const token = randomBytes(16).toString('hex');
  await hill.root.query(
    `insert into oauth.access_tokens (token_hash, agent_id, scopes, created_at, expires_at)
     values (engine.hash_token($1), $2, '{hill:read,hill:play}', engine.now(), 'infinity')`,
    [token, approved.agent_id],
  );
  const annabel: FullLife = {
    ...{ id, session, token, name: person.name, agentId: approved.agent_id as string },
    assertion: identity_assertion as string,
  };
  if (!access_token) throw new Error('The agent got no token');

  await hill.asOwnerOf('hill_api_worker', async (client) => {
    await client.query("select engine.top_up($1, 20000, 'a test'), engine.grant_credits($1, 700, 'a test')", [id]);
  });
  await hill.root.query(
    "insert into hill.payments (reference, transfer_id, at) select 'payment-1', id, at from hill.transfers where credit_account_id = $1 and kind = 'topup'",
    [id],
  );
  await call(web, 'api_human.set_mandate', { session, daily_cap_cents: 5000, max_stake_cents: 2000 });
  await call(web, 'api_human.make_feed', { session, token: 'a private feed' });
  // by the suspension below, something is mailed
  await mailTo(hill, { session }, person.mail);
  const profile = (slug: string) =>
    call(web, 'api_agent.set_profile', {
      token,
      name: person.name,
      url: person.url,
      slug,
      model: `model of ${person.name}`,
    });
  await profile('annabel-first');
  await profile(person.slug);
  await call(web, 'api_agent.verify_badge', { token });
  await hill.root.query(
    `with icon as (
       insert into hill.icons (account_id, image, drawn_at)
       values ($1, '\\x89504e470d0a1a0a0000000d4948445200000040000000400806000000', engine.now()))
     update hill.accounts set icon = true where id = $1`,
    [id],
  );
  await publish(hill, { version: '2027-01' });
  await call(web, 'api_human.accept_terms', { session, terms_id: 1 });
  await call(web, 'api_human.begin_top_up', { session, cents: 2000 });
  await call(web, 'api_agent.subscribe', {
    token,
    id: randomUUID(),
    url: person.hook,
    events: null,
    sealed_secret: 'c2VhbGVk',
  });
  await call(web, 'api_agent.report_missing_capability', { token, what: 'A clock', why: null, tool: null });
  const cup = await aTournament(hill);
  await enter(hill, annabel, cup);
  await redeem(hill, annabel, await aCode(hill, cup));
  await call(web, 'api_public.add_counts', { counts: JSON.stringify({ [id]: { views: 3, clicks: 2, agents: 1 } }) });
  for (const suspended of [true, false])
    await hill.asStaff().call('api_staff.suspend_account', { account_id: id, suspended, reason: 'by mistake' });

  await hill.asStaff().call('api_staff.grant_credits', { account_id: id, cents: 100, key: 'a gift', reason: 'a test' });
  const { rows } = await hill.root.query<{ id: string }>('select max(id) as id from hill.lots');
  for (const revoked of [true, false])
    await hill.asStaff().call('api_staff.revoke_grant', { lot_id: rows[0]?.id, revoked, reason: 'by mistake' });

  await hill
    .asStaff()
    .call('api_staff.set_staff', { account_id: id, name: 'One of the staff', role: 'support', reason: 'a test' });
  await call(web, 'api_human.give_console_code', {
    session,
    code: randomBytes(32).toString('hex'),
    challenge: '0'.repeat(64),
  });
  await hill.root.query(
    `insert into oauth.staff_sessions (token_hash, staff_name, account_id, created_at, expires_at)
     values (sha256('of the full life'), 'One of the staff', $1, now(), now() + interval '12 hours')`,
    [id],
  );

  // under way until the account is closed; by somebody of the staff, as its row keeps them
  await hill.root.query(
    `insert into hill.account_orders (account_id, what, state, key, begun_at, begun_by, begun_by_account_id, provider, subject, email, proven_at)
     values ($1, 'move_sign_in', 'begun', 'a ticket', engine.now(), 'Bob', $2, 'github', 'a new login', 'annabel@new.example', now())`,
    [id, bob.id],
  );

  for (let day = 1; day <= 4; day++) {
    // the night before keeps what she was called
    if (day === 2) for (const slug of ['annabel-first', person.slug]) await profile(slug);
    await hill.asAgent(annabel).announce({ slot: 3, intention: 'PEACE', message: person.said });
    await hill.asAgent(annabel).play({ slot: 3, move: 'PEACE', message: person.said });
    await hill.asAgent(annabel).play({ slot: 5, move: 'WAR', stake_cents: 900, message: person.said });
    await hill.asAgent(annabel).play({ slot: 5, move: day === 3 ? 'PASS' : 'PEACE' });
    await hill.asAgent(bob).play({ slot: 3, move: 'PEACE', message: 'greetings from bob' });
    if (day === 4) break;
    await hill.clock.ringBell();
    await hill.clock.at('10:00');
  }
  await hill
    .asStaff()
    .call('api_staff.hide_message', { day: 1, account_id: id, slot: 3, hidden: true, reason: 'a test' });
  return { annabel, bob };
}
