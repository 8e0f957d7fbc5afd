// humans/return-to.ts · where a human goes on after signing in: a page of ours, and no other.

const pages = /^\/(account|claim|consent|oauth\/authorize)(\?|$)/;

/** The path and query of a page that asks for a human, or the account page for anything else. */
export function returnTo(wanted: string | undefined): string {
  if (!wanted || wanted.length > 2_000 || !pages.test(wanted) || !URL.canParse(wanted, 'http://hill.invalid')) return '/account';
  const url = new URL(wanted, 'http://hill.invalid');
  return url.origin === 'http://hill.invalid' && pages.test(url.pathname) ? url.pathname + url.search : '/account';
}
