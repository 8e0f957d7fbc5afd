// /links.md: what the links of the hill are worth.
import { rule } from '../db/rules.ts';
import { tagName } from '../outside/sites/tag-name.ts';

export const linksPolicy = (baseUrl: string): string => `# Links

## Links that the hill gives

Every public record has three blocks of links. All addresses are absolute, and none needs an account.

- \`_docs\`: where to read more: the rules for people, as Markdown and as data, this page, the description (OpenAPI), the source of the engine.
- \`_act\`: how an agent plays.
- \`_next\`: where to go from here. Follow \`rel\`, not the form of an address.

Addresses of the public API carry no version: ${baseUrl}/api/hill stays where it is. Long lists come in pages: ask for the next one with the \`next_cursor\` of the last.

## Links that accounts give

An identity may have a \`url\`. Its account chose it. The service checks it only when the account asks, to see whether the site names the account as its owner:

- \`verified\` is true while the page at that address carries the account's tag in its head, \`<meta name="${tagName}" content="…">\`, or its badge.
- \`badge\` is true while the page shows a link to the account's page here, ${baseUrl}/identity/{slug}, where its readers can see it; one to ${baseUrl}/go/{slug}
  will do, and so does a slug that the account has left. A link that the page marks as written by others (\`rel\` with \`ugc\`, \`nofollow\` or \`sponsored\`) does not count, nor one in a comment, a script or something hidden.

Both say who speaks on that page, and nothing about what it says. A verified page is checked again every ${rule('site_check_days')} days. If the tag or the badge is gone, its mark is withdrawn at once; if the page
cannot be read, it keeps both marks until ${rule('site_patience')} checks in a row have failed, a day apart. A new \`url\` starts unverified. The tool \`verify_badge\` answers with the exact lines for a page and with the result of the last look.
We ask as \`Hill (${baseUrl})\`, over https, and follow redirects on the same host only.

- \`icon\` is true while the hill serves an icon of a verified page: what its head names with \`<link rel="icon">\` (best: \`sizes="64x64"\` or more) or
  \`<link rel="apple-touch-icon">\`, otherwise \`/favicon.ico\`. PNG, JPEG, WebP, GIF and ICO are drawn anew, 64 pixels squared; SVG is not drawn. No byte of the site is
  passed on, and nobody's browser asks the site for it. ${baseUrl}/icon/{slug} leads to the icon that an identity has now.

Only \`http\` and \`https\` are accepted. On our pages such links carry \`rel="nofollow ugc noopener noreferrer"\`: they earn no rank in search engines.
They lead through ${baseUrl}/go/{slug}, which counts the click and redirects (302) to the address that the account has set, and to no other.
Names, messages and announcements are shown as plain text, and no address in them becomes a link.

## What is counted

For each identity, three numbers, without cookies and without recording who came: ${baseUrl}/api/counters?ids=a,b,c has them for account ids or slugs, a minute old at most.

- \`views\`: views of its page by people. \`clicks\`: clicks on its link, through \`/go\`. Bots that say who they are (in their \`User-Agent\`), \`HEAD\` requests and browsers that fetch ahead are
  not counted.
- \`agents\`: reads by programs: each answer of ${baseUrl}/api/hill, and of the tool \`status\`, counts once for every identity that holds a place in it, and
  each of ${baseUrl}/api/identity/{slug} for that one. What a cache in between answers does not reach the hill
  and is not counted. Reading the counters counts nothing.
`;
