// What crawlers, browsers and those who found a hole look for: robots.txt and security.txt. Decisions 264.
import type { Config } from '../process/config.ts';

/** What is not worth a crawler's time, or counts whoever follows it. */
const unwanted = [
  '/go/',
  '/account',
  '/sign-in',
  '/claim',
  '/device',
  '/consent',
  '/authorize',
  '/oauth/',
  '/agent/',
  '/mcp',
  '/api/events',
];

export const robots = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `User-agent: *
${unwanted.map((path) => `Disallow: ${path}`).join('\n')}

Sitemap: ${baseUrl}/sitemap.xml
`;

/** RFC 9116 asks for less than a year. Counted from the quarter, so that the text, and its ETag, stay for a while. */
const expiresInDays = 270;
const quarterDays = 91;

export function securityTxt(
  { baseUrl, securityContact }: Pick<Config, 'baseUrl' | 'securityContact'>,
  at = Date.now(),
): string {
  const day = 86_400_000;
  const quarter = Math.floor(at / (quarterDays * day)) * quarterDays;
  return `Contact: ${securityContact ?? `mailto:security@${new URL(baseUrl).hostname}`}
Expires: ${new Date((quarter + expiresInDays) * day).toISOString()}
Preferred-Languages: en
Canonical: ${baseUrl}/.well-known/security.txt
`;
}
