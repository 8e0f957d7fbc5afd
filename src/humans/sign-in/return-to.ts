// humans/sign-in/return-to.ts · where a human goes on after signing in: a page of ours, and no other.

const pages = /^\/(account|claim|consent|oauth\/authorize)(\?|$)/;

/** A client's state may be some thousand characters long, and everything that it asked for goes along through the sign-in. */
export const longestTarget = 6_000;

/** The path and query of a page that asks for a human, or the account page for anything else. */
export function returnTo(wanted: string | undefined, longest = longestTarget): string {
  if (!wanted || wanted.length > longest || !pages.test(wanted) || !URL.canParse(wanted, 'http://hill.invalid')) return '/account';
  const url = new URL(wanted, 'http://hill.invalid');
  return url.origin === 'http://hill.invalid' && pages.test(url.pathname) ? url.pathname + url.search : '/account';
}
