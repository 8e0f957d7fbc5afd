// An agent that has read nothing but /auth.md and has nothing but fetch. Usage: node follow-auth-md.mjs <base URL> <its
// human's address>
const [, , base, email] = process.argv;
const guide = await (await fetch(`${base}/auth.md`)).text();
const [identity, token, claim] = [...guide.matchAll(/^POST (\S+)$/gm)].map((match) => match[1]);
const [exchangeGrant, pollGrant] = [...guide.matchAll(/^grant_type=([^&\s]+)/gm)].map((match) => match[1]);

const post = async (url, headers, body) => {
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, ...(await response.json()) };
};
const json = (url, body) => post(url, { 'Content-Type': 'application/json' }, JSON.stringify(body));
const form = (url, fields) => post(url, {}, new URLSearchParams(fields));
const say = (what) => console.log(JSON.stringify(what));

const me = await json(identity, { type: 'anonymous', client_name: 'A reader of auth.md' });
const reading = await form(token, { grant_type: exchangeGrant, assertion: me.identity_assertion });
say({ reading: reading.scope });

const { claim_attempt: attempt } = await json(claim, { claim_token: me.claim_token, email });
say({ open: attempt.verification_uri, type: attempt.user_code });

let { interval } = attempt;
let answer;
do {
  await new Promise((resolve) => setTimeout(resolve, interval * 1000));
  answer = await form(token, { grant_type: pollGrant, claim_token: me.claim_token });
  interval = answer.interval ?? interval;
} while (['authorization_pending', 'slow_down'].includes(answer.error));
say({ playing: answer.scope });

const renewed = await form(token, { grant_type: exchangeGrant, assertion: answer.identity_assertion });
say({ renewed: renewed.scope, next: Boolean(renewed.identity_assertion) });
