// Where a human continues after signing in: only a page of ours.

const pages = /^\/(account|account\/leave|claim|console|device|oauth\/authorize)(\?|$)/;

/** A client's state may be thousands of characters long, and its whole request passes through the sign-in. */
export const longestTarget = 6_000;

/** The path and query of a page that needs a human; the account page for anything else. */
export function returnTo(wanted: string | undefined, longest = longestTarget): string {
  if (!wanted || wanted.length > longest || !pages.test(wanted) || !URL.canParse(wanted, 'http://hill.invalid'))
    return '/account';
  const url = new URL(wanted, 'http://hill.invalid');
  return url.origin === 'http://hill.invalid' && pages.test(url.pathname) ? url.pathname + url.search : '/account';
}
