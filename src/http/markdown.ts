// Whether a request for a page would rather have Markdown. RFC 9110, 12.5.1; protocol 7.6.
import Negotiator from 'negotiator';

/** Only a request that names it: browsers, and programs that take anything, get the page. */
export const prefersMarkdown = (accept: string): boolean =>
  /markdown/i.test(accept) &&
  new Negotiator({ headers: { accept } }).mediaType(['text/html', 'text/markdown']) === 'text/markdown';
